//! What comes before judging: rubric, topics, every system's results, the pool, and the texts of what is pooled.

mod corpus;
mod file_hash;
mod inputs;
mod remarks;
mod retrieved_runs;
mod runs;
mod texts;

pub(crate) use corpus::Corpus;
pub(crate) use file_hash::hash_file;
pub use inputs::{HashedInput, Inputs};
pub(crate) use inputs::{read_inputs, rubric, topics};
pub use retrieved_runs::RetrievedRun;
pub(crate) use retrieved_runs::retrieved_runs;
pub(crate) use texts::{PooledTexts, pooled_texts};

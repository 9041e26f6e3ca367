//! What comes before judging: rubric, topics, every system's results, the pool, and the texts of what is pooled.

mod base;
mod command_results;
mod corpus;
mod file_hash;
#[cfg(feature = "retrieval")]
mod index_building;
#[cfg(not(feature = "retrieval"))]
mod no_indexes;
mod people_grades;
mod read_inputs;
mod reading;
mod remarks;
mod retrieved_runs;
mod runs;
mod texts;
mod unread;

pub use base::BaseLabels;
pub use command_results::{CommandResults, Percentiles};
pub(crate) use command_results::{are_kept, command_results, retrieve_by_command};
pub(crate) use corpus::Corpus;
pub(crate) use file_hash::hash_file;
pub(crate) use people_grades::{differ, people_on};
pub use read_inputs::Inputs;
pub(crate) use read_inputs::{read_inputs, reference_labels, rubric, topics};
pub use reading::HashedInput;
pub use retrieved_runs::RetrievedRun;
pub(crate) use retrieved_runs::retrieved_runs;
pub(crate) use texts::{PooledTexts, pooled_texts};

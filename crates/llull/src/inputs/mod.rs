//! What comes before judging: rubric, topics, every system's results, the pool, and the texts of what is pooled.

mod base;
mod command_results;
mod corpus;
#[cfg(feature = "encoders")]
mod dense_runs;
mod file_hash;
#[cfg(feature = "retrieval")]
mod index_building;
#[cfg(feature = "encoders")]
mod meanings;
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
#[cfg(feature = "encoders")]
pub(crate) use command_results::kept_file;
pub use command_results::{CommandResults, Percentiles};
pub(crate) use command_results::{are_kept, command_results, retrieve_by_command};
pub(crate) use corpus::Corpus;
#[cfg(feature = "encoders")]
pub(crate) use dense_runs::{dense_to_retrieve, retrieve_dense};
pub(crate) use file_hash::hash_file;
#[cfg(feature = "encoders")]
pub(crate) use meanings::{all_encoded, encode_texts, meanings, student_encoders, texts_of};
pub(crate) use people_grades::{differ, people_on};
pub use read_inputs::Inputs;
pub(crate) use read_inputs::{read_inputs, reference_labels, rubric, topics};
pub use reading::HashedInput;
pub use retrieved_runs::RetrievedRun;
pub(crate) use retrieved_runs::retrieved_runs;
pub(crate) use runs::write_hybrids;
pub(crate) use texts::{PooledTexts, Surface, pooled_texts};

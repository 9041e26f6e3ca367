//! The inputs of judging.
//!
//! These are rubric, topics, every system's results, the pool, and the texts of pooled documents.

mod base;
mod command_key;
mod corpus;
#[cfg(feature = "encoders")]
mod encoded_runs;
mod error;
mod human_grades;
mod index_building;
mod live_asking;
mod live_results;
#[cfg(feature = "encoders")]
mod meanings;
mod read_inputs;
mod reading;
mod remarks;
mod remote_server;
mod retrieval_error;
mod retrieved_runs;
mod runs;
mod texts;
mod unread;

pub use base::BaseLabels;
pub(crate) use command_key::command_key;
pub use corpus::Corpus;
#[cfg(feature = "encoders")]
pub(crate) use encoded_runs::{dense_to_retrieve, retrieve_dense};
pub use error::{EncodingError, InputError};
pub(crate) use human_grades::{differ, human_grades_on};
pub(crate) use live_asking::ask_live;
pub use live_asking::{LiveRequests, QueryVectors};
pub use live_results::LiveResults;
pub(crate) use live_results::{are_kept, kept_file, live_results};
#[cfg(feature = "encoders")]
pub(crate) use meanings::{all_encoded, encode_texts, meanings, student_encoders, texts_of};
pub use read_inputs::Inputs;
pub(crate) use read_inputs::{read_inputs, reference_labels, topics};
pub use reading::HashedInput;
pub(crate) use remote_server::{remote_address, remote_key};
pub use retrieval_error::RetrievalError;
pub use retrieved_runs::RetrievedRun;
pub(crate) use retrieved_runs::retrieved_runs;
pub(crate) use runs::{depth_looked_at, write_hybrids};
pub use texts::StudyTexts;
pub(crate) use texts::{PooledTexts, Surface, pooled_texts, texts_without_corpus};

//! Reading replies, strictly: a verdict, or the reason why there is none. Nothing is ever picked out of prose.
//!
//! `reasoning` knows the marks around a model's thinking, `scan` walks over a reply and finds the objects outside it,
//! `strict` reads JSON, `decide` says what the objects amount to, `graded` and `compared` what one object says;
//! `probabilities` reads how sure a model was of a comparison.

mod compared;
mod decide;
mod detail;
mod graded;
mod probabilities;
mod reasoning;
mod refusal;
mod scan;
mod strict;

pub use compared::read_comparison;
pub use decide::RawReply;
pub use graded::read_answer;
pub use probabilities::{Token, answer_probabilities};

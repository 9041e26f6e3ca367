//! Probes: changes of documents, to find the basis of answers.
//!
//! They change texts and send no request.

mod judge_probe;
mod masks;
mod names;
mod swaps;

pub use judge_probe::JudgeProbe;
pub(crate) use judge_probe::{ChangedDocument, Instruction};
pub(crate) use swaps::Swaps;

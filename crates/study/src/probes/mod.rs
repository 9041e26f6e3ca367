//! Probes: ways of changing documents, to learn what a judge's answers rest on. They change texts and ask nothing.

mod judge_probe;
mod masks;
mod names;
mod swaps;

pub use judge_probe::JudgeProbe;
pub(crate) use judge_probe::{ChangedDocument, Instruction};
pub(crate) use swaps::Swaps;

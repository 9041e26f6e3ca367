//! Trains students on labels, and describes their reliability.
//!
//! The labels are a study's, or annotators'.

mod held_out;
mod taught;

pub(crate) use held_out::held_out;
pub use taught::TaughtStudent;
pub(crate) use taught::teach;

//! Students learn from a study's labels, or from people's, and say how far they can be relied on.

mod held_out;
mod taught;

pub(crate) use held_out::held_out;
pub(crate) use taught::teach;
pub use taught::{StudentOptions, TaughtStudent};

//! Samples for annotators: a frame with probabilities, and the drawn pairs.

mod columns;
mod header;
mod read;
mod write;

pub use read::{SampleFile, read_sample};
pub use write::write_sample;

//! Samples for people to label: a frame with inclusion probabilities, and what was drawn from it.

mod columns;
mod header;
mod read;
mod version;
mod write;

pub use read::{SampleFile, read_sample};
pub use write::write_sample;

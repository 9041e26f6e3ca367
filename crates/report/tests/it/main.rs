//! What a report says, in each of its forms.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test that cannot go on has failed

mod agreement;
mod checks;
mod corrected;
mod decision;
mod diagrams;
mod escape;
mod hostile;
mod html;
mod markup;
mod sample;
mod schema;
mod scores;
mod sections;
mod significance;
mod slices;
mod snapshots;
mod tags;
mod tournaments;

//! Samples for human labels: frame, expected width, draw and sheet.
//!
//! A [`SamplingFrame`] is made of a judge's labels and of runs. [`SamplingFrame::plan`] returns the expected width of
//! an interval by the number of labels, and proposes a number. [`SamplingFrame::draw`] draws with known probabilities.

mod choice;
mod draw;
mod error;
mod frame;
mod frame_strata;
mod guessed_ideal;
mod plan;
mod request;

pub use choice::SampleChoice;
pub use draw::{sample_id, sheet_order};
pub use error::SampleError;
pub use frame::{FrameFigure, SamplingFrame};
pub use plan::{PlanRow, SamplePlan, SampleProposal};
pub use request::{SampleRequest, StratifyBy};

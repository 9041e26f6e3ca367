//! Samples that people label: what can be drawn, how wide the interval will be, the draw, and its sheet.
//!
//! A [`SamplingFrame`] is made of a judge's labels and of runs. It says beforehand how wide an interval so many labels
//! give ([`SamplingFrame::plan`]), proposes how many to draw, and [draws](SamplingFrame::draw) with known
//! probabilities.

mod choice;
mod draw;
mod error;
mod frame;
mod frame_strata;
mod plan;
mod proposal;
mod request;
mod sheet_rows;

pub use choice::SampleChoice;
pub use draw::sample_id;
pub use error::SampleError;
pub use frame::{FrameFigure, SamplingFrame};
pub use plan::{PlanRow, SamplePlan};
pub use proposal::SampleProposal;
pub use request::{SampleRequest, StratifyBy};
pub use sheet_rows::sheet_rows;

//! Samples that people label: what can be drawn, how wide the interval will be, the draw, and its sheet.
//!
//! A [`SamplingFrame`] is made of a judge's labels and of runs. It says beforehand how wide an interval so many labels
//! give ([`SamplingFrame::plan`]), and [draws](SamplingFrame::draw) with known probabilities.

mod draw;
mod error;
mod frame;
mod frame_strata;
mod plan;
mod request;
mod sheet_rows;

pub use draw::sample_id;
pub use error::SampleError;
pub use frame::{FrameFigure, SamplingFrame};
pub use plan::{PlanRow, SamplePlan};
pub use request::{SampleRequest, StratifyBy};
pub use sheet_rows::sheet_rows;

//! Labels that were there and a judge's for what they lack: on one scale, and each with its source.

mod base_calibration;
mod mixed_labels;
mod source_name;

pub use base_calibration::BaseCalibration;
pub use mixed_labels::{LEAST_OVERLAP, MixError, MixNames, MixedLabels};
pub use source_name::{source_name, source_of_file};

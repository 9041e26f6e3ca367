//! The parameters of measures: types, ranges and notation.

mod cutoff;
mod gain;
mod gain_table;
mod notation;
mod number;
mod parameter_set;
mod relevant;
mod rounding;
mod unjudged;
mod weights;

pub use cutoff::Cutoff;
pub use gain::Gain;
pub use gain_table::{Gains, GainsError};
pub(crate) use notation::*;
pub use number::{Alpha, Beta, Multiple, Persistence, RecallLevel, Target};
pub use parameter_set::Parameters;
pub use relevant::{MaxGrade, Relevant};
pub use rounding::Rounding;
pub use unjudged::Unjudged;
pub use weights::Weights;

//! The parameters of measures: types, ranges and notation.

mod alpha;
mod beta;
mod cutoff;
mod gain;
mod gain_table;
mod max_grade;
mod multiple;
mod notation;
mod number;
mod parameter_set;
mod persistence;
mod recall_level;
mod relevant;
mod rounding;
mod target;
mod unjudged;
mod weights;

pub use alpha::Alpha;
pub use beta::Beta;
pub use cutoff::Cutoff;
pub use gain::Gain;
pub use gain_table::{Gains, GainsError};
pub use max_grade::MaxGrade;
pub use multiple::Multiple;
pub(crate) use notation::*;
pub use parameter_set::Parameters;
pub use persistence::Persistence;
pub use recall_level::RecallLevel;
pub use relevant::Relevant;
pub use rounding::Rounding;
pub use target::Target;
pub use unjudged::Unjudged;
pub use weights::Weights;

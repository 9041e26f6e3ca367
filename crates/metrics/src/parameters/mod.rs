//! The parameters of measures: types, ranges and notation.

mod gain;
mod notation;
mod number;
mod parameter_set;

pub use gain::{Gain, Gains, GainsError};
pub(crate) use notation::*;
pub use number::{
    Alpha, Beta, Cutoff, MaxGrade, Multiple, Persistence, RecallLevel, Relevant, Rounding, Target, Unjudged,
    Weights,
};
pub use parameter_set::Parameters;

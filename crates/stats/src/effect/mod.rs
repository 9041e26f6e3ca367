//! How large a difference is, apart from how sure.

mod cliff;
mod cohen;
mod size;

pub use cliff::{cliff_delta, paired_cliff_delta};
pub use cohen::{cohen_d, cohen_dz, hedges_g};
pub(crate) use cohen::{d_alone, dz_alone};
pub use size::{EffectMeasure, EffectSize};

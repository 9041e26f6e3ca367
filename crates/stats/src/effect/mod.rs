//! Effect sizes: the size of a difference, not its certainty.

mod cliff;
mod cohen;
mod effect_size;
mod ratio;

pub use cliff::paired_cliff_delta;
pub use cohen::{cohen_d, cohen_dz, hedges_g};
pub(crate) use cohen::{d_alone, dz_alone};
pub use effect_size::EffectSize;
pub use ratio::{EffectRatio, effect_ratio};

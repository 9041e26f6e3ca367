//! Effect sizes: the size of a difference, not its certainty.

mod effect_size;
mod ratio;

pub use effect_size::{EffectSize, cohen_d, cohen_dz, hedges_g, paired_cliff_delta};
pub(crate) use effect_size::{d_alone, dz_alone};
pub use ratio::{EffectRatio, effect_ratio};

//! Whether two judges say the same about the same things.

mod confusion;
mod kappa;

pub use confusion::ConfusionMatrix;
pub use kappa::{Weights, cohen_kappa};

//! Whether two judges say the same about the same things.

mod confusion;
mod kappa;
mod preferences;

pub use confusion::ConfusionMatrix;
pub use kappa::{Weights, cohen_kappa};
pub use preferences::{
    Choice, JudgedPair, Mode, ModeAgreement, PreferenceAgreement, SwapAgreement, Votes, preference_agreement,
};

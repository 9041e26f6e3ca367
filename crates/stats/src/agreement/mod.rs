//! Whether two judges, or several, say the same about the same things.

mod clamp;
mod clusters;
mod confusion;
mod crosstab;
mod error;
mod figures;
mod kappa;
mod labels;
mod panel;
mod pooled;
mod preferences;
mod weights;

pub use clamp::{Clamp, ClampError};
pub(crate) use clusters::Draws;
pub use confusion::ConfusionMatrix;
pub use error::AgreementError;
pub use figures::{Ac2ByWeights, ByLevel, ByWeights, Ends, LabelFigures, PanelFigures};
pub use kappa::{cohen_kappa, scott_pi};
pub use labels::{Agreement, AgreementIntervals, AgreementOptions, SystemSummary, label_agreement};
pub use panel::{PanelAgreement, PanelRatings, fleiss_kappa, gwet_ac, krippendorff_alpha, panel_agreement};
pub use pooled::Level;
pub use preferences::{
    Choice, JudgedPair, Mode, ModeAgreement, PreferenceAgreement, SwapAgreement, Votes, preference_agreement,
};
pub use weights::DisagreementWeights;

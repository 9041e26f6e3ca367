//! Agreement of two or more judges about the same things.

mod chance_corrected;
mod crosstab;
mod error;
mod figures;
mod grades;
mod labels;
mod order;
mod panel;
mod preferences;

pub use chance_corrected::{Level, fleiss_kappa, gwet_ac, krippendorff_alpha};
pub use crosstab::{ConfusionMatrix, cohen_kappa};
pub use error::AgreementError;
pub use figures::{Ac2ByWeights, ByLevel, ByWeights, LabelFigures, PanelFigures};
pub use grades::{Clamp, ClampError, DisagreementWeights};
pub use labels::{
    Agreement, AgreementIntervals, AgreementOptions, SystemSummary, label_agreement, weighted_label_agreement,
};
pub use order::{AgreementWithin, OrderFigures, order_agreement};
pub use panel::{PanelAgreement, PanelRatings, independent_votes, panel_agreement};
pub use preferences::{
    Choice, JudgedPair, Mode, ModeAgreement, PreferenceAgreement, SwapAgreement, Votes, preference_agreement,
};

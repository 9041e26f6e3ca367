//! Agreement of two or more judges about the same things.

mod clamp;
mod confusion_matrix;
mod crosstab;
mod error;
mod figures;
mod fleiss;
mod grade_numbers;
mod gwet;
mod independent_votes;
mod kappa;
mod krippendorff;
mod labels;
mod order;
mod order_figures;
mod panel;
mod panel_ratings;
mod pooled;
mod preference_votes;
mod preferences;
mod relevance_cuts;
mod weights;
mod within_queries;

pub use clamp::{Clamp, ClampError};
pub use confusion_matrix::ConfusionMatrix;
pub use error::AgreementError;
pub use figures::{Ac2ByWeights, ByLevel, ByWeights, LabelFigures, PanelFigures};
pub use fleiss::fleiss_kappa;
pub use gwet::gwet_ac;
pub use independent_votes::independent_votes;
pub use kappa::cohen_kappa;
pub use krippendorff::{Level, krippendorff_alpha};
pub use labels::{
    Agreement, AgreementIntervals, AgreementOptions, SystemSummary, label_agreement, weighted_label_agreement,
};
pub use order::order_agreement;
pub use order_figures::OrderFigures;
pub use panel::{PanelAgreement, panel_agreement};
pub use panel_ratings::PanelRatings;
pub use preference_votes::{Choice, JudgedPair, Votes};
pub use preferences::{Mode, ModeAgreement, PreferenceAgreement, SwapAgreement, preference_agreement};
pub use weights::DisagreementWeights;
pub use within_queries::AgreementWithin;

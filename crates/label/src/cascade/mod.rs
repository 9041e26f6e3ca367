//! Cascades: a stronger judge for the pairs that a panel finds hard.
//!
//! An [`EscalationRule`] defines hard pairs by the answers of the panel's judges; [`choose_threshold`] uses human
//! labels to find how sure the panel has to be for its label to stand.

mod rule;
mod threshold;

pub use rule::{EscalationRule, MarginRule, PanelOpinion, UnknownEscalation};
pub use threshold::{
    LEAST_LABELS, LabelledMargin, ThresholdBound, ThresholdChoice, ThresholdOptions, choose_threshold,
};

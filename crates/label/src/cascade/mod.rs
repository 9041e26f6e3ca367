//! Cascades: a stronger judge sees only what a panel finds hard.
//!
//! An [`EscalationRule`] says what is hard, of what the panel's judges said of one pair; [`choose_threshold`] finds, by
//! labels of people, how sure the panel has to be for its label to stand.

mod rule;
mod threshold;

pub use rule::{EscalationRule, MarginRule, PanelOpinion, UnknownEscalation};
pub use threshold::{
    LEAST_LABELS, LabelledMargin, ThresholdBound, ThresholdChoice, ThresholdOptions, choose_threshold,
};

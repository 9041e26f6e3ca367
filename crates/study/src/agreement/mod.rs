//! Whether labels can be trusted: how far they agree with somebody else's, and whether they lead to the same
//! conclusions about systems.
//!
//! The report on agreement is computed by [`llull_report::agreement`], which needs no study and is offered here, too.
//! [`study_labels`] are the labels of a study, to be compared with others.

mod study_labels;

pub use llull_report::agreement::*;
pub use study_labels::study_labels;

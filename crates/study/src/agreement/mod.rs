//! Labels of a study for comparisons of agreement.
//!
//! They show whether labels agree with another source, and whether both lead to the same conclusions about systems. The
//! report on agreement is computed by [`llull_report::agreement`], which needs no study and is re-exported here.
//! [`study_labels`] are the labels of a study, to be compared with others.

mod study_labels;

pub use llull_report::agreement::*;
pub use study_labels::study_labels;

//! Compares pairwise answers with a reference.
//!
//! The reference is a file's, or the annotators of a study's ledger.

mod annotator_agreement;
mod by_annotators;
mod ledger_answers;

pub use annotator_agreement::{AnnotatorAgreement, AnnotatorAgreementError, annotator_agreement};
pub(crate) use by_annotators::human_preferences_of;
pub use ledger_answers::answers_of;
pub use llull_files::preferences::*;

//! Compares pairwise answers with a reference.
//!
//! The reference is a file's, or the annotators of a study's ledger.

mod against_people;
mod by_people;
mod ledger_answers;

pub use against_people::{PeopleAgreement, PeopleAgreementError, people_agreement};
pub(crate) use by_people::compared_by_people;
pub use ledger_answers::answers_of;
pub use llull_files::preferences::*;

//! A judge's pairwise answers compared with a reference, and those of a study's ledger with its annotators'.

mod against_people;
mod by_people;
mod ledger_answers;

pub use against_people::{PeopleAgreement, PeopleAgreementError, people_agreement};
pub(crate) use by_people::compared_by_people;
pub use ledger_answers::answers_of;
pub use llull_files::preferences::*;

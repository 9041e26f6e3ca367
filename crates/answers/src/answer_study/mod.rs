//! Expected answers judged by the judges of studies: language models, and panels of them and of others.
//!
//! Each context (a query, an expected answer, a text) is a pair of a study in memory whose rubric has two grades, no
//! and yes. So the strict reading of replies, retries, the ledger and its keys, the median of a panel, agreement and
//! alarms are those of every study: a reply that is neither is unusable, which is no "no", and nothing is paid for
//! twice. People answer about the same pairs in a [review](llull_study::review), and are judges like any other.

mod computed;
mod contexts;
mod judgments;
mod people_agreement;
mod person;

pub use computed::{computed_answers, recorded_answers};
pub use contexts::{AnswerStudyOptions, answer_study, expected_texts};
pub use judgments::{SettledContexts, asked_judgments, settled_contexts};
pub use people_agreement::{AgreementWithPeople, AnsweringPerson, PeopleAgreement, agreement_with_people};
pub use person::{answering_people, person_judge_name, person_of_judge};

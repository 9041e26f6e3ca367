//! Retrieval measured by answers that are expected, in place of labels of documents.
//!
//! | part | does |
//! |---|---|
//! | [`expected_answers`] | which results state an expected answer, and the figures that follow |
//! | [`answer_study`] | the study that asks judges whether a context states an answer |
//! | [`synthesis`] | questions with answers, written by a model and checked |
//! | [`FactMaking`] | the facts of expected answers, written by a model |

mod answer_study;
#[cfg(feature = "encoders")]
mod evaluated_systems;
pub mod expected_answers;
mod fact_making;
mod generation;
pub mod synthesis;

pub use answer_study::{
    AgreementWithPeople, AnswerStudyOptions, AnsweringPerson, PeopleAgreement, SettledContexts,
    agreement_with_people, answer_study, answering_people, asked_judgments, computed_answers, expected_texts,
    person_judge_name, person_of_judge, recorded_answers, settled_contexts,
};
#[cfg(feature = "encoders")]
pub use evaluated_systems::{EncoderByName, SystemRequests, evaluated_system};
pub use fact_making::{FactMaking, facts_estimate};
pub use generation::WriterError;

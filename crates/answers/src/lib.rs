//! Measures retrieval by expected answers instead of documents' labels.
//!
//! | part | does |
//! |---|---|
//! | [`expected_answers`] | the results that contain an expected answer, and their figures |
//! | [`answer_study`] | the study in which judges judge whether a context contains an answer |
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
    AnnotatorAgreement, AnnotatorContexts, AnswerStudyOptions, JudgeAgreement, SettledContexts,
    annotator_agreement, annotator_judge_name, annotator_of_judge, answer_study, answering_annotators,
    asked_judgments, computed_answers, expected_texts, recorded_answers, settled_contexts,
};
#[cfg(feature = "encoders")]
pub use evaluated_systems::{EncoderByName, SystemRequests, evaluated_system};
pub use fact_making::{FactMaking, facts_estimate};
pub use generation::WriterError;

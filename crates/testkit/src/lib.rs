//! Substitutes for slow and paid services in tests.
//!
//! | instead of | take |
//! |---|---|
//! | a language model, in process | [`ScriptedModel`] |
//! | a provider, over HTTP, with all its faults | [`FaultyServer`] |
//! | any other server, over HTTP | [`AnsweringServer`] |
//! | a provider of batches, in process | [`BatchProvider`] |
//! | a judge of known bias and noise | [`SimulatedGrader`] |
//! | an unreliable judge | [`JudgeFault`], [`ListFault`], [`comparing_judge`] |
//! | a collection with runs, of any size | [`SyntheticStudy`] |
//! | a ledger that counts its use, or is full | [`WatchedLedger`] |
//!
//! All of it is a function of its arguments and a seed. The answer to a prompt does not depend on the time, number or
//! order of requests, so a study that was killed and resumed must end with the same labels as one that was not.
//!
//! ```
//! use llull_core::{Scale, Seed};
//! use llull_testkit::SimulatedGrader;
//!
//! let lenient = SimulatedGrader { scale: Scale::default(), bias: 1.0, noise: 0.0, seed: Seed(7) };
//! assert_eq!(lenient.grade("q1", "d1", 1), 2);
//! assert_eq!(lenient.grade("q1", "d2", 3), 3, "no grade above the scale");
//! ```

mod answering_server;
pub mod attempts;
mod batch_provider;
mod comparing_answer;
mod comparing_judge;
mod comparing_prompt;
mod fault;
mod fault_plan;
mod faulty_server;
mod graded_answer;
mod judge_fault;
mod scripted_model;
mod simulated_grader;
mod synthetic_study;
mod vocabulary;
mod watched_ledger;
mod written_facts;
mod written_question;

pub use answering_server::{AnsweringServer, ServerAnswer, ServerRequest};
pub use batch_provider::{BatchPlan, BatchProvider};
pub use comparing_answer::{Taste, compared_json, merit};
pub use comparing_judge::{FIRST_RECHECK, comparing_judge};
pub use fault::Fault;
pub use fault_plan::FaultPlan;
pub use faulty_server::{AWS_SECRET, FaultyServer, PromptCount, Recorded, Served};
pub use graded_answer::{answer_json, grade_of_prompt, prompt_of};
pub use judge_fault::{JudgeFault, ListFault, SeenDocument, middle_last};
pub use scripted_model::{ScriptedModel, reply};
pub use simulated_grader::SimulatedGrader;
pub use synthetic_study::{SyntheticFiles, SyntheticStudy};
pub use watched_ledger::{LedgerUse, WatchedLedger};
pub use written_facts::facts_json;
pub use written_question::question_json;

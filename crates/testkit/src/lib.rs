//! Stand-ins for everything that a test should not have to pay or wait for.
//!
//! | instead of | take |
//! |---|---|
//! | a language model, in process | [`ScriptedModel`] |
//! | a provider, over HTTP, with everything that goes wrong there | [`FaultyServer`] |
//! | a judge of known bias and noise | [`SimulatedGrader`] |
//! | a judge that compares, with noise, ties or planted cycles | [`NoisyJudge`], [`CyclicPanel`] |
//! | a collection with runs, of any size | [`SyntheticStudy`] |
//!
//! All of it is a function of its arguments and a seed: what a prompt is answered does not depend on when, how often
//! or in which order it is asked, so a study that was killed and resumed must end with the labels of one that was not.
//!
//! ```
//! use llull_core::{Scale, Seed};
//! use llull_testkit::SimulatedGrader;
//!
//! let lenient = SimulatedGrader { scale: Scale::default(), bias: 1.0, noise: 0.0, seed: Seed(7) };
//! assert_eq!(lenient.grade("q1", "d1", 1), 2);
//! assert_eq!(lenient.grade("q1", "d2", 3), 3, "no grade above the scale");
//! ```

mod answer;
mod compared;
mod corpus;
mod fault;
mod faulty;
mod scripted;
mod simulated;
mod words;

pub use answer::{answer_json, grade_of_prompt, prompt_of};
pub use compared::{Taste, compared_json, merit};
pub use corpus::{SyntheticFiles, SyntheticStudy};
pub use fault::{Fault, FaultPlan};
pub use faulty::{FaultyServer, PromptCount, Recorded, Served};
pub use scripted::{ScriptedModel, reply};
pub use simulated::SimulatedGrader;

pub use llull_rank::simulate::{CyclicPanel, NoisyJudge};

//! From tasks to durable judgments: dispatch, retries, budget, resumption.
//!
//! [`run`] takes a [`Workload`] (topics, documents, questions), some [`Judge`]s and a ledger, and gets an answer
//! from each judge to each question, as far as the ledger does not have it; [`run_waves`] does so for questions
//! that follow from earlier answers. Three parts, as in cargo-nextest: the *dispatcher* owns all state and lets
//! one thing happen after the other, the *executor* asks and knows no rules, and a [`Reporter`] is told everything
//! as one stream of [`Event`]s.
//!
//! | what | where |
//! |---|---|
//! | what a judge is | [`JudgeIdentity`], [`PromptJudge`], [`Judge`]; [`Case`], [`PromptRequest`], [`Answer`] |
//! | the judges | [`ModelJudge`], which asks what a [`Prompted`] renders; [`SimilarityJudge`], [`ReplayJudge`] |
//! | what is to be judged | [`Workload`], [`Pair`], [`Question`] |
//! | how | [`RunOptions`], [`Budget`], [`Cancel`] |
//! | what came of it | [`RunOutcome`], [`JudgeOutcome`], [`WaveOutcome`], [`Ended`], [`StopReason`] |
//!
//! ```
//! use std::sync::Arc;
//! use llull_core::{Hash, Paradigm, Qrels, Scale, Topic};
//! use llull_runner::{Cancel, Judge, Pair, PooledDocument, ReplayJudge, RunOptions, Silent, Workload, run};
//! use llull_store::MemoryLedger;
//!
//! let topics = vec![Topic { id: "q1".into(), text: "how do bloom filters work".into() }];
//! let documents = ["d1", "d2"].map(|id| PooledDocument::IdOnly(id.into())).to_vec();
//! let pairs = vec![Pair { topic: 0, document: 0 }, Pair { topic: 0, document: 1 }];
//! let workload = Arc::new(Workload::new(topics, documents, pairs)?);
//!
//! let mut labels = Qrels::default();
//! labels.insert("q1", "d1", 3);
//! let (hash, scale) = (Hash::of(b"q1 0 d1 3"), Scale::default());
//! let replay = ReplayJudge::new("old labels", Arc::new(labels), "old.qrels", hash, scale, Paradigm::Graded);
//! let judges: Vec<Arc<dyn Judge>> = vec![Arc::new(replay)];
//!
//! let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
//! let (mut ledger, options) = (MemoryLedger::default(), RunOptions::default());
//! let outcome = run(runtime.handle(), &workload, &judges, &mut ledger, &options, &Silent, &Cancel::new())?;
//! assert_eq!((outcome.judges[0].judged, outcome.judges[0].unusable), (1, 1), "d2 is not in the file");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod cancel;
mod case;
mod clock;
mod dispatcher;
mod document;
mod error;
mod event;
mod executor;
mod judge;
mod judges;
mod lane;
mod options;
mod outcome;
mod planner;
mod run;
mod workload;

pub use answer::Answer;
pub use cancel::Cancel;
pub use case::Case;
pub use document::PooledDocument;
pub use error::RunError;
pub use event::{Event, Reporter, Silent, Transcript};
pub use judge::{Judge, JudgeIdentity, PromptJudge, PromptRequest};
pub use judges::{ModelJudge, Prompted, PromptedSettings, ReplayJudge, SimilarityJudge};
pub use options::{Budget, Limit, RunOptions};
pub use outcome::{Ended, JudgeOutcome, RunOutcome, Spent, StopReason, WaveOutcome};
pub use run::{NextWave, run, run_waves};
pub use workload::{Pair, Question, Workload, WorkloadError};

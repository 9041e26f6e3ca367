//! Sends questions to judges and records their answers.
//!
//! A [`Driver`] runs a [`Plan`]: it gets an answer from every [`Judge`] to every question of the plan, except those
//! that are in the ledger already. As in cargo-nextest, there are three parts. The *dispatcher* owns all state and
//! decides the next requests, the *executor* sends them concurrently, and a [`Reporter`] receives one stream of
//! [`Event`]s. They handle retries, budgets and resumption. [`Evidence::read`] plays a plan from a ledger without any
//! request.
//!
//! | subject | items |
//! |---|---|
//! | traits of judges | [`JudgeIdentity`], [`PromptJudge`], [`Judge`]; [`Case`], [`PromptRequest`], [`Answer`] |
//! | batches | [`BatchChannel`], [`Arrivals`], [`BatchQuestion`], [`BatchRequest`], [`BatchReply`] |
//! | identifiers of their requests | [`batch_key`], [`key_of_id`] |
//! | built-in judges | [`ModelJudge`] with a [`Prompted`]; [`WordJudge`], [`ReplayJudge`], [`RecordedJudge`] |
//! | human judges | [`AnnotatorJudge`] |
//! | judges of the user's own | [`OwnJudge`] by a [`ProcessChannel`] or an [`EndpointChannel`] |
//! | questions | [`Workload`], [`Pair`], [`DocumentSet`] |
//! | plans | [`Plan`], [`WaveAnswers`], [`Exhaustive`] |
//! | running | [`Driver`], [`RunOptions`], [`Budget`], [`UnusableLimits`], [`Cancel`] |
//! | reading a ledger | [`Evidence`], [`JudgeEvidence`], [`ReadOptions`] |
//! | results of a run | [`RunOutcome`], [`JudgeOutcome`], [`StopReason`], [`JudgeStop`] |
//!
//! ```
//! use std::sync::Arc;
//! use llull_core::{Hash, Paradigm, Qrels, Scale, Topic};
//! use llull_runner::{
//!     Cancel, DocumentIndex, Driver, Exhaustive, Judge, Pair, PooledDocument, ReplayJudge, RunOptions, Silent,
//!     TopicIndex, Workload,
//! };
//! use llull_store::MemoryLedger;
//!
//! let topics = vec![Topic { id: "q1".into(), text: "how do bloom filters work".into() }];
//! let documents = ["d1", "d2"].map(|id| PooledDocument::IdOnly(id.into())).to_vec();
//! let pair = |document| Pair { topic: TopicIndex(0), document: DocumentIndex(document) };
//! let workload = Arc::new(Workload::new(topics, documents, vec![pair(0), pair(1)])?);
//!
//! let mut labels = Qrels::default();
//! labels.insert("q1", "d1", 3);
//! let (file, hash) = ("old.qrels", Hash::of(b"q1 0 d1 3"));
//! let replay = ReplayJudge::new("old labels", Arc::new(labels), file, hash, Scale::default(), Paradigm::Graded);
//! let judges: Vec<Arc<dyn Judge>> = vec![Arc::new(replay)];
//!
//! let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
//! let (options, cancel) = (RunOptions::default(), Cancel::new());
//! let driver = Driver { runtime: runtime.handle(), options: &options, reporter: &Silent, cancel: &cancel };
//! let mut ledger = MemoryLedger::default();
//! let outcome = driver.run(&mut Exhaustive::new(workload), &judges, &mut ledger)?;
//! assert_eq!((outcome.judges[0].judged, outcome.judges[0].unusable), (1, 1), "d2 is not in the file");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Answer`]: llull_core::Answer

mod account_limits;
mod accounts;
mod batch_channel;
mod budget;
mod cancel;
mod case;
mod clock;
mod dispatcher;
mod document;
mod driver;
mod error;
mod event;
mod evidence;
mod executor;
mod index;
mod judge;
mod judge_evidence;
mod judge_queue;
mod judge_stop;
mod judges;
mod options;
mod outcome;
mod plan;
mod process_seed;
mod rate_limits;
mod reread;
mod reread_logs;
mod unusable_watch;
mod virtual_server;
mod wave;
mod workload;

pub use account_limits::{AccountLimits, AccountUse};
pub use batch_channel::{Arrivals, BatchChannel, BatchReply, BatchRequest, batch_key, key_of_id};
pub use budget::{Budget, Limit, Spent};
pub use cancel::Cancel;
pub use case::Case;
pub use document::PooledDocument;
pub use driver::Driver;
pub use error::{EvidenceError, RunError};
pub use event::{Event, Reporter, Silent};
pub use evidence::Evidence;
pub use index::{DocumentIndex, JudgeIndex, TopicIndex};
pub use judge::{BatchQuestion, Judge, JudgeIdentity, PromptJudge, PromptRequest};
pub use judge_evidence::{JudgeEvidence, StatusCounts};
pub use judge_stop::{JudgeStop, UnusableReplies};
pub use judges::{
    AnnotatorJudge, BatchClock, EndpointChannel, ExpectedAnswers, ModelJudge, NamedStudent, OwnChannel,
    OwnIdentity, OwnJudge, OwnSettings, ProcessChannel, Prompted, PromptedSettings, ProviderBatches,
    RecordedJudge, RegisteredJudge, ReplayJudge, ScoreForm, ScorePrice, ScoreReply, ScoreSize, Scores,
    SimilarityJudge, StudentJudge, SystemClock, WordGrader, WordJudge,
};
pub use options::{ReadOptions, RunOptions, UnusableLimits};
pub use outcome::{JudgeFailure, JudgeOutcome, RunOutcome, StopReason};
pub use plan::{Exhaustive, Plan, WaveAnswers};
pub use process_seed::process_seed;
pub use reread::{RereadCounts, Rereader};
pub use workload::{DocumentSet, Pair, Question, Workload, WorkloadError};

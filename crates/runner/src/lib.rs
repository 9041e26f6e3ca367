//! From tasks to durable judgments: dispatch, retries, budget, resumption.
//!
//! [`run`] takes a [`Workload`] (topics, documents, pairs), some [`Judge`]s and a ledger, and gets an answer from each judge
//! to each pair, as far as the ledger does not have it. Three parts, as in cargo-nextest: the *dispatcher* owns all
//! state and lets one thing happen after the other, the *executor* asks and knows no rules, and a [`Reporter`] is told
//! everything as one stream of [`Event`]s.
//!
//! | what | where |
//! |---|---|
//! | the seam for whoever can be asked | [`Judge`], [`Case`], [`Answer`] |
//! | what is to be judged | [`Workload`], [`Pair`] |
//! | how | [`RunOptions`], [`Budget`], [`Cancel`] |
//! | what came of it | [`RunOutcome`], [`JudgeOutcome`], [`Ended`], [`StopReason`] |

mod cancel;
mod clock;
mod dispatcher;
mod error;
mod event;
mod executor;
mod judge;
mod lane;
mod options;
mod outcome;
mod plan;
mod run;
mod workload;

pub use cancel::Cancel;
pub use error::RunError;
pub use event::{Event, Reporter, Silent, Transcript};
pub use judge::{Answer, Case, Judge};
pub use options::{Budget, Limit, RunOptions};
pub use outcome::{Ended, JudgeOutcome, RunOutcome, Spent, StopReason};
pub use run::run;
pub use workload::{Pair, PooledDocument, Workload, WorkloadError};

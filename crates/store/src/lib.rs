//! The ledger: an append-only store of every attempt at a judgment.
//!
//! Everything random or paid happens before an attempt is recorded. Everything after that is a pure function of the
//! recorded attempts. An attempt is durable before it counts; labels are never stored, always derived.
//!
//! | subject | items |
//! |---|---|
//! | traits of a ledger | [`LedgerReader`], [`LedgerWriter`] |
//! | ledger in a SQLite file in WAL mode | [`SqliteLedger`] |
//! | ledger in a PostgreSQL database (feature `postgres`): `PostgresLedger`; several runs at once | [`Leases`] |
//! | ledger in memory, for tests | [`MemoryLedger`] |
//! | one judge's answers, by task | [`JudgeLog`] |
//! | sums over attempts | [`Totals`] |
//! | exchange as JSON lines, copies | [`export`], [`import`], [`copy`] |
//! | what is damaged, and the rest | [`LedgerCheck`], [`Undamaged`] |
//! | attempts that were recorded and are gone | [`LedgerLoss`] |
//! | lock against two runs at once | [`LedgerLock`] |
//!
//! ```
//! use llull_core::{Attempt, GradedVerdict, Hash, JudgeSpec, Outcome, Paradigm, Scale, Verdict};
//! use llull_store::{Detail, JudgeLog, LedgerWriter, MemoryLedger};
//!
//! let spec = JudgeSpec {
//!     paradigm: Paradigm::Graded,
//!     model: "similarity".into(),
//!     prompt: String::new(),
//!     prompt_hash: Hash::of(b"idf table"),
//!     rubric_hash: Hash::of(b"rubric"),
//!     scale: Scale::default(),
//!     sampling: None,
//!     options: Default::default(),
//! };
//! let mut ledger = MemoryLedger::default();
//! let judge = ledger.register("baseline", &spec)?;
//! let key = Hash::of(b"what was asked");
//! let verdict = Verdict::Graded(GradedVerdict { grade: 2, ..Default::default() });
//! let attempt = Attempt {
//!     topic: "q1".into(),
//!     document: "d7".into(),
//!     ..Attempt::new(key, Outcome::Judged { verdict })
//! };
//! ledger.append(&[(judge, attempt)])?;
//! let log = JudgeLog::read(&ledger, &[Some(judge)], Detail::Facts)?.remove(0);
//! let task = log.find(&key).unwrap();
//! assert_eq!(log.status(task).grade(), Some(2));
//! # Ok::<(), llull_store::StoreError>(())
//! ```

mod bad_row;
mod batches;
mod check;
mod checksum;
mod connect;
mod error;
mod export;
mod file_number;
mod import;
mod judge_log;
mod leases;
mod ledger_judge;
mod ledger_loss;
mod lock;
mod memory;
#[cfg(feature = "postgres")]
mod postgres;
mod reader;
mod recorded_count;
mod rows;
mod scan;
mod schema;
mod sqlite;
mod totals;
mod validity;
mod writer;

pub use bad_row::BadRow;
pub use batches::{BatchRecord, BatchState, BatchTable, MemoryBatches, SqliteBatches};
pub use check::{LedgerCheck, Undamaged};
pub use error::StoreError;
pub use export::export;
pub use import::{ImportSummary, copy, exported_judges, import};
pub use judge_log::{JudgeLog, TaskPlace};
pub use leases::{Leases, OthersAttempts};
pub use ledger_judge::{JudgeId, LedgerJudge};
pub use ledger_loss::LedgerLoss;
pub use lock::LedgerLock;
pub use memory::MemoryLedger;
#[cfg(feature = "postgres")]
pub use postgres::PostgresLedger;
pub use reader::{Detail, LedgerReader};
pub use sqlite::SqliteLedger;
pub use totals::{AttemptFacts, Latency, Sum, Tally, Totals};
pub use writer::LedgerWriter;

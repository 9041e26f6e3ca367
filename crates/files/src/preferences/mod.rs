//! Compares a judge's pairwise answers with a reference.
//!
//! The figures are the share of decisions, the share of right ones, and the cost in calls. Both orders of a pair show
//! how often the judge gives the same answer.
//!
//! ```
//! use llull_data::Columns;
//! use llull_files::preferences::{against, read_answers, read_reference};
//! use llull_stats::Mode;
//!
//! let folder = tempfile::tempdir()?;
//! let (truth, judge) = (folder.path().join("human.qrels"), folder.path().join("judge.csv"));
//! std::fs::write(&truth, "q1 0 d1 3\nq1 0 d2 1\nq1 0 d3 0\n")?;
//! std::fs::write(&judge, "query,left,right,winner\nq1,d1,d2,left\nq1,d2,d3,right\nq1,d1,d3,tie\n")?;
//!
//! let reference = read_reference(&truth, &Columns::default())?.value;
//! let judge = read_answers(&judge, &Columns::default())?.value.remove(0);
//! let figures = against(&reference, &judge, 0.95)?.agreement.modes[0];
//! assert_eq!((figures.mode, figures.n), (Mode::Shown, 3));
//! assert_eq!(figures.coverage.share, Some(2.0 / 3.0));
//! assert_eq!(figures.precision.share, Some(0.5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod against_reference;
mod answer_files;
mod reference;

pub use against_reference::{AgainstReference, ReferenceError, against};
pub use answer_files::{JudgeAnswers, PairAnswer, read_answers};
pub use reference::{PairReference, PairVotes, read_reference};

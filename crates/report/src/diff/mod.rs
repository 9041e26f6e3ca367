//! Compares two label sets, and their effect on systems.
//!
//! A [`LabelDiff`] lists the pairs ([`DifferingPairs`](crate::DifferingPairs)), and adds how far the two agree, every
//! system's figures under both and the verdicts that change. [`diff_text`] writes it for a terminal.
//!
//! ```
//! use llull_core::{Qrels, Seed};
//! use llull_report::agreement::NamedLabels;
//! use llull_report::diff::{DiffInputs, LabelDiff, diff_text};
//! use llull_stats::BootstrapOptions;
//!
//! let (mut old, mut new) = (Qrels::default(), Qrels::default());
//! for (document, before, after) in [("d1", 0, 3), ("d2", 1, 1), ("d3", 2, 1)] {
//!     old.insert("q1", document, before);
//!     new.insert("q1", document, after);
//! }
//! let inputs = DiffInputs::of_labels(NamedLabels::new("old", old), NamedLabels::new("new", new));
//! let diff = LabelDiff::new(inputs, &BootstrapOptions::new(Seed(42)))?;
//! assert_eq!((diff.pairs.both, diff.pairs.differ, diff.pairs.higher), (3, 2, 1));
//! assert_eq!(diff.pairs.listed[0].document, "d1");
//! assert!(diff_text(&diff).contains("2 of 3 labels change"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod report;
mod systems;
mod text;

pub use report::{DiffInputs, DiffSide, LabelDiff};
pub use systems::{DiffSystems, SystemUnderBoth, VerdictUnderBoth};
pub use text::diff_text;

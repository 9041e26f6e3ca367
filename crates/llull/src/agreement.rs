//! Whether labels can be trusted: how far they agree with somebody else's, and whether they lead to the same conclusions about
//! systems.
//!
//! [`against`] compares labels pair by pair, [`panels`] those of several raters at once, [`systems_under`] what systems measured under
//! two label sets look like.
//!
//! ```
//! use llull::agreement::{NamedLabels, SystemsOptions, against, systems_under};
//! use llull::core::{Qrels, Run, Seed};
//! use llull::metrics::{Measure, evaluate_all};
//! use llull::stats::AgreementOptions;
//!
//! let (mut people, mut judge) = (Qrels::default(), Qrels::default());
//! for (query, document, there, here) in [("q1", "d1", 2, 2), ("q1", "d2", 0, 1), ("q2", "d1", 0, 0), ("q2", "d3", 1, 2)] {
//!     people.insert(query, document, there);
//!     judge.insert(query, document, here);
//! }
//! let people = NamedLabels::new("people.qrels", people);
//! let judge = NamedLabels::new("judge.qrels", judge);
//! let agreement = against(&people, &judge, &AgreementOptions::default())?.value;
//! assert_eq!((agreement.n, agreement.figures.exact, agreement.figures.bias), (4, Some(0.5), Some(0.5)));
//!
//! let folder = tempfile::tempdir()?;
//! let mut runs: Vec<Run> = Vec::new();
//! for (name, first, second) in [("a", "d1", "d2"), ("b", "d2", "d1"), ("c", "d8", "d9")] {
//!     let path = folder.path().join(name);
//!     std::fs::write(&path, format!("q1 Q0 {first} 1 2 x\nq1 Q0 {second} 2 1 x\nq2 Q0 {first} 1 2 x\n"))?;
//!     runs.push(llull::plain::read_system(&path, name, None)?.value);
//! }
//! let measures: [Measure; 1] = ["nDCG@10".parse()?];
//! let truth = evaluate_all(&measures, &people.qrels, &runs);
//! let other = evaluate_all(&measures, &judge.qrels, &runs);
//! let systems = systems_under(&truth, &other, 0, &SystemsOptions::new(Seed(7)))?;
//! assert_eq!((systems.agreement.n, systems.agreement.figures.tau), (3, Some(1.0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aligned;
mod judges;
mod labels;
mod panels;
mod systems;

pub use judges::study_labels;
pub use labels::{NamedLabels, against, clamped};
pub use panels::{Panel, Panels, panels};
pub use systems::{
    Conclusions, PairFinding, PairUnderBoth, PowerSummary, PowerUnderBoth, SystemsOptions, SystemsUnderBoth,
    UnderBoth, UnjudgedDocuments, systems_under,
};

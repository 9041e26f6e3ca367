//! Measures agreement between labels, and between systems under them.
//!
//! An [`AgreementReport`] compares one or several label sets with a truth: pair by pair, as raters of a panel, and by
//! the systems under both. It is plain data that serialises; [`agreement_text`] writes it for a terminal. Its parts
//! are computed by functions that can be called separately: [`llull_stats::label_agreement`],
//! [`llull_stats::order_agreement`], [`panels`], [`systems_under`]. A [`PreferenceReport`] compares judges' pairwise
//! answers with a truth ([`preferences_text`]).
//!
//! ```
//! use llull_core::{Qrels, Ranking, Run, Seed};
//! use llull_report::agreement::{
//!     AgreementInputs, AgreementReport, AgreementReportOptions, ComparedLabels, NamedLabels, UnderBoth,
//!     agreement_text,
//! };
//! use llull_stats::BootstrapOptions;
//!
//! let (mut people, mut judge) = (Qrels::default(), Qrels::default());
//! let pairs = [("q1", "d1", 2, 2), ("q1", "d2", 0, 1), ("q2", "d1", 0, 0), ("q2", "d3", 1, 2)];
//! for (query, document, there, here) in pairs {
//!     people.insert(query, document, there);
//!     judge.insert(query, document, here);
//! }
//! let runs = [("a", "d1", "d2"), ("b", "d2", "d1"), ("c", "d8", "d9")].map(|(name, first, second)| {
//!     let mut run = Run::new(name);
//!     run.insert("q1", Ranking::from_ordered([(first, 2.0), (second, 1.0)]));
//!     run.insert("q2", Ranking::from_ordered([(first, 2.0)]));
//!     run
//! });
//! let measures = vec!["nDCG@10".parse()?];
//! let inputs = AgreementInputs {
//!     truth: NamedLabels::new("people.qrels", people),
//!     others: vec![NamedLabels::new("judge.qrels", judge)],
//!     raters: 1,
//!     runs: runs.into(),
//!     measures: UnderBoth { truth: measures.clone(), other: measures },
//! };
//! let report = AgreementReport::new(inputs, &AgreementReportOptions::new(BootstrapOptions::new(Seed(7))))?;
//!
//! let ComparedLabels::One(judge) = &report.compared else { panic!("there is one other") };
//! let figures = &judge.agreement.figures;
//! assert_eq!((judge.agreement.n, figures.exact, figures.bias), (4, Some(0.5), Some(0.5)));
//! assert_eq!(judge.by_measure[0].agreement.figures.tau, Some(1.0));
//! assert!(agreement_text(&report).starts_with("judge.qrels against people.qrels: 4 pairs of 2 queries in common"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod label_tables;
mod named_labels;
mod panels;
mod preferences;
mod relevance_cuts;
mod report;
mod strays;
mod system_tables;
mod systems;

pub use build::{AgreementInputs, AgreementReportOptions};
pub use named_labels::{NamedLabels, clamped};
pub use panels::{Panel, Panels, panels};
pub use preferences::{
    JudgePreferences, ModeFigures, PreferenceReport, PreferenceTruth, SwapFigures, preferences_text,
};
pub use relevance_cuts::{BinaryCuts, CutFigures, Side};
pub use report::{AgreementReport, AgreementReportError, ComparedLabels, OtherLabels, agreement_text};
pub use strays::{StrayLabels, main_range};
pub(crate) use systems::PairedScores;
pub use systems::{
    Conclusions, PairFinding, PairUnderBoth, PowerUnderBoth, SystemsOptions, SystemsUnderBoth, UnderBoth,
    UnjudgedDocuments, systems_under,
};

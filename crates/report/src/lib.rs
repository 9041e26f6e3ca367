//! The report of a study as data, and its Markdown and JSON.
//!
//! A [`Report`] is plain structs, the decision first. Its sections are computed here from what the other crates
//! know, each by a function that needs no study, so that `llull compare` and `llull measure` use the same ones:
//!
//! | section | from | by |
//! |---|---|---|
//! | [`Study`] | the judges | [`honesty`] |
//! | [`Decision`] | [`llull_metrics::Scores`] | [`compare`], [`gates`], [`Decision::new`] |
//! | [`SystemFigures`] | the same | [`figures`] |
//! | [`SignificanceTable`], for `llull compare` alone | the same | [`significance`]; written by [`significance_markdown`], [`latex`] |
//! | [`Reference`] | two [`llull_core::Qrels`] | [`agreement`], [`reference_systems`] |
//! | [`Coverage`] | [`llull_core::LabelSet`], every pair's outcome | [`Coverage::new`], [`CoverageTally`], [`spread`] |
//! | [`Tournaments`], [`TopicTournament`] | tiers, where judges compare | [`TournamentTotals::of`], [`mermaid`], [`dot`] |
//! | [`TopicDetail`] | all of it | [`TopicIndex`], [`topic_note`], [`sort_documents`] |
//!
//! [`write_json`] and [`markdown`] write it. Whatever a document, a judge or a file name says is text there and
//! cannot become markup ([`escape`]).
//!
//! ```
//! use llull_report::{escape, shorten};
//! assert_eq!(escape("a | b <i>\n[x](javascript:y)"), "a &#124; b &lt;i&gt; [x&#93;(javascript:y)");
//! assert_eq!(shorten("a very long   title", 10), "a very…");
//! ```

mod compare;
mod cost;
mod coverage;
mod decision;
mod diagram;
mod drawn;
mod error;
mod escape;
mod excerpt;
mod hardest;
mod json;
mod markdown;
mod numbers;
mod provenance;
mod reference;
mod report;
mod significance;
mod study;
mod systems;
mod topics;
mod tournament;

pub use compare::{check_comparable, compare, gates, is_comparable};
pub use cost::{Cost, Dollars, JudgeCost, Latency, Tokens};
pub use coverage::{
    Count, Coverage, CoverageTally, Disagreement, Fate, GradeCount, JudgeCoverage, Spread, SpreadCount,
    spread,
};
pub use decision::{Comparison, Decision, Finding, GateResult};
pub use diagram::{DiagramLimits, dot, mermaid};
pub use error::ReportError;
pub use escape::escape;
pub use excerpt::shorten;
pub use json::{from_json, schema, schema_json, to_json, write_json};
pub use markdown::{MarkdownLimits, markdown};
pub use numbers::{confidence, difference, four_decimals};
pub use provenance::{Fingerprint, Input, Provenance, Setting};
pub use reference::{
    Agreement, Confusion, Reference, ReferenceMean, ReferenceSystems, agreement, reference_systems,
};
pub use report::{Report, TOURNAMENT_VERSION, VERSION, version};
pub use significance::{
    Cell, Column, Effect, Effects, Equivalence, Family, Grid, Power, SignificanceOptions, SignificanceTable,
    SystemRow, Test, TestedComparison, TestedPair, Tests, Untested, comparison_grid, escape_latex, latex,
    letter, letters, out_of_reach, significance, significance_legend, significance_markdown, superscript,
    system_grid, tested_how,
};
pub use study::{Judge, JudgeKind, Rubric, Study, honesty};
pub use systems::{Figure, SystemFigures, figures, without_interval};
pub use topics::{
    DocumentDetail, JudgeAnswer, Streamed, TopicDetail, TopicIndex, TopicSource, TopicSystem, TopicValue,
    sort_documents, topic_note,
};
pub use tournament::{
    AnchorFigures, ComponentCount, TierDetail, TopicTournament, TournamentSetup, TournamentTotals,
    Tournaments,
};

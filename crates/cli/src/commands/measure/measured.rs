//! The figures of systems, and the options of output.

use std::collections::BTreeMap;

use llull::core::Topics;
use llull::files::Correction;
use llull::metrics::{Scores, TrecEvalMeasure};
use llull::report::{QuerySelection, SliceSection};
use llull::stats::BootstrapOptions;

/// The figures of systems, and how they are to be shown.
pub(super) struct Measured {
    pub(super) named: Vec<TrecEvalMeasure>,
    pub(super) scores: Vec<Scores>,
    pub(super) options: BootstrapOptions,
    /// The queries' texts, if a study has them.
    pub(super) topics: Option<Topics>,
    /// Each system's figures in the best order of its own results, in the order of the measures; empty if not asked
    /// for.
    pub(super) best_order: BTreeMap<String, Vec<Option<f64>>>,
    /// How many results of a query are in that order; `None` for all.
    pub(super) best_order_depth: Option<usize>,
    /// Which queries were chosen; `None` for all.
    pub(super) selection: Option<QuerySelection>,
    /// The systems on slices of the queries.
    pub(super) slices: Vec<SliceSection>,
    /// Each system's figures corrected by human labels, in the order of the measures, by the system's name; empty
    /// without such labels.
    pub(super) corrected: BTreeMap<String, Vec<Correction>>,
}

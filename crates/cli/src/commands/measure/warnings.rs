//! Warns of problems of runs, before their figures.

use llull::metrics::{Scores, TopicFigures};
use llull::report::{warning_of_unjudged, warning_of_unlabelled, without_relevant};

use crate::commands::Context;

/// Warns of queries without a relevant document. The runs are measured under the same labels.
pub(crate) fn warn_of_nothing_relevant(context: &Context, runs: &[Scores]) {
    context.printer.remarks(runs.first().map(without_relevant).into_iter().flatten());
}

/// Warns of means over lists of which half or more has no label: once, of the run with the largest share.
pub(super) fn warn_of_unjudged(context: &Context, runs: &[Scores]) {
    context.printer.remarks(warning_of_unjudged(runs));
}

/// Warns of queries without a label, which cannot be measured: once, whether of one run or of many.
pub(crate) fn warn_of_unlabelled<T: TopicFigures>(context: &Context, runs: &[Scores<T>]) {
    context.printer.remarks(warning_of_unlabelled(runs));
}

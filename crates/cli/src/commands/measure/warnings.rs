//! Warns of problems of runs, before their figures.

use llull::metrics::{Scores, TopicFigures};
use llull::report::text::{count, percent};
use llull::report::without_relevant;

use crate::commands::Context;

/// Warns of queries without a relevant document. The runs are measured under the same labels.
pub(crate) fn warn_of_nothing_relevant(context: &Context, runs: &[Scores]) {
    context.printer.remarks(runs.first().map(without_relevant).into_iter().flatten());
}

/// Warns of means over lists of which half or more has no label: once, of the run with the largest share.
pub(super) fn warn_of_unjudged(context: &Context, runs: &[Scores]) {
    let share = |scores: &Scores, at: usize| {
        let (seen, unjudged) = scores.unjudged(at);
        (unjudged > 0 && unjudged * 2 >= seen).then(|| unjudged as f64 / seen as f64)
    };
    let of_run = |scores: &Scores| {
        let merit = scores.measures.iter().enumerate().filter(|(_, measure)| measure.ranks_systems());
        let shares = merit.filter_map(|(at, measure)| Some((share(scores, at)?, *measure)));
        let (share, measure) = shares.max_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((share, measure, scores.run.clone()))
    };
    let found: Vec<_> = runs.iter().filter_map(of_run).collect();
    let Some((share, measure, run)) = found.iter().max_by(|a, b| a.0.total_cmp(&b.0)) else { return };
    let of = match found.len() {
        1 => run.clone(),
        runs => format!("{} runs (the most: {run})", count(runs)),
    };
    context.printer.remarks([format!(
        "{of}: {} of the documents that {measure} looks at have no label and count as not relevant, so the mean is of \
         little use. Label more of them, or leave them out (judged_only=True)",
        percent(*share),
    )]);
}

/// Warns of queries without a label, which cannot be measured: once, whether of one run or of many.
pub(crate) fn warn_of_unlabelled<T: TopicFigures>(context: &Context, runs: &[Scores<T>]) {
    let found: Vec<&Scores<T>> = runs.iter().filter(|scores| !scores.unlabelled.is_empty()).collect();
    let Some(Scores { run, unlabelled, .. }) = found.first() else { return };
    let first = unlabelled.first().map_or("", String::as_str);
    context.printer.remarks([match found.len() {
        1 => format!(
            "{run}: {} no label, so nothing can be measured there (the first: {first})",
            match unlabelled.len() {
                1 => "1 of its queries has".to_owned(),
                n => format!("{} of its queries have", count(n)),
            }
        ),
        runs => format!(
            "{} runs answer queries that have no label, so nothing can be measured there (the first: {run}, {} of \
             them, query {first})",
            count(runs),
            count(unlabelled.len())
        ),
    }]);
}

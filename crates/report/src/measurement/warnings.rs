//! Warnings about figures, which go before them.

use llull_metrics::{Scores, TopicFigures};

use crate::text::{count, percent};

/// Describes means over lists of which half or more has no label: the run with the largest share. `None` if there is no
/// such run.
pub fn warning_of_unjudged(runs: &[Scores]) -> Option<String> {
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
    let (share, measure, run) = found.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let of = match found.len() {
        1 => run.clone(),
        runs => format!("{} runs (the most: {run})", count(runs)),
    };
    Some(format!(
        "{of}: {} of the documents that {measure} looks at have no label and count as not relevant, so the mean is of \
         little use. Label more of them, or leave them out (judged_only=True)",
        percent(*share),
    ))
}

/// Describes queries without a label, which cannot be measured; `None` if there are none.
pub fn warning_of_unlabelled<T: TopicFigures>(runs: &[Scores<T>]) -> Option<String> {
    let found: Vec<&Scores<T>> = runs.iter().filter(|scores| !scores.unlabelled.is_empty()).collect();
    let Scores { run, unlabelled, .. } = found.first()?;
    let first = unlabelled.first().map_or("", String::as_str);
    Some(match found.len() {
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
    })
}

//! Checks for one grade on nearly all documents.

use std::collections::BTreeMap;

use crate::clustered_share::ClusteredShare;
use crate::finding::Finding;
use crate::{AskedAs, AuditOptions, AuditedJudge, CheckKind, GradedAnswer};

/// The largest share among the published judges of LLMJudge (2024) and of TREC DL 2019 that are not binary.
const DECENT: f64 = 0.76;

/// Beyond this share the other grades are slips.
const SEVERE: f64 = 0.95;

/// Returns the share of a judge's grades that are its most frequent one.
pub(crate) fn one_grade(judge: &AuditedJudge, options: &AuditOptions) -> Option<Finding> {
    let votes: Vec<&GradedAnswer> =
        judge.graded.iter().filter(|answer| answer.asked_as == AskedAs::Vote).collect();
    let mode = modal_grade(&votes)?;
    let mut queries: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for answer in &votes {
        let (same, all) = queries.entry(answer.query).or_default();
        *same += usize::from(answer.grade == mode);
        *all += 1;
    }
    let share = ClusteredShare::new(queries.into_values())?;
    let figures = format!("{:.0}% of {} grades are {mode}", 100.0 * share.share, share.n);
    Some(Finding {
        n: share.n,
        value: Some(share.share),
        interval: share.interval(options.confidence),
        p: Some(share.p_above(DECENT)),
        severe: share.share > SEVERE,
        conclusion: format!(
            "The judge nearly always gives the same grade: {figures} (good judges stay below {:.0}%).",
            100.0 * DECENT
        ),
        remedy: "Read some of its rationales and describe the differences between grades in the rubric, or use \
                 another judge.",
        ..Finding::of_figures(CheckKind::OneGrade, format!("{figures}."))
    })
}

/// Returns the most frequent grade; the lowest of several.
fn modal_grade(votes: &[&GradedAnswer]) -> Option<f64> {
    let mut grades: Vec<f64> = votes.iter().map(|answer| answer.grade).collect();
    grades.sort_by(f64::total_cmp);
    let mut best: Option<&[f64]> = None;
    for run in grades.chunk_by(|a, b| a == b) {
        if best.is_none_or(|best| run.len() > best.len()) {
            best = Some(run);
        }
    }
    best.and_then(|run| run.first().copied())
}

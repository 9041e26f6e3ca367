//! Checks whether the length of rationales follows the answer.

use crate::checks::length_words_ranks::correlation;
use crate::finding::Finding;
use crate::{AskedAs, AuditOptions, AuditedJudge, CheckKind};

/// Longer rationales for relevant documents are common; beyond this, the length alone almost reveals the grade.
const DECENT: f64 = 0.6;

/// Returns how the length of rationales correlates with the grade, or with choosing the first place, within queries.
///
/// No published set of judgments here has rationales, so the check gives a warning at most.
pub(crate) fn verbosity(judge: &AuditedJudge, options: &AuditOptions) -> Option<Finding> {
    let graded = judge.graded.iter().filter(|answer| answer.asked_as == AskedAs::Vote);
    let mut units: Vec<((usize, u64), f64, f64)> = graded
        .filter_map(|answer| Some(((answer.query, 0), answer.rationale? as f64, answer.grade)))
        .collect();
    let mut with = "the grade";
    if units.is_empty() {
        let compared = judge.compared.iter().filter(|answer| answer.asked_as == AskedAs::Vote);
        let first = |place: usize| f64::from(u8::from(place == 0));
        units = compared
            .filter_map(|answer| {
                Some(((answer.query, 0), answer.rationale? as f64, first(answer.chosen_place()?)))
            })
            .collect();
        with = "choosing the document shown first";
    }
    let mut lengths: Vec<f64> = units.iter().map(|unit| unit.1).collect();
    lengths.sort_by(f64::total_cmp);
    let median = lengths.get(lengths.len().checked_sub(1)? / 2)?;
    let written = format!("The median of {} rationales has {median:.0} characters.", lengths.len());
    let Some((r, n)) = correlation(units) else {
        let why = format!("{written} Their length or {with} never varies within a query.");
        return Some(Finding { n: lengths.len(), ..Finding::of_figures(CheckKind::Verbosity, why) });
    };
    Some(Finding {
        n,
        value: Some(r.value),
        interval: r.interval(options.confidence, (-1.0, 1.0)),
        chance: Some(0.0),
        p: Some(r.p_beyond(0.0, DECENT)),
        conclusion: format!(
            "The length of its rationales nearly reveals the answer (correlation with {with} {:.2} on {n} rationales; \
             good judges stay between -{DECENT:.2} and {DECENT:.2}).",
            r.value
        ),
        remedy: "Read some short and some long rationales.",
        ..Finding::of_figures(
            CheckKind::Verbosity,
            format!("{written} Correlation of their length with {with}: {:.2} within queries.", r.value),
        )
    })
}

//! The three cards below the headline: all comparisons, how sure, and whether the judge can be trusted.

use serde::Serialize;

use super::headline::ranked;
use crate::checks::outcome_counts;
use crate::comparison::ComparisonFinding;
use crate::study_verdict::DecisionSection;
use crate::text::{brief_figure, brief_interval, brief_percent, confidence, count, counted, shorten};
use crate::view::{JudgeChecks, ReportView, decisive_figures};

/// The most characters of a system's name.
const NAME: usize = 30;

/// A question, its answer in a few words, and details.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Card {
    /// The card's colour: `ok`, `warn`, `bad`, or none.
    class: &'static str,
    question: String,
    answer: String,
    details: Vec<String>,
}

/// Returns the cards of a report.
pub(super) fn cards(view: &ReportView<'_>) -> Vec<Card> {
    let compared = (view.decision.decisive().count() > 0).then(|| comparisons(view.decision));
    compared.into_iter().chain([how_sure(view), judge(view)]).collect()
}

fn comparisons(decision: &DecisionSection) -> Card {
    let all = decision.decisive().count();
    let of = |wanted: &[ComparisonFinding]| {
        decision.decisive().filter(|found| wanted.contains(&found.decision)).count()
    };
    let better = of(&[ComparisonFinding::Better]);
    let worse = of(&[ComparisonFinding::Worse]);
    let unclear = of(&[ComparisonFinding::Inconclusive, ComparisonFinding::Identical]);
    let open = all - better - worse - unclear;
    let counts = [(better, "better"), (worse, "worse"), (unclear, "unclear"), (open, "without verdict")];
    let counts = counts.into_iter().filter(|(number, _)| *number > 0);
    let answer =
        counts.map(|(number, verdict)| format!("{} {verdict}", count(number))).collect::<Vec<_>>().join(", ");
    let baseline = shorten(decision.baseline.as_deref().unwrap_or("the baseline"), NAME);
    let question = format!("{} against {baseline}", counted(all, "system"));
    Card { class: "", question, answer, details: Vec::new() }
}

fn how_sure(view: &ReportView<'_>) -> Card {
    let coverage = view.coverage;
    let figure = view.deciding_figure();
    let queries = figure.map_or(coverage.topics, |figure| figure.n);
    let labelled = (coverage.pairs > 0).then(|| coverage.labelled as f64 / coverage.pairs as f64);
    let basis = format!("{}, {} labelled", counted(queries, "query"), brief_percent(labelled));
    // The best system's interval, or that of the only one.
    let interval = match ranked(view.decision).first() {
        Some(best) if best.decision == ComparisonFinding::Identical => {
            Some(("The same on every query".to_owned(), basis.clone()))
        }
        Some(best) => match decisive_figures(best) {
            (_, Some(low), Some(high)) => {
                let sure = if best.decision == ComparisonFinding::Inconclusive { "Not sure" } else { "Sure" };
                let of = format!("{} against {}", shorten(&best.system, NAME), shorten(&best.baseline, NAME));
                Some((
                    format!("{sure}: {}", brief_interval(low, high)),
                    format!("{} interval, {of}; {basis}", confidence(best.confidence)),
                ))
            }
            _ => None,
        },
        None if view.decision.decisive().count() == 0 => figure.and_then(|figure| {
            let (low, high) = figure.low.zip(figure.high)?;
            let of = &view.decision.primary;
            Some((
                format!("{} to {}", brief_figure(low), brief_figure(high)),
                format!("{} interval of {of}; {basis}", confidence(figure.confidence)),
            ))
        }),
        None => None,
    };
    let (answer, details) = match interval {
        Some((ends, of)) => (ends, vec![of]),
        None => (basis, Vec::new()),
    };
    Card { class: "", question: "How sure".to_owned(), answer, details }
}

fn judge(view: &ReportView<'_>) -> Card {
    let sum = |of: fn(&JudgeChecks) -> usize| view.judges.iter().map(of).sum::<usize>();
    let (failed, warnings) = (sum(|judge| judge.failed.len()), sum(|judge| judge.warnings.len()));
    let passed = sum(|judge| judge.passed);
    let counts = outcome_counts(failed, warnings, passed);
    let (class, answer) = match (failed, warnings, passed) {
        (0, 0, 0) if view.not_raised() > 0 => ("", "Too few answers"),
        (0, 0, 0) => ("", "Not checked"),
        (0, 0, _) => ("ok", counts.as_str()),
        (0, ..) => ("warn", "With care"),
        _ => ("bad", "No"),
    };
    let mut details = Vec::new();
    if failed + warnings > 0 {
        details.push(format!("{counts}."));
    }
    details.extend(view.reference.and_then(|reference| reference.in_brief("")));
    details.extend(view.correction());
    let answer = answer.to_owned();
    Card { class, question: "Can the judge be trusted?".to_owned(), answer, details }
}

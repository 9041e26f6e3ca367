//! The three cards below the headline: all comparisons, how sure, and whether the judge can be trusted.

use serde::Serialize;

use super::headline::ranked;
use crate::checks::outcome_counts;
use crate::comparison::ComparisonFinding;
use crate::decision::DecisionSection;
use crate::reference::ReferenceSection;
use crate::text::{brief_interval, brief_percent, confidence, count, counted, narrow_interval};
use crate::view::{JudgeChecks, ReportView, decisive_figures};

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
    let verdicts = format!(
        "{} better, {} worse, {} without clear difference",
        count(better),
        count(worse),
        count(unclear)
    );
    let answer = match open {
        0 => verdicts,
        open if open == all => format!("{} without verdict", count(open)),
        open => format!("{verdicts}, {} without verdict", count(open)),
    };
    Card { class: "", question: counted(all, "comparison"), answer, details: Vec::new() }
}

fn how_sure(view: &ReportView<'_>) -> Card {
    let coverage = view.coverage;
    let figure = view.deciding_figure();
    let queries = figure.map_or(coverage.topics, |figure| figure.n);
    let labelled = (coverage.pairs > 0).then(|| coverage.labelled as f64 / coverage.pairs as f64);
    let best = ranked(view.decision).first().copied();
    let interval = match best {
        Some(best) => match decisive_figures(best) {
            (_, Some(low), Some(high)) => Some((brief_interval(low, high), best.confidence)),
            _ => None,
        },
        None if view.decision.decisive().count() == 0 => figure.and_then(|figure| {
            let ends = figure.low.zip(figure.high)?;
            Some((narrow_interval(ends.0, ends.1), figure.confidence))
        }),
        None => None,
    };
    let interval = interval.map(|(ends, level)| format!("{} interval: {ends}", confidence(level)));
    Card {
        class: "",
        question: "How sure".to_owned(),
        answer: format!("{}, {} labelled", counted(queries, "query"), brief_percent(labelled)),
        details: interval.into_iter().collect(),
    }
}

fn judge(view: &ReportView<'_>) -> Card {
    let sum = |of: fn(&JudgeChecks) -> usize| view.judges.iter().map(of).sum::<usize>();
    let (failed, warnings) = (sum(|judge| judge.failed.len()), sum(|judge| judge.warnings.len()));
    let passed = sum(|judge| judge.passed);
    let (class, answer) = match (failed, warnings, passed) {
        (0, 0, 0) => ("", "Not checked"),
        (0, 0, _) => ("ok", "No check failed"),
        (0, ..) => ("warn", "With care"),
        _ => ("bad", "No"),
    };
    let mut details = Vec::new();
    if failed + warnings + passed > 0 {
        details.push(format!("{}.", outcome_counts(failed, warnings, passed)));
    }
    details.extend(view.reference.and_then(ReferenceSection::in_brief));
    details.extend(view.correction());
    Card { class, question: "Can the judge be trusted?".to_owned(), answer: answer.to_owned(), details }
}

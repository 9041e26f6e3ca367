//! The first screen of the page: the decision, three cards, the table's rows.

use std::collections::BTreeMap;

use serde::Serialize;

use super::anchors::why_anchor;
use crate::charts::{RowLook, RowScale};
use crate::checks::outcome_counts;
use crate::comparison::{BaselineComparison, ComparisonFinding};
use crate::panel::finding_changes;
use crate::study_verdict::{DecisionSection, StudyVerdict};
use crate::text::{brief_figure, brief_interval, brief_percent, confidence, count, counted, shorten};
use crate::view::{CheckRow, DecisionRow, JudgeChecks, ReportView, best_first, decisive_figures, explained};

/// The most characters of a system's name.
const NAME: usize = 60;

/// The decision in a sentence or two, the best system first.
pub fn headline(decision: &DecisionSection) -> String {
    match &decision.verdict {
        StudyVerdict::Compared => compared(decision),
        StudyVerdict::UnreliableJudge { .. } => "No verdict: the judge failed a check.".to_owned(),
        StudyVerdict::Incomplete { .. } => {
            "No verdict yet: labels are missing that could change the result.".to_owned()
        }
        StudyVerdict::OneSystem { .. } => "There is one system, and nothing to compare it with.".to_owned(),
        StudyVerdict::NoPairs | StudyVerdict::NoLabels { .. } => {
            "No verdict: nothing is labelled.".to_owned()
        }
        StudyVerdict::OneGrade { .. } => "No verdict: all labels have one grade.".to_owned(),
        StudyVerdict::NoSystem | StudyVerdict::NotCompared => {
            "No verdict: no two systems are compared.".to_owned()
        }
    }
}

/// The comparisons with a verdict, the best system first.
pub(super) fn ranked(decision: &DecisionSection) -> Vec<&BaselineComparison> {
    let has_verdict = |found: &&BaselineComparison| match found.decision {
        ComparisonFinding::Better
        | ComparisonFinding::Worse
        | ComparisonFinding::Inconclusive
        | ComparisonFinding::Identical => true,
        ComparisonFinding::Unmeasured
        | ComparisonFinding::NotTrusted
        | ComparisonFinding::Incomplete { .. } => false,
    };
    best_first(decision.decisive().filter(has_verdict).collect(), |found| decisive_figures(found).0)
}

fn compared(decision: &DecisionSection) -> String {
    let baseline = shorten(decision.baseline.as_deref().unwrap_or("the baseline"), NAME);
    let ranked = ranked(decision);
    let open = decision.decisive().count() - ranked.len();
    let Some(best) = ranked.first() else {
        return "No verdict: no comparison has one.".to_owned();
    };
    let name = |found: &BaselineComparison| shorten(&found.system, NAME);
    let system = name(best);
    let several = ranked.len() > 1 && open == 0;
    let above = decisive_figures(best).0.is_some_and(|value| value > 0.0);
    let better = ranked.iter().find(|found| found.decision == ComparisonFinding::Better);
    let sentence = match (best.decision, better) {
        (ComparisonFinding::Better, _) if several => {
            format!("{system} scores highest and is better than {baseline}.")
        }
        (ComparisonFinding::Better, _) => format!("{system} is better than {baseline}."),
        (ComparisonFinding::Worse, _) if several => {
            let all = ranked.iter().all(|found| found.decision == ComparisonFinding::Worse);
            let others = if all { "all others" } else { &system };
            format!("{baseline} scores highest and is better than {others}.")
        }
        (ComparisonFinding::Worse, _) => format!("{baseline} is better than {system}."),
        (ComparisonFinding::Identical, _) => format!("{system} and {baseline} have the same results."),
        (_, Some(better)) => {
            format!("{} is better than {baseline}; {system} scores higher, but not clearly.", name(better))
        }
        (_, None) if several && above => {
            format!("No clear difference: {system} scores highest, but not clearly above {baseline}.")
        }
        (_, None) if several => {
            format!("{baseline} scores highest, but not clearly above {system}.")
        }
        (_, None) => format!("No clear difference between {system} and {baseline}."),
    };
    match open {
        0 => sentence,
        1 => format!("{sentence} 1 system has no verdict."),
        open => format!("{sentence} {} have no verdict.", counted(open, "system")),
    }
}

/// The most characters of a system's name.
const CARD_NAME: usize = 30;

/// A question, its answer in a few words, and details.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Card {
    /// The card's colour: `ok`, `warn`, `bad`, or none.
    class: &'static str,
    question: String,
    answer: String,
    details: Vec<String>,
    /// The text of a link to the judges' checks.
    why: Option<String>,
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
    let baseline = shorten(decision.baseline.as_deref().unwrap_or("the baseline"), CARD_NAME);
    let question = format!("{} against {baseline}", counted(all, "system"));
    Card { class: "", question, answer, details: Vec::new(), why: None }
}

fn how_sure(view: &ReportView<'_>) -> Card {
    let coverage = view.coverage;
    let figure = view.deciding_figure();
    let queries = figure.map_or(coverage.topics, |figure| figure.n);
    let labelled = (coverage.pairs > 0).then(|| coverage.labelled as f64 / coverage.pairs as f64);
    let basis = format!("{}, {} labelled", counted(queries, "query"), brief_percent(labelled));
    // The best system's interval, or that of the only one.
    let ranked = ranked(view.decision);
    let best = ranked.first();
    let interval = match best {
        Some(best) if best.decision == ComparisonFinding::Identical => {
            Some(("No: the same on every query".to_owned(), basis.clone()))
        }
        Some(best) => match decisive_figures(best) {
            (_, Some(low), Some(high)) => {
                let answer = match best.decision {
                    ComparisonFinding::Better => "Better",
                    ComparisonFinding::Worse => "Worse",
                    ComparisonFinding::Inconclusive => "Not sure",
                    ComparisonFinding::NotTrusted => "No verdict",
                    ComparisonFinding::Incomplete { .. } => "Labels missing",
                    ComparisonFinding::Identical | ComparisonFinding::Unmeasured => "Not compared",
                };
                let (of, interval) = (&view.decision.primary, brief_interval(low, high));
                Some((answer.to_owned(), format!("{of} difference: {interval} ({basis})")))
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
    let question = match best {
        Some(BaselineComparison { system, baseline, .. }) => {
            format!("Does {} differ from {}?", shorten(system, CARD_NAME), shorten(baseline, CARD_NAME))
        }
        None => "How sure".to_owned(),
    };
    Card { class: "", question, answer, details, why: None }
}

fn judge(view: &ReportView<'_>) -> Card {
    let sum = |of: fn(&JudgeChecks) -> usize| view.judges.iter().map(of).sum::<usize>();
    let (failed, warnings) = (sum(|judge| judge.failed.len()), sum(|judge| judge.warnings.len()));
    let passed = sum(|judge| judge.passed);
    let counts = outcome_counts(failed, warnings, passed);
    let who = match view.judges.as_slice() {
        [judge] => shorten(&judge.judge, CARD_NAME),
        _ => "all judges".to_owned(),
    };
    let (class, answer) = match (failed, warnings, passed) {
        (0, 0, 0) if view.not_raised() > 0 => ("", "Too few answers".to_owned()),
        (0, 0, 0) => ("", "Not checked".to_owned()),
        (0, 0, _) => ("ok", format!("Yes: {who} passed {}", counted(passed, "check"))),
        (0, ..) => ("warn", "With care".to_owned()),
        _ => ("bad", "No".to_owned()),
    };
    let mut details = Vec::new();
    if failed + warnings > 0 {
        details.push(format!("{who}: {counts}."));
    }
    details.extend(view.reference.and_then(|reference| reference.in_brief(false)));
    details.extend(view.correction());
    Card { class, question: "Can the judge be trusted?".to_owned(), answer, details, why: raised(view) }
}

/// How many checks a card names.
const NAMED_CHECKS: usize = 2;

/// The failed checks by their titles, or without any the warnings; `None` if all passed.
fn raised(view: &ReportView<'_>) -> Option<String> {
    let fails = view.judges.iter().any(|judge| !judge.failed.is_empty());
    let one_judge = view.judges.len() == 1;
    let title = |judge: &JudgeChecks, check: &CheckRow| match one_judge {
        true => check.title.to_owned(),
        false => format!("{} ({})", check.title, shorten(&judge.judge, CARD_NAME)),
    };
    let of_judge = |judge: &JudgeChecks| -> Vec<String> {
        let checks = if fails { &judge.failed } else { &judge.warnings };
        checks.iter().map(|check| title(judge, check)).collect()
    };
    let titles: Vec<String> = view.judges.iter().flat_map(of_judge).collect();
    let (named, more) = titles.split_at(titles.len().min(NAMED_CHECKS));
    let word = if fails { "Failed" } else { "Warning" };
    match (named.len(), more.len()) {
        (0, _) => None,
        (_, 0) => Some(format!("{word}: {}", named.join(", "))),
        (_, more) => Some(format!("{word}: {} and {more} more", named.join(", "))),
    }
}

/// The table.
#[derive(Serialize)]
pub(super) struct DecisionTable<'a> {
    /// The numbers of the scale; none if nothing is compared.
    axis: Option<String>,
    rows: Vec<PageRow<'a>>,
    /// How many systems are left out.
    left_out: usize,
    /// Whether a document that the measure read has no label.
    unjudged: bool,
}

#[derive(Serialize)]
struct PageRow<'a> {
    #[serde(flatten)]
    row: &'a DecisionRow<'a>,
    /// The sign of the verdict.
    sign: &'static str,
    drawing: String,
    /// The anchor of the explanation; none without one.
    why: Option<String>,
    /// The queries on which the system is better, equal and worse; none if human labels correct the difference, since
    /// these are by the judge's labels.
    outcomes: Option<[usize; 3]>,
    /// The judges without whose labels the verdict is another.
    fragile: Vec<&'a str>,
    /// The share of documents without a label among those that the measure read.
    unjudged_share: String,
}

/// Returns the table of a report, whose explanations have the anchors of [`why_anchor`].
pub(super) fn decision_table<'a>(view: &'a ReportView<'a>) -> DecisionTable<'a> {
    let most = view.limits.rows;
    let shown = || view.table.iter().take(most);
    let compared = shown().filter_map(|row| row.comparison).map(decisive_figures);
    let scale = RowScale::of(compared);
    let fragile = fragile(view);
    let anchors: BTreeMap<&str, String> = explained(view.decision, &view.limits)
        .into_iter()
        .map(|(at, found)| (found.system.as_str(), why_anchor(&found.system, at)))
        .collect();
    let page_row = |row: &'a DecisionRow<'a>| {
        let difference = row.difference_text();
        let title = difference
            .map_or_else(|| row.verdict.to_owned(), |difference| format!("{difference}: {}", row.verdict));
        let figures = row.comparison.map_or((None, None, None), decisive_figures);
        let (seen, unjudged) = (row.unjudged.1, row.unjudged.0);
        let by_judge = row.comparison.filter(|found| found.ppi.is_none());
        PageRow {
            sign: sign(row.class),
            drawing: scale.row(&title, figures, look(row.class)),
            why: anchors.get(row.system).cloned(),
            outcomes: by_judge.map(|found| [found.wins, found.ties, found.losses]),
            fragile: fragile.get(row.system).cloned().unwrap_or_default(),
            unjudged_share: brief_percent((seen > 0).then(|| unjudged as f64 / seen as f64)),
            row,
        }
    };
    DecisionTable {
        axis: shown().any(|row| row.difference.is_some()).then(|| scale.axis()),
        rows: shown().map(page_row).collect(),
        left_out: view.table.len().saturating_sub(most),
        unjudged: shown().any(|row| row.unjudged.0 > 0),
    }
}

/// The judges by system without whose labels the system's verdict is another.
fn fragile<'a>(view: &'a ReportView<'a>) -> BTreeMap<&'a str, Vec<&'a str>> {
    // A correction by human labels is not repeated without a judge, so its verdict cannot be compared.
    let is_compared = |found: &&BaselineComparison| {
        found.ppi.is_none()
            && matches!(
                found.decision,
                ComparisonFinding::Better | ComparisonFinding::Worse | ComparisonFinding::Inconclusive
            )
    };
    let verdicts: Vec<&BaselineComparison> = view.decision.decisive().filter(is_compared).collect();
    let mut fragile: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for without in view.panel.into_iter().flat_map(|panel| &panel.without) {
        for (found, _) in finding_changes(&without.comparisons, &verdicts) {
            fragile.entry(&found.system).or_default().push(&without.without);
        }
    }
    fragile
}

/// The sign of a verdict's class, which tells verdicts apart without colour.
pub(super) fn sign(class: &str) -> &'static str {
    match class {
        "better" => "▲",
        "worse" => "▼",
        "unclear" => "○",
        "none" => "▨",
        _ => "",
    }
}

fn look(class: &str) -> RowLook {
    match class {
        "better" | "worse" => RowLook::Decided,
        "unclear" => RowLook::Unclear,
        _ => RowLook::Open,
    }
}

#[cfg(test)]
mod tests {
    use llull_core::{Qrels, Ranking, Run, Seed};
    use llull_metrics::evaluate_all;
    use llull_stats::BootstrapOptions;

    use super::*;
    use crate::compare;

    type Found<'a> = (&'a str, f64, ComparisonFinding);

    /// A decision between a baseline and systems with these mean differences and findings.
    fn decided(systems: &[Found<'_>]) -> DecisionSection {
        let mut qrels = Qrels::default();
        let mut runs = [Run::new("base"), Run::new("other")];
        for topic in ["q1", "q2"] {
            qrels.insert(topic, "d", 1);
            for run in &mut runs {
                run.insert(topic, Ranking::from_ordered([("d", 1.0)]));
            }
        }
        let scores = evaluate_all(&["RR".parse().unwrap()], &qrels, &runs);
        let found = compare(&scores, 0, "base", &BootstrapOptions::new(Seed(1))).unwrap().remove(0);
        let comparisons = systems.iter().map(|(name, mean, decision)| BaselineComparison {
            system: (*name).to_owned(),
            mean_difference: Some(*mean),
            decision: *decision,
            ..found.clone()
        });
        DecisionSection {
            primary: "RR".into(),
            baseline: Some("base".into()),
            comparisons: comparisons.collect(),
            ..DecisionSection::default()
        }
    }

    #[test]
    fn the_best_system_comes_first() {
        use ComparisonFinding::{Better, Identical, Inconclusive, NotTrusted, Worse};
        let cases: [(&[Found<'_>], &str); 12] = [
            (&[("a", 0.1, Better)], "a is better than base."),
            (
                &[("a", 0.1, Better), ("b", 0.2, Better), ("c", -0.2, Worse)],
                "b scores highest and is better than base.",
            ),
            (&[("a", -0.1, Worse)], "base is better than a."),
            (&[("a", -0.1, Worse), ("b", -0.2, Worse)], "base scores highest and is better than all others."),
            (&[("a", -0.1, Worse), ("b", -0.2, Inconclusive)], "base scores highest and is better than a."),
            (&[("a", 0.1, Inconclusive)], "No clear difference between a and base."),
            (
                &[("a", 0.1, Inconclusive), ("b", 0.2, Inconclusive)],
                "No clear difference: b scores highest, but not clearly above base.",
            ),
            (
                &[("a", -0.1, Inconclusive), ("b", -0.2, Worse)],
                "base scores highest, but not clearly above a.",
            ),
            (
                &[("a", 0.1, Better), ("b", 0.2, Inconclusive)],
                "a is better than base; b scores higher, but not clearly.",
            ),
            (&[("a", 0.0, Identical)], "a and base have the same results."),
            (
                &[("a", 0.1, Better), ("b", 0.2, NotTrusted)],
                "a is better than base. 1 system has no verdict.",
            ),
            (&[("a", 0.1, NotTrusted)], "No verdict: no comparison has one."),
        ];
        for (systems, wanted) in cases {
            assert_eq!(headline(&decided(systems)), wanted, "{systems:?}");
        }
    }
}

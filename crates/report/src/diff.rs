//! Compares two label sets, and their effect on systems.
//!
//! A [`LabelDiff`] lists the pairs ([`DifferingPairs`]), and adds how far the two agree, every
//! system's figures under both and the verdicts that change. [`diff_text`] writes it for a terminal.
//!
//! ```
//! use llull_core::{Qrels, Seed};
//! use llull_report::agreement::NamedLabels;
//! use llull_report::diff::{DiffInputs, LabelDiff, diff_text};
//! use llull_stats::BootstrapOptions;
//!
//! let (mut old, mut new) = (Qrels::default(), Qrels::default());
//! for (document, before, after) in [("d1", 0, 3), ("d2", 1, 1), ("d3", 2, 1)] {
//!     old.insert("q1", document, before);
//!     new.insert("q1", document, after);
//! }
//! let inputs = DiffInputs::of_labels(NamedLabels::new("old", old), NamedLabels::new("new", new));
//! let diff = LabelDiff::new(inputs, &BootstrapOptions::new(Seed(42)))?;
//! assert_eq!((diff.pairs.both, diff.pairs.differ, diff.pairs.higher), (3, 2, 1));
//! assert_eq!(diff.pairs.listed[0].document, "d1");
//! assert!(diff_text(&diff).contains("2 of 3 labels change"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use llull_core::{Qrels, Run};
use llull_metrics::{Measure, Scores, evaluate_all};
use llull_stats::{Agreement, AgreementOptions, BootstrapOptions, kendall_tau_b, label_agreement};
use serde::Serialize;

use crate::agreement::NamedLabels;
use crate::comparable::is_comparable;
use crate::comparison::{BaselineComparison, ComparisonFinding, compare};
use crate::differing::{AAndB, DifferingPairs, differing_pairs, differing_text, shown};
use crate::error::ReportError;
use crate::json_number::finite;
use crate::systems::without_interval;
use crate::text::{
    confidence, count, counted, difference, difference_interval, figure, interval, percent, percent_interval,
    text_table,
};

/// The number of pairs in the list, by default.
const LISTED: usize = 20;

/// The two label sets, with the systems and measures for their comparison.
#[derive(Debug, Clone)]
pub struct DiffInputs<'a> {
    /// The one side.
    pub a: NamedLabels,
    /// The other side.
    pub b: NamedLabels,
    /// Systems to measure under both; may be empty.
    pub runs: &'a [Run],
    /// The measures of the systems.
    pub measures: Vec<Measure>,
    /// The system that the others are compared with; `None` for no verdicts.
    pub baseline: Option<String>,
    /// The differences between the judges of the two sets, in words; empty where unknown.
    pub changed: Vec<String>,
    /// How many pairs are listed.
    pub most: usize,
}

impl DiffInputs<'_> {
    /// Two label sets without systems, and twenty pairs in the list.
    pub fn of_labels(a: NamedLabels, b: NamedLabels) -> Self {
        Self { a, b, runs: &[], measures: Vec::new(), baseline: None, changed: Vec::new(), most: LISTED }
    }
}

/// The difference of two label sets. Its JSON is the output of `llull diff --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LabelDiff {
    /// The one side.
    pub a: DiffSide,
    /// The other side.
    pub b: DiffSide,
    /// The differences between the judges of the two sets, in words; absent where unknown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// How the intervals were made.
    #[serde(flatten)]
    pub bootstrap: BootstrapOptions,
    /// The pairs that both have labelled: how many change, and the first of them. A's side comes first: `higher` and
    /// `lower` count B's grades compared with A's.
    pub pairs: DifferingPairs<AAndB>,
    /// How far the two agree, with A in the place of the truth.
    pub agreement: Agreement,
    /// Every measure's figures and verdicts, over the pairs that both have; empty without systems.
    pub systems: Vec<DiffSystems>,
    /// Warnings for a reader who relies on a figure. Not written as JSON.
    #[serde(skip)]
    pub notes: Vec<String>,
}

/// One side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DiffSide {
    /// Its name in tables and sentences.
    pub name: String,
    /// Its source: a file as typed, or the name.
    pub source: String,
    /// How many labels it has.
    pub labels: usize,
    /// How many of these pairs the other side lacks.
    pub alone: usize,
}

impl LabelDiff {
    /// Compares the two.
    ///
    /// # Errors
    /// Returns an error if they have no pair in common, hold more than 256 different grades, or if systems cannot be
    /// compared with the baseline.
    pub fn new(inputs: DiffInputs<'_>, bootstrap: &BootstrapOptions) -> Result<Self, ReportError> {
        let DiffInputs { a, b, runs, measures, baseline, changed, most } = inputs;
        if !a.has_pairs_of(&b) {
            return Err(ReportError::NothingInCommon(a.nothing_in_common(&b)));
        }
        let options = AgreementOptions { clamp: None, bootstrap: Some(*bootstrap) };
        let agreement = label_agreement(&a.qrels, &b.qrels, &options)?;
        let mut notes: Vec<String> =
            without_interval(agreement.queries, bootstrap.confidence).into_iter().collect();
        let few = |labels: &NamedLabels| 2 * agreement.n < labels.qrels.pairs();
        let systems = match runs {
            _ if measures.is_empty() => Vec::new(),
            [] => Vec::new(),
            _ if few(&a) || few(&b) => {
                notes.push(format!(
                    "the two have {} in common, of {} and {} labels: too few to measure systems under both",
                    counted(agreement.n, "pair"),
                    count(a.qrels.pairs()),
                    count(b.qrels.pairs())
                ));
                Vec::new()
            }
            runs => {
                let alone = agreement.only_truth + agreement.only_other;
                notes.extend((alone > 0).then(|| {
                    format!(
                        "{} a label on one side only and {} as unlabelled under both here, so that figures differ by \
                         changed labels alone",
                        if alone == 1 { "1 pair has".to_owned() } else { format!("{} pairs have", count(alone)) },
                        if alone == 1 { "counts" } else { "count" }
                    )
                }));
                systems(
                    &of_shared_pairs(&a.qrels, &b.qrels),
                    runs,
                    &measures,
                    baseline.as_deref(),
                    bootstrap,
                )?
            }
        };
        let pairs = differing_pairs(&a.qrels, &b.qrels, runs, most);
        let side = |labels: NamedLabels, alone| DiffSide {
            labels: labels.qrels.pairs(),
            name: labels.name,
            source: labels.source,
            alone,
        };
        Ok(Self {
            a: side(a, agreement.only_truth),
            b: side(b, agreement.only_other),
            changed,
            bootstrap: *bootstrap,
            pairs,
            agreement,
            systems,
            notes,
        })
    }

    /// The interval of the share of common pairs that change, by resampling queries; `None` if there are too few.
    pub fn share_interval(&self) -> Option<(f64, f64)> {
        let [low, high] = self.agreement.ci.as_ref()?.labels.exact?;
        Some((1.0 - high, 1.0 - low))
    }
}

/// The labels of both with their means, of the pairs that both have: the same queries and documents on both sides, so
/// that systems measured under the two differ by the labels alone. A pair that one of them drops is dropped from both.
fn of_shared_pairs(first: &Qrels, second: &Qrels) -> [Qrels; 2] {
    let mut shared = [Qrels::default(), Qrels::default()];
    let [here, there] = &mut shared;
    for (query, documents) in first.iter() {
        let Some(others) = second.topic(query) else { continue };
        for (document, grade) in documents {
            if let Some(other) = others.get(document) {
                here.insert(query, document, *grade);
                there.insert(query, document, *other);
                documents.mean(document).into_iter().for_each(|mean| here.set_mean(query, document, mean));
                others.mean(document).into_iter().for_each(|mean| there.set_mean(query, document, mean));
            }
        }
    }
    shared.map(|labels| labels.dropping_as(first).dropping_as(second))
}

/// Systems by one measure under two label sets.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DiffSystems {
    /// The measure.
    pub measure: String,
    /// How many queries.
    pub queries: usize,
    /// Kendall's tau-b of the two rankings of systems; null with fewer than three systems, or if it is undefined.
    pub kendall_tau: Option<f64>,
    /// Every system, in the order of the runs.
    pub systems: Vec<SystemUnderBoth>,
    /// Every system against the baseline; empty without one, or if the measure cannot decide.
    pub verdicts: Vec<VerdictUnderBoth>,
}

/// One system under both.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SystemUnderBoth {
    /// The system.
    pub system: String,
    /// Its mean under A.
    pub a: Option<f64>,
    /// Its mean under B.
    pub b: Option<f64>,
    /// Its rank under A: 1 plus the number of better systems.
    pub a_rank: usize,
    /// Its rank under B.
    pub b_rank: usize,
}

/// The comparison of one system with the baseline under both.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VerdictUnderBoth {
    /// Whether the two verdicts differ.
    pub changed: bool,
    /// Under A.
    pub a: BaselineComparison,
    /// Under B.
    pub b: BaselineComparison,
}

/// Measures the runs under both, which have the same queries, and compares them with the baseline.
fn systems(
    [a, b]: &[Qrels; 2],
    runs: &[Run],
    measures: &[Measure],
    baseline: Option<&str>,
    bootstrap: &BootstrapOptions,
) -> Result<Vec<DiffSystems>, ReportError> {
    let (under_a, under_b) = (evaluate_all(measures, a, runs), evaluate_all(measures, b, runs));
    let mut found = Vec::with_capacity(measures.len());
    for (at, measure) in measures.iter().enumerate() {
        let mut verdicts = Vec::new();
        if let Some(baseline) = baseline.filter(|_| is_comparable(measure) && runs.len() > 1) {
            let pairs = compare(&under_a, at, baseline, bootstrap)?.into_iter();
            let pairs = pairs.zip(compare(&under_b, at, baseline, bootstrap)?);
            verdicts.extend(pairs.map(|(a, b)| VerdictUnderBoth { changed: differs(&a, &b), a, b }));
        }
        found.push(of_measure(measure, at, &under_a, &under_b, verdicts));
    }
    Ok(found)
}

/// Whether the two lead to different actions. Identical systems, and too few queries, both mean no clear difference.
fn differs(a: &BaselineComparison, b: &BaselineComparison) -> bool {
    let undecided = |finding| match finding {
        ComparisonFinding::Identical => ComparisonFinding::Inconclusive,
        finding => finding,
    };
    undecided(a.decision) != undecided(b.decision)
}

fn of_measure(
    measure: &Measure,
    at: usize,
    under_a: &[Scores],
    under_b: &[Scores],
    verdicts: Vec<VerdictUnderBoth>,
) -> DiffSystems {
    let means = |under: &[Scores]| -> Vec<Option<f64>> {
        under.iter().map(|scores| scores.mean(at).and_then(finite)).collect()
    };
    let (a, b) = (means(under_a), means(under_b));
    let rank = |mean: Option<f64>, all: &[Option<f64>]| 1 + all.iter().filter(|other| **other > mean).count();
    let both: Vec<(f64, f64)> = a.iter().zip(&b).filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
    let systems = under_a.iter().zip(a.iter().zip(&b)).map(|(scores, (here, there))| SystemUnderBoth {
        system: scores.run.clone(),
        a: *here,
        b: *there,
        a_rank: rank(*here, &a),
        b_rank: rank(*there, &b),
    });
    DiffSystems {
        measure: measure.to_string(),
        queries: under_a.first().map_or(0, |scores| scores.topics.len()),
        kendall_tau: if both.len() < 3 { None } else { kendall_tau_b(&both) },
        systems: systems.collect(),
        verdicts,
    }
}

/// So many grades fit a table.
const GRADES: usize = 12;

/// The difference as sentences and tables: changes, agreement, systems and verdicts, and the pairs.
pub fn diff_text(diff: &LabelDiff) -> String {
    let mut parts = vec![summary(diff), agreement(diff)];
    if diff.agreement.grades.len() <= GRADES {
        parts.push(matrix(diff));
    }
    for systems in &diff.systems {
        parts.push(figures(systems));
        parts.extend(verdicts(systems));
    }
    if !diff.pairs.listed.is_empty() {
        let list = differing_text(&diff.pairs, "A", "B");
        parts.push(format!("labels that change, {}\n{list}", shown(&diff.pairs)));
    }
    parts.join("\n\n")
}

fn summary(diff: &LabelDiff) -> String {
    let side = |letter: &str, side: &DiffSide| {
        let source = if side.source == side.name { String::new() } else { format!(" ({})", side.source) };
        format!(
            "{letter}: {}{source}, {}, {} of them not in the other",
            side.name,
            counted(side.labels, "label"),
            count(side.alone)
        )
    };
    let pairs = &diff.pairs;
    let interval =
        diff.share_interval().map_or_else(String::new, |ends| format!(" {}", percent_interval(Some(ends))));
    let bias = diff.agreement.figures.bias;
    let ends = diff.agreement.ci.as_ref().and_then(|ci| ci.labels.bias);
    let bias_interval = ends
        .map_or_else(String::new, |[low, high]| format!(" {}", difference_interval(Some(low), Some(high))));
    let changed = match diff.changed.as_slice() {
        [] => String::new(),
        changed => format!("from A to B: {}\n", changed.join("; ")),
    };
    format!(
        "{}\n{}\n{changed}{} of {} change, {}{interval}: B is higher on {} and lower on {}; B less A is {} on average\
         {bias_interval}",
        side("A", &diff.a),
        side("B", &diff.b),
        count(pairs.differ),
        counted(pairs.both, "label"),
        percent(pairs.share()),
        count(pairs.higher),
        count(pairs.lower),
        difference(bias),
    )
}

fn agreement(diff: &LabelDiff) -> String {
    let (figures, ci) = (&diff.agreement.figures, diff.agreement.ci.as_ref().map(|ci| &ci.labels));
    let rows = [
        ("kappa", figures.kappa.plain, ci.and_then(|ci| ci.kappa.plain)),
        ("kappa, quadratic", figures.kappa.quadratic, ci.and_then(|ci| ci.kappa.quadratic)),
        ("alpha, ordinal", figures.alpha.ordinal, ci.and_then(|ci| ci.alpha.ordinal)),
        ("exact", figures.exact, ci.and_then(|ci| ci.exact)),
        ("within one", figures.within_one, ci.and_then(|ci| ci.within_one)),
    ];
    let pairs = count(diff.agreement.n);
    let rows = rows.map(|(name, value, ends)| {
        let [low, high] = ends.map_or([None, None], |ends| ends.map(Some));
        vec![name.to_owned(), figure(value), interval(low, high), pairs.clone()]
    });
    let interval = format!("{} interval", confidence(diff.bootstrap.confidence));
    text_table(["agreement", "value", &interval, "pairs"], rows)
}

fn matrix(diff: &LabelDiff) -> String {
    let mut headings = vec!["A \\ B".to_owned()];
    headings.extend(diff.agreement.grades.iter().map(ToString::to_string));
    let rows = diff.agreement.grades.iter().zip(&diff.agreement.confusion);
    let rows = rows.map(|(grade, row)| {
        std::iter::once(grade.to_string()).chain(row.iter().copied().map(count)).collect()
    });
    text_table(headings, rows)
}

fn figures(systems: &DiffSystems) -> String {
    let rows = systems.systems.iter().map(|system| {
        let moved = system.a.zip(system.b).map(|(a, b)| b - a);
        let ranks = match system.a_rank == system.b_rank {
            true => system.a_rank.to_string(),
            false => format!("{} to {}", system.a_rank, system.b_rank),
        };
        vec![system.system.clone(), figure(system.a), figure(system.b), difference(moved), ranks]
    });
    let tau = match systems.kendall_tau {
        Some(tau) => format!("; tau-b of the two rankings {}", figure(tau)),
        None => String::new(),
    };
    format!(
        "{}\n{} over {} that both have labelled{tau}",
        text_table([systems.measure.as_str(), "A", "B", "B less A", "rank"], rows),
        counted(systems.systems.len(), "system"),
        counted(systems.queries, "query")
    )
}

/// The verdicts that change in full, and how many do not.
fn verdicts(systems: &DiffSystems) -> Option<String> {
    if systems.verdicts.is_empty() {
        return None;
    }
    let changed: Vec<&VerdictUnderBoth> = systems.verdicts.iter().filter(|found| found.changed).collect();
    let mut lines = vec![format!(
        "verdicts by {} that change: {} of {}",
        systems.measure,
        count(changed.len()),
        count(systems.verdicts.len())
    )];
    for found in changed {
        lines.push(format!("  A: {}", found.a.sentence));
        lines.push(format!("  B: {}", found.b.sentence));
    }
    Some(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use llull_core::{GRADE_PARTS, Ranking, Seed};

    use super::*;

    /// By hand: both grades are 1; under A their means are 4/3 and 2/3, and the run has the worse one first.
    #[test]
    fn systems_are_measured_by_the_means_of_a_panel() {
        let mut grades = Qrels::default();
        grades.insert("q1", "d1", 1);
        grades.insert("q1", "d2", 1);
        let mut panel = grades.clone();
        panel.set_mean("q1", "d1", 4 * GRADE_PARTS / 3);
        panel.set_mean("q1", "d2", 2 * GRADE_PARTS / 3);
        let mut run = Run::new("run");
        run.insert("q1", Ranking::from_ordered([("d2", 2.0), ("d1", 1.0)]));
        let inputs = DiffInputs {
            runs: &[run],
            measures: vec!["nDCG@2".parse().unwrap()],
            ..DiffInputs::of_labels(NamedLabels::new("panel", panel), NamedLabels::new("grades", grades))
        };
        let diff = LabelDiff::new(inputs, &BootstrapOptions::new(Seed(42))).unwrap();
        let system = &diff.systems[0].systems[0];
        let log = 3f64.log2();
        let expected = (2.0 / 3.0 + 4.0 / 3.0 / log) / (4.0 / 3.0 + 2.0 / 3.0 / log);
        assert!((system.a.unwrap() - expected).abs() < 1e-12, "{:?} {expected}", system.a);
        assert_eq!(system.b, Some(1.0));
    }
}

//! Agreement of labels as tables.

use std::collections::BTreeMap;

use llull_core::Grade;
use llull_stats::{Agreement, Ends, LabelFigures};

use super::report::{AgreementReport, OtherLabels};
use crate::text::{
    confidence, count, counted, difference, difference_interval, figure, interval, narrow_interval,
    text_table,
};

/// So many grades fit a table.
const GRADES: usize = 12;

/// The tables of one label set, below a heading.
pub(super) fn tables(report: &AgreementReport, other: &OtherLabels) -> Vec<String> {
    let agreement = &other.agreement;
    let mut parts = vec![heading(report, other)];
    if agreement.n == 0 {
        return parts;
    }
    parts.push(figures(agreement, report.bootstrap.confidence));
    if agreement.grades.len() <= GRADES {
        parts.extend(cuts(agreement));
        parts.push(confusion(agreement));
    } else {
        parts.push(format!(
            "{} different grades: the figures of each cut and each pair of grades are in --json",
            agreement.grades.len()
        ));
    }
    parts
}

fn heading(report: &AgreementReport, other: &OtherLabels) -> String {
    let agreement = &other.agreement;
    let mut text = format!(
        "{} against {}: {} of {} in common; {} only in the truth, {} only in the other",
        other.name,
        report.truth_name,
        counted(agreement.n, "pair"),
        counted(agreement.queries, "query"),
        count(agreement.only_truth),
        count(agreement.only_other)
    );
    if let Some(clamp) = &report.clamp {
        text.push_str(&format!(
            "\n--clamp {clamp} changed {} of the truth and {} of the other",
            counted(agreement.clamped_truth, "grade"),
            count(agreement.clamped_other)
        ));
    }
    text
}

/// The heading above intervals: `95% interval`.
pub(super) fn interval_heading(share: f64) -> String {
    format!("{} interval", confidence(share))
}

/// An interval of a figure that may have none.
pub(super) fn ends(ends: Option<Ends>) -> String {
    let [low, high] = ends.map_or([None, None], |ends| ends.map(Some));
    interval(low, high)
}

fn difference_ends(ends: Option<Ends>) -> String {
    let [low, high] = ends.map_or([None, None], |ends| ends.map(Some));
    difference_interval(low, high)
}

fn intervals(agreement: &Agreement) -> Option<&LabelFigures<Option<Ends>>> {
    agreement.ci.as_ref().map(|ci| &ci.labels)
}

fn figures(agreement: &Agreement, confidence: f64) -> String {
    let ci = intervals(agreement);
    let pairs = count(agreement.n);
    let row =
        |name: &str, value: String, interval: String| vec![name.to_owned(), value, interval, pairs.clone()];
    let (values, intervals) = (on_the_scale(&agreement.figures), ci.map(on_the_scale));
    let mut rows: Vec<Vec<String>> = Vec::with_capacity(values.len() + 1);
    for (at, (name, value)) in values.into_iter().enumerate() {
        let interval = intervals.as_ref().and_then(|all| all.get(at)).and_then(|(_, ends)| *ends);
        rows.push(row(name, figure(value), ends(interval)));
    }
    let bias = ci.and_then(|ci| ci.bias);
    rows.push(row("bias, other less truth", difference(agreement.figures.bias), difference_ends(bias)));
    text_table(["agreement", "value", &interval_heading(confidence), "pairs"], rows)
}

/// The figures that need no cut, but for the bias, which is a difference.
fn on_the_scale<T: Copy>(figures: &LabelFigures<T>) -> Vec<(&'static str, T)> {
    vec![
        ("kappa", figures.kappa.plain),
        ("kappa, linear", figures.kappa.linear),
        ("kappa, quadratic", figures.kappa.quadratic),
        ("alpha, nominal", figures.alpha.nominal),
        ("alpha, ordinal", figures.alpha.ordinal),
        ("alpha, interval", figures.alpha.interval),
        ("pi (Fleiss' kappa of two)", figures.pi),
        ("AC1", figures.ac1),
        ("AC2, linear", figures.ac2.linear),
        ("AC2, quadratic", figures.ac2.quadratic),
        ("exact", figures.exact),
        ("within one", figures.within_one),
    ]
}

type Cuts<T> = BTreeMap<Grade, Option<T>>;

/// Relevant or not at every cut; `None` if there is only one grade.
fn cuts(agreement: &Agreement) -> Option<String> {
    let (figures, ci) = (&agreement.figures, intervals(agreement));
    let rows = figures.kappa_at.keys().map(|cut| {
        let of = |pick: for<'a> fn(&'a LabelFigures<Option<f64>>) -> &'a Cuts<f64>,
                  interval: for<'a> fn(&'a LabelFigures<Option<Ends>>) -> &'a Cuts<Ends>| {
            let value = figure(pick(figures).get(cut).copied().flatten());
            match ci.and_then(|ci| *interval(ci).get(cut)?) {
                Some([low, high]) => format!("{value} {}", narrow_interval(low, high)),
                None => value,
            }
        };
        let (in_truth, in_other) = relevant(agreement, *cut);
        vec![
            cut.to_string(),
            count(in_truth),
            count(in_other),
            of(|figures| &figures.kappa_at, |ci| &ci.kappa_at),
            of(|figures| &figures.precision_at, |ci| &ci.precision_at),
            of(|figures| &figures.recall_at, |ci| &ci.recall_at),
            of(|figures| &figures.f1_at, |ci| &ci.f1_at),
        ]
    });
    let headings = ["relevant from", "in truth", "in other", "kappa", "precision", "recall", "F1"];
    (!figures.kappa_at.is_empty()).then(|| text_table(headings, rows))
}

/// How many pairs are relevant from a cut on, in the truth and in the other.
fn relevant(agreement: &Agreement, cut: Grade) -> (u64, u64) {
    let from = agreement.grades.partition_point(|grade| *grade < cut);
    let rows = agreement.confusion.iter();
    let in_truth = rows.clone().skip(from).flatten().sum();
    (in_truth, rows.flat_map(|row| row.iter().skip(from)).sum())
}

fn confusion(agreement: &Agreement) -> String {
    let mut headings = vec!["truth \\ other".to_owned()];
    headings.extend(agreement.grades.iter().map(ToString::to_string));
    headings.push("all".to_owned());
    let line = |name: String, cells: Vec<u64>| {
        let all = cells.iter().sum::<u64>();
        std::iter::once(name).chain(cells.into_iter().chain([all]).map(count)).collect::<Vec<String>>()
    };
    let rows = agreement.grades.iter().zip(&agreement.confusion);
    let rows = rows.map(|(grade, row)| line(grade.to_string(), row.clone()));
    let column = |at: usize| agreement.confusion.iter().filter_map(|row| row.get(at)).sum::<u64>();
    let last = line("all".to_owned(), (0..agreement.grades.len()).map(column).collect());
    text_table(headings, rows.chain([last]))
}

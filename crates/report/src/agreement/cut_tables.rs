//! Tables of the agreement on relevance, at every cut.

use std::collections::BTreeMap;

use llull_core::Grade;
use llull_stats::{Agreement, Ends};

use super::binary_cuts::{BinaryCuts, CutFigures, Side, at_cuts};
use super::report::{AgreementReport, OtherLabels};
use super::used_grades::UsedGrades;
use crate::text::{count, figure, narrow_interval, text_table};

type Cuts<T> = BTreeMap<Grade, Option<T>>;

/// Relevant or not at every cut: of the side with more grades, if one has two; `None` if there is only one grade.
pub(super) fn cuts(report: &AgreementReport, other: &OtherLabels) -> Option<String> {
    let agreement = &other.agreement;
    if let Some(binary) = &other.binary {
        return Some(of_binary(report, other, binary));
    }
    let figures = at_cuts(agreement.figures.clone());
    let ci = agreement.ci.as_ref().map(|ci| at_cuts(ci.labels.clone()));
    let relevant =
        |used: &UsedGrades, cut| used.0.iter().filter(|(grade, _)| *grade >= cut).map(|(_, n)| n).sum();
    let (there, here) = (UsedGrades::of_truth(agreement), UsedGrades::of_other(agreement));
    let rows = figures.kappa_at.keys().map(|cut| {
        let counts = [relevant(&there, *cut), relevant(&here, *cut)];
        row(*cut, counts, &figures, ci.as_ref())
    });
    let headings = ["relevant from", "in truth", "in other", "kappa", "precision", "recall", "F1"];
    (!figures.kappa_at.is_empty()).then(|| text_table(headings, rows))
}

/// The higher of two grades against each cut of the side with more.
fn of_binary(report: &AgreementReport, other: &OtherLabels, binary: &BinaryCuts) -> String {
    let agreement: &Agreement = &other.agreement;
    let (there, here) = (UsedGrades::of_truth(agreement), UsedGrades::of_other(agreement));
    let from =
        |used: &UsedGrades, cut| used.0.iter().filter(|(grade, _)| *grade >= cut).map(|(_, n)| n).sum();
    let (many, two, first) = match binary.side {
        Side::Other => (&report.truth_name, &other.name, "in truth"),
        Side::Truth => (&other.name, &report.truth_name, "in other"),
    };
    let rows = binary.figures.kappa_at.keys().map(|cut| {
        let counts = match binary.side {
            Side::Other => [from(&there, *cut), from(&here, binary.relevant)],
            Side::Truth => [from(&here, *cut), from(&there, binary.relevant)],
        };
        row(*cut, counts, &binary.figures, binary.ci.as_ref())
    });
    let relevant = binary.relevant;
    let headings = [
        format!("{many} from, against {relevant} of {two}"),
        first.to_owned(),
        format!("of grade {relevant}"),
    ];
    let headings = headings.into_iter().chain(["kappa", "precision", "recall", "F1"].map(str::to_owned));
    text_table(headings, rows)
}

fn row(
    cut: Grade,
    relevant: [u64; 2],
    figures: &CutFigures<Option<f64>>,
    ci: Option<&CutFigures<Option<Ends>>>,
) -> Vec<String> {
    let cell = |values: &Cuts<f64>, ends: Option<&Cuts<Ends>>| {
        let value = figure(values.get(&cut).copied().flatten());
        match ends.and_then(|ends| ends.get(&cut).copied().flatten()) {
            Some([low, high]) => format!("{value} {}", narrow_interval(low, high)),
            None => value,
        }
    };
    let [first, second] = relevant;
    vec![
        cut.to_string(),
        count(first),
        count(second),
        cell(&figures.kappa_at, ci.map(|ci| &ci.kappa_at)),
        cell(&figures.precision_at, ci.map(|ci| &ci.precision_at)),
        cell(&figures.recall_at, ci.map(|ci| &ci.recall_at)),
        cell(&figures.f1_at, ci.map(|ci| &ci.f1_at)),
    ]
}

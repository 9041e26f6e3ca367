//! Agreement on relevance, at every cut of the scale.

use std::collections::BTreeMap;

use llull_core::{Grade, Qrels};
use llull_stats::{Agreement, AgreementOptions, Ends, LabelFigures, label_agreement};
use serde::Serialize;

use super::named_labels::{NamedLabels, UsedGrades};
use super::report::{AgreementReport, AgreementReportError, OtherLabels};
use crate::text::{count, figure, narrow_interval, text_table};

/// Which side of an agreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The labels that are held to be true.
    Truth,
    /// The labels that are compared with them.
    Other,
}

/// Figures by the cut of the side with more grades. `T` is a figure or its interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CutFigures<T> {
    /// Cohen's kappa of relevant and not relevant.
    pub kappa_at: BTreeMap<Grade, T>,
    /// The share of the other's relevant documents that are relevant in truth.
    pub precision_at: BTreeMap<Grade, T>,
    /// The share of the truth's relevant documents that are relevant to the other.
    pub recall_at: BTreeMap<Grade, T>,
    /// The harmonic mean of the two.
    pub f1_at: BTreeMap<Grade, T>,
}

/// A rater with two grades: its higher one against every cut of the other side's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BinaryCuts {
    /// The side with two grades.
    pub side: Side,
    /// Its higher grade, which is relevant.
    pub relevant: Grade,
    /// The figures, by the lowest relevant grade of the other side.
    #[serde(flatten)]
    pub figures: CutFigures<Option<f64>>,
    /// Their intervals, if they were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ci: Option<CutFigures<Option<Ends>>>,
}

impl BinaryCuts {
    /// Sets a side with two grades against every cut of one with more; `None` if there is no such side.
    pub(super) fn of(
        truth: &NamedLabels,
        other: &NamedLabels,
        agreement: &Agreement,
        options: &AgreementOptions,
    ) -> Result<Option<Self>, AgreementReportError> {
        let (there, here) = (UsedGrades::of_truth(agreement), UsedGrades::of_other(agreement));
        let (side, two, many) = match (there.0.as_slice(), here.0.as_slice()) {
            ([_, _, _, ..], [_, (high, _)]) => (Side::Other, *high, &there),
            ([_, (high, _)], [_, _, _, ..]) => (Side::Truth, *high, &here),
            _ => return Ok(None),
        };
        let Some(ends) = many.range() else { return Ok(None) };
        let found = match side {
            Side::Other => label_agreement(&truth.qrels, &onto(&other.qrels, two, ends), options)?,
            Side::Truth => label_agreement(&onto(&truth.qrels, two, ends), &other.qrels, options)?,
        };
        Ok(Some(Self {
            side,
            relevant: two,
            figures: at_cuts(found.figures),
            ci: found.ci.map(|ci| at_cuts(ci.labels)),
        }))
    }
}

/// Those of the figures that are by cut.
fn at_cuts<T>(figures: LabelFigures<T>) -> CutFigures<T> {
    let LabelFigures { kappa_at, precision_at, recall_at, f1_at, .. } = figures;
    CutFigures { kappa_at, precision_at, recall_at, f1_at }
}

/// Labels of two grades on a scale with more: not relevant is its lowest grade, relevant its highest, so that relevant
/// stays relevant at every cut.
fn onto(labels: &Qrels, relevant: Grade, (low, high): (Grade, Grade)) -> Qrels {
    let mut onto = Qrels::default();
    for (query, documents) in labels.iter() {
        let ends = documents.iter().map(|(id, grade)| (id, if *grade >= relevant { high } else { low }));
        onto.insert_topic(query, ends.collect());
    }
    onto
}

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

#[cfg(test)]
mod tests {
    use super::*;

    /// The annotators give at least 2 to three pairs. The judge finds two of these relevant, and one other pair: with
    /// n = 8, kappa = (6/8 - (3*3 + 5*5)/64) / (1 - (3*3 + 5*5)/64) = 7/15.
    #[test]
    fn a_binary_judge_is_set_against_each_cut() {
        let of = |grades: [Grade; 8]| {
            let mut qrels = Qrels::default();
            for (document, grade) in grades.into_iter().enumerate() {
                qrels.insert("q", &document.to_string(), grade);
            }
            NamedLabels::new("labels", qrels)
        };
        let (people, judge) = (of([0, 0, 0, 1, 1, 2, 2, 3]), of([0, 0, 0, 0, 1, 0, 1, 1]));
        let options = AgreementOptions::default();
        let cuts = |truth, other| {
            let (truth, other): (&NamedLabels, &NamedLabels) = (truth, other);
            let plain = label_agreement(&truth.qrels, &other.qrels, &options);
            BinaryCuts::of(truth, other, &plain.unwrap(), &options).unwrap()
        };
        let found = cuts(&people, &judge).unwrap();
        assert_eq!((found.side, found.relevant), (Side::Other, 1));
        assert_eq!(found.figures.kappa_at.keys().copied().collect::<Vec<_>>(), [1, 2, 3]);
        assert!((found.figures.kappa_at[&2].unwrap() - 7.0 / 15.0).abs() < 1e-12);
        assert_eq!(found.figures.precision_at[&1], Some(1.0));
        assert_eq!(found.figures.recall_at[&3], Some(1.0));
        let turned = cuts(&judge, &people).unwrap();
        assert_eq!((turned.side, turned.figures.kappa_at[&2]), (Side::Truth, found.figures.kappa_at[&2]));
        assert_eq!(cuts(&people, &people), None);
    }
}

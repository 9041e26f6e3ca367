//! Combined labels of several judges, for programs.

use std::collections::BTreeMap;

use llull_core::Grade;
use llull_label::BetaCurve;
use llull_label::panel::{JudgeModel, PanelChoice, Tried};
use serde::Serialize;
use serde_json::{Value, json};

use crate::combined_labels::CombinedLabels;

/// How several judges' labels were combined, and each label.
#[derive(Debug, Serialize)]
pub struct CombinedReport<'a> {
    /// The methods of grades and of the order.
    method: Value,
    judges: Vec<JudgeRow<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<Value>,
    /// The pairs on which the judges are split, if they are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    dropped: Option<Vec<Value>>,
    labels: Vec<CombinedLabel<'a>>,
}

#[derive(Debug, Serialize)]
struct JudgeRow<'a> {
    name: &'a str,
    off_scale: usize,
    /// Whether the method for grades counts it.
    counts: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    weight: Option<f64>,
    /// By the document's grade, the probability of each grade of the judge.
    #[serde(skip_serializing_if = "Option::is_none")]
    confusion: Option<BTreeMap<Grade, BTreeMap<Grade, f64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ordinal: Option<Ordinal>,
    /// By human grade above the lowest: the probability of that grade or a higher one over the judge's scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<BTreeMap<Grade, BetaCurve>>,
}

/// How a judge reads a hidden scale.
#[derive(Debug, Serialize)]
struct Ordinal {
    /// Its discrimination of documents.
    slope: f64,
    /// By grade, the threshold that must be exceeded for a higher one; absent below the lowest and above the highest of
    /// its grades.
    thresholds: BTreeMap<Grade, Option<f64>>,
    /// Its severity and its noise compared with human labels, in standard deviations of documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    severity: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spread: Option<f64>,
}

#[derive(Debug, Serialize)]
struct CombinedLabel<'a> {
    query: &'a str,
    document: &'a str,
    grade: Option<Grade>,
    /// For the order of documents.
    value: Option<f64>,
    /// How likely each grade is.
    p: BTreeMap<Grade, f64>,
    /// In bits.
    entropy: Option<f64>,
    /// The grade of each judge.
    said: BTreeMap<&'a str, Grade>,
}

impl<'a> CombinedReport<'a> {
    /// The report; `without_split` lists the pairs on which the judges are split.
    pub fn of(combined: &'a CombinedLabels, without_split: bool) -> Self {
        let dropped = without_split.then(|| combined.clear_labels().1);
        let pair = |(query, document)| json!({"query": query, "document": document});
        let judges = combined.judges.iter().zip(&combined.judged.off_scale).enumerate();
        let [grade, order] = [&combined.grades, &combined.order].map(|by| combined.name_of(by.method));
        Self {
            method: json!({"grade": grade, "order": order}),
            judges: judges.map(|(at, (name, off_scale))| judge_row(combined, at, name, *off_scale)).collect(),
            choice: combined.choice.as_ref().map(|choice| choice_of(combined, choice)),
            dropped: dropped.map(|pairs| pairs.into_iter().map(pair).collect()),
            labels: combined.judged.pairs().enumerate().map(|pair| label_row(combined, pair)).collect(),
        }
    }
}

fn judge_row<'a>(combined: &'a CombinedLabels, at: usize, name: &'a str, off_scale: usize) -> JudgeRow<'a> {
    let low = combined.judged.grades.scale().low();
    // A weight describes a judge better than a mere vote, whichever of the two methods learned it.
    let models = [&combined.grades, &combined.order].map(|combined| combined.judges.get(at));
    let weight = models.iter().flatten().find_map(|model| match model {
        JudgeModel::Weight(weight) => Some(*weight),
        _ => None,
    });
    let by_grade = |values: &[f64]| (low..).zip(values.iter().copied()).collect::<BTreeMap<Grade, f64>>();
    let confusion = models.iter().flatten().find_map(|model| match model {
        JudgeModel::Confusion(rows) => Some((low..).zip(rows.iter().map(|row| by_grade(row))).collect()),
        _ => None,
    });
    let ordinal = models.iter().flatten().find_map(|model| match model {
        JudgeModel::Ordinal { slope, thresholds, beside_people } => {
            // JSON has no infinity.
            let finite = thresholds.iter().map(|at| Some(*at).filter(|at| at.is_finite()));
            Some(Ordinal {
                slope: *slope,
                thresholds: (low..).zip(finite).collect(),
                severity: beside_people.map(|own| own.severity),
                spread: beside_people.map(|own| own.spread),
            })
        }
        _ => None,
    });
    let beta = models.iter().flatten().find_map(|model| match model {
        JudgeModel::Curves(curves) => Some((low + 1..).zip(curves.iter().copied()).collect()),
        _ => None,
    });
    let counts = models[0].is_some_and(|model| *model != JudgeModel::LeftOut);
    JudgeRow { name, off_scale, counts, weight, confusion, ordinal, beta }
}

fn choice_of(combined: &CombinedLabels, choice: &PanelChoice) -> Value {
    let ends = |found: Option<llull_stats::BootstrapInterval>| {
        let found = found.filter(|found| found.low.is_finite() && found.high.is_finite())?;
        Some([found.low, found.high])
    };
    let row = |one: &Tried| {
        json!({
            "method": combined.name_of(one.method),
            "kappa": one.kappa,
            // Less that of the chosen method.
            "kappa_difference": ends(one.kappa_difference),
            "rho": one.rho,
            "rho_difference": ends(one.rho_difference),
            "without_fit": one.without_fit,
        })
    };
    let worth = choice.worth;
    json!({
        "tried": choice.tried.iter().map(row).collect::<Vec<_>>(),
        "kappa": choice.kappa,
        "rho": choice.rho,
        "independent_votes":
            worth.map(|worth| json!({"by_error": worth.by_error, "by_mistake": worth.by_mistake})),
        "pairs": choice.pairs,
        "queries": choice.queries,
        "folds": choice.folds,
    })
}

fn label_row<'a>(
    combined: &'a CombinedLabels,
    (pair, (query, document)): (usize, (&'a str, &'a str)),
) -> CombinedLabel<'a> {
    let low = combined.judged.grades.scale().low();
    let said = combined.judged.grades.of_pair(pair);
    CombinedLabel {
        query,
        document,
        grade: combined.grades.grades.get(pair).copied().flatten(),
        value: combined.order.values.get(pair).copied().flatten(),
        p: (low..).zip(combined.grades.probabilities(pair).iter().copied()).collect(),
        entropy: combined.grades.entropy(pair),
        said: said.filter_map(|(judge, grade)| Some((combined.judges.get(judge)?.as_str(), grade))).collect(),
    }
}

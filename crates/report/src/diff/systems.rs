//! Figures and verdicts of systems under two label sets.

use llull_core::{Qrels, Run};
use llull_metrics::{Measure, Scores, evaluate_all};
use llull_stats::{BootstrapOptions, kendall_tau_b};
use serde::Serialize;

use crate::comparable::is_comparable;
use crate::comparison::{BaselineComparison, ComparisonFinding, compare};
use crate::error::ReportError;
use crate::json_number::finite;

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
pub(super) fn systems(
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

//! Verdicts on all pairs of TREC Deep Learning 2019's systems.

#![expect(clippy::unwrap_used, reason = "there is nothing to test without the data")]

use std::collections::BTreeMap;

use llull::core::{Grade, Qrels, Run};
use llull::files::read_systems;
use llull::metrics::{Measure, evaluate_all};
use llull::stats::{VerdictMargin, kendall_tau_b};

use crate::audited::qrels;
use crate::{data, dl19_runs};

/// The 37 runs with the human labels of 43 queries.
pub struct JudgedSystems {
    /// The runs.
    pub runs: Vec<Run>,
    /// The human labels.
    pub human: Qrels,
}

/// How labels order systems, compared with the human order.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SystemAgreement {
    /// Kendall's tau-b of the systems' means.
    pub tau: f64,
    /// Of the pairs that human labels decide (paired t-test, .05), how many are decided alike.
    pub found: usize,
    /// How many the other way round.
    pub reversed: usize,
    /// How many others are decided.
    pub added: usize,
    /// How many pairs human labels decide.
    pub decided: usize,
}

/// A measure's means, and the verdict on each pair of systems: -1, 0 or 1.
struct Measured {
    means: Vec<f64>,
    verdicts: Vec<i32>,
}

impl JudgedSystems {
    /// Reads runs and labels.
    ///
    /// # Panics
    /// Panics if they cannot be read.
    pub fn dl19() -> Self {
        let measures = ["nDCG@10".parse::<Measure>().unwrap()];
        let runs = read_systems(&dl19_runs(), &measures, Default::default(), []).unwrap().value;
        let mut human = Qrels::default();
        for (query, document, grade) in qrels(data("dl19/human.qrels")) {
            human.insert(&query, &document, grade as Grade);
        }
        Self { runs, human }
    }

    /// Compares labels under a measure with the human labels under theirs. A query without labels is left out there.
    pub fn agreement(&self, human: Measure, labels: &Qrels, measure: Measure) -> SystemAgreement {
        let (there, here) = (self.measured(&self.human, human), self.measured(labels, measure));
        let pairs: Vec<(f64, f64)> = there.means.into_iter().zip(here.means).collect();
        let mut counts = SystemAgreement { tau: kendall_tau_b(&pairs).unwrap(), ..Default::default() };
        for (human, own) in there.verdicts.iter().zip(here.verdicts) {
            counts.decided += usize::from(*human != 0);
            match human * own {
                1 => counts.found += 1,
                -1 => counts.reversed += 1,
                _ => counts.added += usize::from(own != 0),
            }
        }
        counts
    }

    fn measured(&self, labels: &Qrels, measure: Measure) -> Measured {
        let scores = evaluate_all(&[measure], labels, &self.runs);
        let values: Vec<BTreeMap<&str, f64>> = scores
            .iter()
            .map(|run| {
                let cells = run.topics.iter();
                cells.filter_map(|topic| Some((topic.topic.as_str(), topic.cells.first()?.value))).collect()
            })
            .collect();
        let mut verdicts = Vec::new();
        for (at, one) in values.iter().enumerate() {
            for other in values.iter().skip(at + 1) {
                let differences: Vec<f64> = one.values().zip(other.values()).map(|(a, b)| a - b).collect();
                let decided = VerdictMargin::of(&differences).is_some_and(|found| found.x > 0.0);
                verdicts.push(if decided { differences.iter().sum::<f64>().signum() as i32 } else { 0 });
            }
        }
        let means = values.iter().map(|one| one.values().sum::<f64>() / one.len() as f64);
        Measured { means: means.collect(), verdicts }
    }
}

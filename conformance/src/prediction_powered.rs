//! Redraws samples of human labels: coverage and width of intervals.

use std::collections::BTreeMap;

use llull::core::{Qrels, Ranking, Run, SplitMix64};
use llull::metrics::Measure;
use llull::stats::{Corrected, PairOfFrame};

/// How often intervals held the truth, and how wide they were, over many draws.
#[derive(Debug, Clone, Copy, Default)]
pub struct Coverage {
    /// The number of draws.
    pub draws: usize,
    held: usize,
    width: f64,
}

impl Coverage {
    /// Adds one interval.
    pub fn add(&mut self, low: f64, high: f64, truth: f64) {
        self.draws += 1;
        self.held += usize::from(low <= truth && truth <= high);
        self.width += high - low;
    }

    /// Adds those of others.
    pub fn join(&mut self, other: &Self) {
        self.draws += other.draws;
        self.held += other.held;
        self.width += other.width;
    }

    /// Returns the share that held the truth.
    pub fn share(&self) -> f64 {
        self.held as f64 / self.draws as f64
    }

    /// Returns the mean width.
    pub fn width(&self) -> f64 {
        self.width / self.draws as f64
    }

    /// Returns the standard error of the share, were it `share`.
    pub fn error(&self, share: f64) -> f64 {
        (share * (1.0 - share) / self.draws as f64).sqrt()
    }
}

/// Coverage and width of corrected intervals, compared with those of human labels alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct Beside {
    /// The corrected intervals.
    pub corrected: Coverage,
    /// Those of the sample alone.
    pub human_only: Coverage,
}

impl Beside {
    /// Adds one draw.
    pub fn add(&mut self, figure: &Corrected, truth: f64) {
        self.corrected.add(figure.low, figure.high, truth);
        self.human_only.add(figure.human_only.low, figure.human_only.high, truth);
    }

    /// Adds the draws of another.
    pub fn join(&mut self, other: &Self) {
        self.corrected.join(&other.corrected);
        self.human_only.join(&other.human_only);
    }
}

/// The pairs that a figure reads, each with the human label, and the greatest label. `systems` are runs with 1, or -1
/// for the baseline of a difference; only pairs that the judge labels are read.
///
/// # Panics
///
/// Panics if the measure is not linear.
#[expect(clippy::unwrap_used, reason = "there is nothing to test without the frame")]
pub fn frame(
    measure: &Measure,
    systems: &[(&Run, f64)],
    judge: &Qrels,
    human: &Qrels,
) -> (Vec<PairOfFrame>, f64) {
    let form = measure.linear_form().unwrap();
    let largest = (1..=3).map(|grade| form.worth(Some(grade))).fold(0.0, f64::max);
    let mut pairs = Vec::new();
    for (query, (topic, labels)) in human.iter().enumerate() {
        let mut weights: BTreeMap<&str, f64> = BTreeMap::new();
        for (run, sign) in systems {
            let hits = run.ranking(topic).into_iter().flat_map(Ranking::iter).take(10);
            let length = run.ranking(topic).map_or(0, Ranking::len);
            for hit in hits {
                let weight = sign * form.weight(hit.rank, length) / human.len() as f64;
                *weights.entry(hit.document).or_default() += weight;
            }
        }
        for (document, grade) in labels {
            let weight = weights.get(document).copied().unwrap_or(0.0);
            let Some(judged) = judge.grade(topic, document) else { continue };
            if weight.abs() > 1e-12 {
                pairs.push(PairOfFrame {
                    query,
                    grade: i64::from(judged),
                    weight,
                    judged: form.worth(Some(judged)),
                    human: Some(form.worth(Some(*grade))),
                });
            }
        }
    }
    (pairs, largest)
}

/// Returns the frame with `labels` human labels, drawn uniformly, and no others.
pub fn draw(frame: &[PairOfFrame], labels: usize, stream: &mut SplitMix64) -> Vec<PairOfFrame> {
    let mut drawn: Vec<PairOfFrame> = frame.iter().map(|pair| PairOfFrame { human: None, ..*pair }).collect();
    for place in places(frame.len(), labels, stream) {
        drawn[place].human = frame[place].human;
    }
    drawn
}

/// Returns `count` of the first `of` numbers, drawn uniformly without replacement.
pub fn places(of: usize, count: usize, stream: &mut SplitMix64) -> Vec<usize> {
    let mut all: Vec<usize> = (0..of).collect();
    for at in 0..count.min(of) {
        all.swap(at, at + (stream.next_u64() % (of - at) as u64) as usize);
    }
    all.truncate(count);
    all
}

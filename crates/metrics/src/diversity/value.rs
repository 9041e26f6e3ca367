//! The computation of the measures of diversity.

use super::coverage::{Coverage, Reader};
use super::measure::DiversityMeasure;
use crate::parameters::Alpha;

/// The value of a measure for one list; 0 if no document is relevant to any subtopic.
pub(super) fn value(measure: &DiversityMeasure, coverage: &Coverage<'_>, list: &[&str]) -> f64 {
    if coverage.subtopics == 0 {
        return 0.0;
    }
    let gains = |alpha| {
        let mut reader = Reader::new(coverage.subtopics, alpha);
        list.iter().map(move |document| reader.read(coverage.of(document)))
    };
    match *measure {
        DiversityMeasure::AlphaNdcg { alpha, .. } => {
            let discount = |rank: f64| 1.0 / (rank + 1.0).log2();
            sum(gains(alpha), discount) / sum(coverage.ideal(alpha).take(measure.ranks()), discount)
        }
        DiversityMeasure::ErrIa { .. } => {
            let discount = |rank: f64| 1.0 / rank;
            let alpha = Alpha::default();
            let every = std::iter::successors(Some(1.0), |worth| Some(worth * (1.0 - alpha.get())));
            // it ends where halving has reached 0, however deep the cutoff
            let best = sum(every.take(measure.ranks()).take_while(|worth| *worth > 0.0), discount);
            sum(gains(alpha), discount) / (best * coverage.subtopics as f64)
        }
        DiversityMeasure::StRecall { .. } => {
            let mut seen = vec![false; coverage.subtopics];
            for subtopic in list.iter().flat_map(|document| coverage.of(document)) {
                seen[*subtopic] = true;
            }
            seen.iter().filter(|seen| **seen).count() as f64 / coverage.subtopics as f64
        }
    }
}

/// Gains, discounted by their ranks.
fn sum(gains: impl Iterator<Item = f64>, discount: impl Fn(f64) -> f64) -> f64 {
    gains.enumerate().fold(0.0, |sum, (index, gain)| sum + gain * discount((index + 1) as f64))
}

//! Estimates a change of all labels from a sample.

use llull_core::{Seed, SplitMix64};
use llull_stats::{Proportion, StatsError};
use serde::Serialize;

use crate::evidence::StudyEvidence;

/// The number of changed labels in a uniform sample, and the estimate for all.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangeSample {
    /// Pairs of query and document with an earlier label, from which the sample is drawn.
    pub of: usize,
    /// The number of drawn pairs.
    pub drawn: usize,
    /// The number of drawn pairs with a new label.
    pub answered: usize,
    /// The seed of the draw: the same seed draws the same pairs.
    pub seed: u64,
    /// The number of changed labels, with Wilson's interval for the share of all; null ends without any answer.
    pub changed: Proportion,
    /// The interval's confidence.
    pub confidence: f64,
}

impl ChangeSample {
    /// Draws `wanted` of the labelled pairs, each with the same probability, without replacement. Returns their places
    /// in the pool, ascending, and the number of labelled pairs.
    pub fn draw(earlier: &StudyEvidence, wanted: usize, seed: Seed) -> (Vec<usize>, usize) {
        let labelled = earlier.pooled.cases().enumerate().filter(|(_, case)| {
            let label = earlier.judged().get(&case.topic.id, case.document_id());
            label.is_some()
        });
        let mut places: Vec<usize> = labelled.map(|(place, _)| place).collect();
        let of = places.len();
        let mut stream = SplitMix64::new(seed.stream("sample of a change"));
        // Fisher and Yates's shuffle, as far as it is needed. For small numbers of places the remainder of 64 bits is
        // uniform.
        for at in 0..wanted.min(of) {
            places.swap(at, at + (stream.next_u64() % (of - at) as u64) as usize);
        }
        places.truncate(wanted);
        places.sort_unstable();
        (places, of)
    }

    /// Makes the estimate from the numbers of drawn and of all pairs, and of changed and of answered ones.
    ///
    /// # Errors
    /// Returns an error if the confidence is not between 0 and 1.
    pub fn new(
        (drawn, of): (usize, usize),
        (differ, answered): (usize, usize),
        seed: Seed,
        confidence: f64,
    ) -> Result<Self, StatsError> {
        let changed = Proportion::new(differ as u64, answered as u64, confidence)?;
        Ok(Self { of, drawn, answered, seed: seed.0, changed, confidence })
    }
}

//! What a change would do to all labels, from a sample of them.

use llull_core::{Seed, SplitMix64};
use llull_stats::{Proportion, StatsError};
use serde::Serialize;

use crate::evidence::StudyEvidence;

/// How many labels of a uniform sample change, and what follows for all of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangeSample {
    /// Pairs of query and document that have an earlier label: the sample is of these.
    pub of: usize,
    /// How many were drawn.
    pub drawn: usize,
    /// How many of those have a new label.
    pub answered: usize,
    /// The seed of the draw: the same seed draws the same pairs again.
    pub seed: u64,
    /// How many of those labels change, with Wilson's interval for the share of all that would; null ends where none
    /// was answered.
    pub changed: Proportion,
    /// The interval's confidence.
    pub confidence: f64,
}

impl ChangeSample {
    /// Draws `wanted` of the pairs that have a label, each with the same probability, without putting back. Returns
    /// their places in the pool, ascending, and how many pairs there were to draw from.
    pub fn draw(earlier: &StudyEvidence, wanted: usize, seed: Seed) -> (Vec<usize>, usize) {
        let labelled = earlier.pooled.cases().enumerate().filter(|(_, case)| {
            let label = earlier.judged().get(&case.topic.id, case.document_id());
            label.is_some()
        });
        let mut places: Vec<usize> = labelled.map(|(place, _)| place).collect();
        let of = places.len();
        let mut stream = SplitMix64::new(seed.stream("sample of a change"));
        // Fisher and Yates's shuffle, as far as it is needed. For so few places the remainder of 64 bits is uniform.
        for at in 0..wanted.min(of) {
            places.swap(at, at + (stream.next_u64() % (of - at) as u64) as usize);
        }
        places.truncate(wanted);
        places.sort_unstable();
        (places, of)
    }

    /// Counts: how many pairs were drawn of how many, and how many labels differ of how many that were answered.
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

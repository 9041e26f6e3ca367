//! Contradictions by how far documents are apart in the final order.

use llull_rank::PairsAtDistance;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::charts::columns_chart;
use crate::text::{count, percent};

/// Compared pairs of documents whose places in the final order are about as far apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DistanceCount {
    /// The least distance: 1 for neighbours, then 2, 4, 8 and so on, each up to the next.
    pub distance: usize,
    /// The pairs that an answer compared.
    pub pairs: u64,
    /// Those of which an answer had the other document ahead.
    pub contradictory: u64,
}

impl From<&PairsAtDistance> for DistanceCount {
    fn from(found: &PairsAtDistance) -> Self {
        let PairsAtDistance { distance, pairs, contradictory } = *found;
        Self { distance, pairs, contradictory }
    }
}

impl DistanceCount {
    /// Adds counts to others, distance by distance.
    pub(super) fn add(sums: &mut Vec<Self>, counts: &[Self]) {
        for found in counts {
            match sums.iter_mut().find(|sum| sum.distance == found.distance) {
                Some(sum) => {
                    sum.pairs += found.pairs;
                    sum.contradictory += found.contradictory;
                }
                None => sums.push(*found),
            }
        }
        sums.sort_by_key(|sum| sum.distance);
    }

    fn share(self) -> f64 {
        self.contradictory as f64 / self.pairs as f64
    }

    fn name(self) -> String {
        match self.distance {
            1 => "1 place apart".to_owned(),
            least => format!("{least} to {} places apart", 2 * least - 1),
        }
    }
}

/// Describes how contradictions fall with the distance; `None` without a contradiction.
pub(crate) fn distance_sentence(counts: &[DistanceCount]) -> Option<String> {
    counts.iter().find(|found| found.contradictory > 0)?;
    let (first, last) = (counts.first()?, counts.last()?);
    let of = |found: &DistanceCount| {
        format!("{} of {} pairs {}", percent(found.share()), count(found.pairs), found.name())
    };
    Some(format!(
        "Answers against the final order, by its distance: {}{}.",
        of(first),
        if first.distance == last.distance { String::new() } else { format!(", {}", of(last)) }
    ))
}

/// Draws the share of contradictory pairs at each distance; `None` without a contradiction.
pub(crate) fn distance_chart(counts: &[DistanceCount]) -> Option<String> {
    counts.iter().find(|found| found.contradictory > 0)?;
    let shares: Vec<(String, f64)> = counts.iter().map(|found| (found.name(), found.share())).collect();
    Some(columns_chart("Contradictory pairs by distance in the final order", &shares, percent))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(distance: usize, pairs: u64, contradictory: u64) -> DistanceCount {
        DistanceCount { distance, pairs, contradictory }
    }

    #[test]
    fn counts_of_queries_are_added_up_and_described() {
        let mut sums = Vec::new();
        DistanceCount::add(&mut sums, &[at(1, 30, 6), at(4, 10, 0)]);
        DistanceCount::add(&mut sums, &[at(1, 10, 4), at(2, 7, 1), at(4, 10, 1)]);
        assert_eq!(sums, [at(1, 40, 10), at(2, 7, 1), at(4, 20, 1)]);
        assert_eq!(
            distance_sentence(&sums).unwrap(),
            "Answers against the final order, by its distance: 25.0% of 40 pairs 1 place apart, 5.0% of 20 pairs 4 to \
             7 places apart."
        );
        assert_eq!(distance_chart(&sums).unwrap().matches("<rect").count(), 3);
        assert_eq!((distance_sentence(&[at(1, 5, 0)]), distance_chart(&[])), (None, None));
    }
}

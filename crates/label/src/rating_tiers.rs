//! Tiers from ratings: equal scores share a tier.

use llull_core::Item;
use llull_rank::ratings::Ratings;

/// Ratings of several groups, which have no common scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the comparisons fall into {components} groups with no comparison between them, so their scores are not on one \
     scale: compare items of different groups, or label each group by itself"
)]
pub struct Incomparable {
    /// The number of groups.
    pub components: usize,
}

/// Returns the rated items as tiers, best first: equal scores share a tier. An item without a score is in no tier,
/// and so has no label. All of them are final for a [`TierView`](crate::TierView), since ratings know of no open
/// questions.
///
/// # Errors
/// Returns an error if scores of different components would have to be compared.
pub fn rating_tiers(ratings: &Ratings) -> Result<Vec<Vec<Item>>, Incomparable> {
    if ratings.components.len() > 1 {
        return Err(Incomparable { components: ratings.components.len() });
    }
    let scored =
        ratings.scores.iter().zip((0..).map(Item)).filter_map(|(score, item)| Some(((*score)?, item)));
    let mut scored: Vec<(f64, Item)> = scored.collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let tiers = scored.chunk_by(|a, b| a.0 == b.0);
    Ok(tiers.map(|tier| tier.iter().map(|(_, item)| *item).collect()).collect())
}

#[cfg(test)]
mod tests {
    use llull_core::Ballot;

    use super::*;

    fn ratings(scores: &[Option<f64>], components: Vec<Vec<Item>>) -> Ratings {
        let se = vec![None; scores.len()];
        Ratings { scores: scores.to_vec(), se, components, iterations: 0 }
    }

    #[test]
    fn equal_scores_share_a_tier_and_no_score_is_no_tier() {
        let scores = [Some(0.5), None, Some(2.0), Some(0.5), Some(-0.0), Some(0.0)];
        let tiers = rating_tiers(&ratings(&scores, Ballot::of([[0, 2, 3, 4, 5]]).groups)).unwrap();
        assert_eq!(tiers, Ballot::of([vec![2], vec![0, 3], vec![5, 4]]).groups);
        assert!(rating_tiers(&ratings(&[None], Vec::new())).unwrap().is_empty());
    }

    #[test]
    fn groups_that_never_met_are_not_put_in_order() {
        let apart = rating_tiers(&ratings(&[Some(1.0), Some(0.0)], Ballot::of([[0], [1]]).groups));
        assert_eq!(apart, Err(Incomparable { components: 2 }));
    }
}

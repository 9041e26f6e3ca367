//! The rating scheme: labels of the whole pool from a rating of its documents.

use llull_core::{Grade, Item, Label};
use llull_rank::{Tier, TournamentOutcome};

use crate::levels::settled;

/// The highest grade of [`rating`].
pub const HIGHEST_RATING: Grade = 10;

/// Spreads the ratings of a pool from 0 to 10: with the lowest and the highest rating, a grade is
/// round(10 (r - lowest) / (highest - lowest)). Returns a label for each item with a rating, by position.
///
/// The items of each set of `alike`, which share none, have the mean of their ratings. If all ratings are equal, no
/// item has a label, since that prefers nothing.
///
/// ```
/// use llull_core::Item;
/// use llull_label::rating;
///
/// let labels = rating(&[Some(3.0), Some(5.0), Some(-1.0), None], &[&[0, 1].map(Item)]);
/// let grades: Vec<_> = labels.iter().map(|label| label.map(|label| label.grade)).collect();
/// assert_eq!(grades, [Some(10), Some(10), Some(0), None]);
/// ```
pub fn rating(ratings: &[Option<f64>], alike: &[&[Item]]) -> Vec<Option<Label>> {
    let mut levelled = ratings.to_vec();
    for set in alike {
        let own = |item: &Item| levelled.get(item.index()).copied().flatten();
        let rated: Vec<(Item, f64)> = set.iter().filter_map(|item| Some((*item, own(item)?))).collect();
        let mean = rated.iter().map(|(_, rating)| rating).sum::<f64>() / rated.len() as f64;
        for (item, _) in rated {
            if let Some(rating) = levelled.get_mut(item.index()) {
                *rating = Some(mean);
            }
        }
    }
    let known = || levelled.iter().flatten().copied();
    let (lowest, highest) =
        (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
    let range = highest - lowest;
    let grade = |rating: f64| (f64::from(HIGHEST_RATING) * (rating - lowest) / range).round() as Grade;
    levelled
        .iter()
        .map(|rating| rating.filter(|_| range > 0.0).map(|rating| settled(grade(rating))))
        .collect()
}

/// Returns the [`rating`] labels of a tournament. Items of a tier are alike, unless the tier has no order yet, or is a
/// contradiction that was not resolved. If no tier is final, for instance because a budget ran out early, no item has a
/// label: missing, not 0.
///
/// Unlike schemes that count tiers, it also labels the documents below the top that the tournament searches. In a study
/// of 37 systems with simulated judges (TREC DL 2019), that found .91 of the significant differences of human labels in
/// place of .85, and with a noisy judge .87 in place of .79.
pub fn tournament_rating(outcome: &TournamentOutcome) -> Vec<Option<Label>> {
    if !outcome.tiers.iter().any(|tier| tier.is_final) {
        return vec![None; outcome.ratings.len()];
    }
    let is_alike = |tier: &&Tier| outcome.credible || (tier.is_final && !tier.contradictory);
    let alike: Vec<&[Item]> =
        outcome.tiers.iter().filter(is_alike).map(|tier| tier.items.as_slice()).collect();
    rating(&outcome.ratings, &alike)
}

#[cfg(test)]
mod tests {
    use llull_core::Ballot;
    use llull_rank::{TieRule, Tournament, TournamentOptions, tiers};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn without_a_difference_nothing_is_known() {
        assert_eq!(rating(&[Some(1.0), Some(1.0)], &[]), [None; 2]);
        assert_eq!(rating(&[Some(1.0), Some(2.0)], &[&[0, 1].map(Item)]), [None; 2]);
        assert_eq!(rating(&[None, None], &[]), [None; 2]);
        assert!(rating(&[], &[]).is_empty());
    }

    #[test]
    fn without_a_final_tier_nothing_is_known() {
        let mut tournament = Tournament::new(30, TournamentOptions::default()).unwrap();
        assert_eq!(tournament_rating(&tournament.outcome()), [None; 30]);
        for first in [0, 10, 20] {
            tournament.cast(&Ballot::strict((first..first + 10).map(Item)));
        }
        assert_eq!(tournament_rating(&tournament.outcome()), [None; 30], "three best documents, in no order");
    }

    #[test]
    fn ties_share_a_label_and_cycles_do_not_hide_the_votes() {
        let grades = |ballots: &[Ballot], items: usize| -> Vec<Option<Grade>> {
            let labels = tournament_rating(&tiers(items, ballots, TieRule::Equal));
            labels.iter().map(|label| label.map(|label| label.grade)).collect()
        };
        let tied = grades(&[Ballot::of([vec![0], vec![1, 2], vec![3]])], 4);
        assert!(tied[1] == tied[2] && (tied[0], tied[3]) == (Some(10), Some(0)), "{tied:?}");
        let strict = |order: [u32; 3]| Ballot::strict(order.map(Item));
        let cycle = grades(&[strict([0, 1, 2]), strict([0, 1, 2]), strict([2, 0, 1]), strict([2, 0, 1])], 3);
        assert!(cycle[0] > cycle[1], "{cycle:?}");
    }

    proptest! {
        #[test]
        fn labels_keep_the_order_of_ratings_and_are_equal_within_tiers(
            ratings in prop::collection::vec(prop::option::weighted(0.9, -9.0..9.0f64), 2..40),
            cuts in prop::collection::vec((1..5usize, any::<bool>()), 1..40),
        ) {
            let items: Vec<Item> = Item::first(ratings.len()).collect();
            let (mut left, mut alike, mut alone) = (items.as_slice(), Vec::new(), Vec::new());
            for (size, together) in cuts {
                let (set, rest) = left.split_at(size.min(left.len()));
                if together { alike.push(set) } else { alone.extend_from_slice(set) }
                left = rest;
            }
            alone.extend_from_slice(left);
            let labels = rating(&ratings, &alike);
            let grade = |item: &Item| labels[item.index()].map(|label| label.grade);
            prop_assert!(labels.iter().flatten().all(|label| (0..=10).contains(&label.grade)));
            for set in &alike {
                let grades: Vec<Grade> = set.iter().filter_map(grade).collect();
                prop_assert!(grades.windows(2).all(|pair| pair[0] == pair[1]));
            }
            let mut rated: Vec<(f64, Grade)> =
                alone.iter().filter_map(|item| Some((ratings[item.index()]?, grade(item)?))).collect();
            rated.sort_by(|a, b| a.0.total_cmp(&b.0));
            prop_assert!(rated.is_sorted_by_key(|(_, grade)| *grade));
            if labels.iter().flatten().count() > 0 {
                for end in [0, HIGHEST_RATING] {
                    prop_assert!(labels.iter().flatten().any(|label| label.grade == end));
                }
            }
        }
    }
}

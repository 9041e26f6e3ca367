//! The preference of each judge of a panel on each pair.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use llull_core::{Ballot, Item};

use super::options::TieRule;
use super::votes::Votes;

/// A pair of items that some judge of a panel compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PanelPair {
    /// The items, the lower number first.
    pub items: (Item, Item),
    /// By the judge's place in the panel: `Greater` if it put the first item ahead more often, `Less` if the second,
    /// `Equal` if neither; `None` if it has not compared them.
    pub judges: Vec<Option<Ordering>>,
}

/// Returns the pairs that a panel of `judges` judges has compared, in ascending order, with the preference of each.
/// Weights of judges do not count. A ballot of a judge that the panel does not have, or about items beyond `items`, is
/// left out.
pub fn panel_pairs(items: usize, judges: usize, ballots: &[Ballot]) -> Vec<PanelPair> {
    let mut pairs: BTreeMap<(Item, Item), Vec<Option<Ordering>>> = BTreeMap::new();
    for judge in 0..judges {
        let mut votes = Votes::new(items, TieRule::Equal);
        for ballot in ballots.iter().filter(|ballot| ballot.judge as usize == judge) {
            votes.apply(ballot);
        }
        for (pair, tally) in votes.pairs() {
            let said = pairs.entry(pair).or_insert_with(|| vec![None; judges]);
            if let Some(said) = said.get_mut(judge) {
                *said = Some(tally.margin().cmp(&0));
            }
        }
    }
    pairs.into_iter().map(|(items, judges)| PanelPair { items, judges }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_judge_has_one_word_on_each_pair_that_it_compared() {
        let says = |judge, ballot: Ballot| Ballot { judge, ..ballot };
        let found = panel_pairs(
            3,
            2,
            &[
                says(0, Ballot::of([[0], [1]])),
                says(0, Ballot::of([[1], [0]])),
                says(1, Ballot::of([[2], [0]])),
                says(1, Ballot { weight: 0.25, ..Ballot::of([[1], [0]]) }),
                says(2, Ballot::of([[1], [2]])),
                says(1, Ballot::of([[7], [0]])),
            ],
        );
        let pair = |low, high, judges: [Option<Ordering>; 2]| PanelPair {
            items: (Item(low), Item(high)),
            judges: judges.to_vec(),
        };
        assert_eq!(
            found,
            [
                pair(0, 1, [Some(Ordering::Equal), Some(Ordering::Less)]),
                pair(0, 2, [None, Some(Ordering::Less)]),
            ]
        );
    }
}

//! Contradictions of a panel's majority, and of its judges.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use llull_core::{Ballot, Item};
use serde::Serialize;

use super::bits;
use super::cycles::{CycleCount, count_cycles};
use super::options::TieRule;
use super::votes::Votes;

/// The contradictions of each judge of a panel, and of their majority.
///
/// Judges who never contradict themselves can have a cyclic majority. Of three, one orders a, b, c, one b, c, a and
/// one c, a, b. So two of three put a before b, b before c, and c before a (Condorcet, Essai sur l'application de
/// l'analyse, 1785). Such a cycle shows that judges disagree, not that one is careless.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct PanelCycles {
    /// Each judge's own, by the judge's place in the panel.
    pub judges: Vec<CycleCount>,
    /// The majority's: of each pair every judge that compared it has one vote, for the document that the judge put
    /// first more often.
    pub majority: CycleCount,
    /// The majority's cyclic triangles that are not cyclic for any judge.
    pub of_no_judge: u64,
}

/// Counts the contradictions in the ballots of a panel of `judges` judges. Weights of judges do not count; a ballot of
/// a judge that the panel does not have, or about items beyond `items`, is left out.
pub fn panel_cycles(items: usize, judges: usize, ballots: &[Ballot]) -> PanelCycles {
    let mut own: Vec<Votes> = (0..judges).map(|_| Votes::new(items, TieRule::Equal)).collect();
    for ballot in ballots {
        if let Some(votes) = own.get_mut(ballot.judge as usize) {
            votes.apply(ballot);
        }
    }
    let mut majority = Votes::new(items, TieRule::Equal);
    for votes in &own {
        for ((low, high), tally) in votes.pairs() {
            let groups = match tally.low.cmp(&tally.high) {
                std::cmp::Ordering::Greater => vec![vec![low], vec![high]],
                std::cmp::Ordering::Less => vec![vec![high], vec![low]],
                std::cmp::Ordering::Equal => vec![vec![low, high]],
            };
            majority.apply(&Ballot::new(groups));
        }
    }
    PanelCycles {
        judges: own.iter().map(count_cycles).collect(),
        of_no_judge: cycles_of_none(&majority, &own),
        majority: count_cycles(&majority),
    }
}

/// The cyclic triangles of the majority that are cyclic in no judge's own votes.
fn cycles_of_none(majority: &Votes, own: &[Votes]) -> u64 {
    let (leads, trails) = (majority.leads(), majority.trails());
    let mut found = 0;
    for one in 0..majority.items() {
        // Each cycle is met once, from its first item.
        for other in bits::members(leads.row(one)).filter(|other| *other > one) {
            let closing = bits::members(leads.row(other)).filter(|third| *third > one);
            for third in closing.filter(|third| trails.get(one, *third)) {
                let cycle = [one, other, third].map(Item::at);
                found += u64::from(!own.iter().any(|votes| is_cycle(votes, cycle)));
            }
        }
    }
    found
}

/// Whether the items form a cycle, in either direction.
fn is_cycle(votes: &Votes, [a, b, c]: [Item; 3]) -> bool {
    let leads = |one, other| {
        let tally = votes.between(one, other);
        tally.low > tally.high
    };
    leads(a, b) && leads(b, c) && leads(c, a) || leads(b, a) && leads(c, b) && leads(a, c)
}

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
    use proptest::prelude::*;

    use super::*;

    fn says(judge: u32, order: [u32; 3]) -> Ballot {
        Ballot { judge, ..Ballot::strict(order.map(Item)) }
    }

    /// Condorcet's own example.
    #[test]
    fn the_majority_of_three_who_are_sure_has_a_cycle() {
        let found = panel_cycles(3, 3, &[says(0, [0, 1, 2]), says(1, [1, 2, 0]), says(2, [2, 0, 1])]);
        assert_eq!(found.judges.iter().map(|own| own.cyclic).collect::<Vec<_>>(), [0, 0, 0]);
        assert_eq!((found.majority.cyclic, found.majority.triangles, found.of_no_judge), (1, 1, 1));
    }

    #[test]
    fn a_cycle_that_a_judge_has_is_that_judges() {
        let cycle = [[0, 1], [1, 2], [2, 0]];
        let ballots = cycle.map(|pair| Ballot { judge: 1, ..Ballot::strict(pair.map(Item)) });
        let found = panel_cycles(3, 2, &ballots);
        assert_eq!((found.judges[0].cyclic, found.judges[1].cyclic), (0, 1));
        assert_eq!((found.majority.cyclic, found.of_no_judge), (1, 0));
        // A third opinion from nowhere and items that are not there count for nothing.
        let more = [says(7, [0, 1, 2]), says(0, [7, 8, 9])];
        assert_eq!(panel_cycles(3, 2, &[ballots.as_slice(), &more].concat()), found);
    }

    #[test]
    fn a_judge_has_one_vote_however_often_asked() {
        let ballots = [says(0, [0, 1, 2]), says(0, [0, 1, 2]), says(0, [0, 1, 2])];
        let two = [says(1, [1, 2, 0]), says(2, [2, 0, 1])];
        assert_eq!(panel_cycles(3, 3, &[ballots.as_slice(), &two].concat()).of_no_judge, 1);
    }

    proptest! {
        /// A judge that orders all items has no cycle, and no cycle of such a panel's majority is a judge's own.
        #[test]
        fn orders_contradict_nothing(seeds in prop::collection::vec(any::<u64>(), 1..6)) {
            let order = |seed: u64| {
                let mut items: Vec<Item> = Item::first(7).collect();
                items.sort_by_key(|item| llull_core::SplitMix64::mix(seed ^ u64::from(item.0)));
                items
            };
            let ballots: Vec<Ballot> = seeds
                .iter()
                .zip(0..)
                .map(|(seed, judge)| Ballot { judge, ..Ballot::strict(order(*seed)) })
                .collect();
            let found = panel_cycles(7, seeds.len(), &ballots);
            prop_assert!(found.judges.iter().all(|own| own.cyclic == 0 && own.component_sizes.is_empty()));
            prop_assert_eq!(found.of_no_judge, found.majority.cyclic);
            prop_assert!(seeds.len() > 2 || found.majority.cyclic == 0);
        }
    }

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

//! A simulated judge with known errors.

use std::cmp::Ordering;

use llull_core::{Ballot, Item};

use crate::random::Random;

/// A judge that sees the worth of each item through noise, which is drawn anew for every answer.
///
/// An answer depends on the seed, the set of items and the round, and on nothing else: not on the order in
/// which the items are named, nor on earlier questions. So a simulation is the same in whatever order answers
/// arrive.
///
/// ```
/// use llull_core::Item;
/// use llull_rank::simulate::NoisyJudge;
///
/// let perfect = NoisyJudge::new(vec![0.2, 0.9, 0.5], 1);
/// assert_eq!(perfect.answer(&[0, 1, 2].map(Item), 0).groups, [[1], [2], [0]].map(|item| item.map(Item)));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct NoisyJudge {
    /// The worth of each item, by position: more is better. Finite.
    pub worth: Vec<f64>,
    /// The standard deviation of the error with which a worth is seen in one answer; 0 for a perfect judge.
    pub noise: f64,
    /// Neighbours in an answer that seem to differ by less than this are reported as tied; 0 for a judge that
    /// never ties. [`margin_for_share`](Self::margin_for_share) returns the margin for a share of ties.
    pub margin: f64,
    /// The bonus of the item shown first: the one shown last gets none, those in between a proportional one. The order
    /// in which items are shown is drawn for every answer.
    pub position_bias: f64,
    /// The source of its errors. Judges with different seeds are independent.
    pub seed: u64,
}

impl NoisyJudge {
    /// Creates a perfect judge of these items: no noise, no ties, no bias.
    pub fn new(worth: Vec<f64>, seed: u64) -> Self {
        Self { worth, noise: 0.0, margin: 0.0, position_bias: 0.0, seed }
    }

    /// Returns its order of exactly this set, in repetition `round` (from 0). Items that it does not know are worth
    /// negative infinity. If worths are equal and no margin ties them, the item of the lower position is the better
    /// one.
    pub fn answer(&self, items: &[Item], round: u32) -> Ballot {
        let mut seen = self.seen(items, round);
        seen.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let groups = seen
            .chunk_by(|better, worse| better.1 - worse.1 < self.margin)
            .map(|tied| {
                // In the order of their numbers, which has no meaning.
                let mut items: Vec<Item> = tied.iter().map(|(item, _)| *item).collect();
                items.sort_unstable();
                items
            })
            .collect();
        Ballot::new(groups)
    }

    /// Returns which of two items it finds better in round 0: `Greater` for the first, `Equal` for a tie. It
    /// is the same as its [`answer`](Self::answer) about the two, in a tenth of the time.
    pub fn prefers(&self, a: Item, b: Item) -> Ordering {
        let (low, high) = (a.min(b), a.max(b));
        let (mut first, mut second) = (self.worth_of(low), self.worth_of(high));
        if self.position_bias != 0.0 {
            let seen = self.seen(&[low, high], 0);
            let of = |item| {
                seen.iter().find(|(other, _)| *other == item).map_or(f64::NEG_INFINITY, |(_, worth)| *worth)
            };
            (first, second) = (of(low), of(high));
        } else if self.noise != 0.0 {
            let mut random = Random::new(self.seed, [0, low.0, high.0]);
            first += self.noise * random.normal();
            second += self.noise * random.normal();
        }
        if (first - second).abs() < self.margin {
            return Ordering::Equal;
        }
        let low_is_better = first >= second;
        if low_is_better == (low == a) { Ordering::Greater } else { Ordering::Less }
    }

    /// Returns the worth of an item that it sees alone, in round 0.
    pub(super) fn sees(&self, item: Item) -> f64 {
        let seen = self.seen(&[item], 0);
        seen.first().map_or(f64::NEG_INFINITY, |(_, worth)| *worth)
    }

    fn worth_of(&self, item: Item) -> f64 {
        self.worth.get(item.index()).copied().unwrap_or(f64::NEG_INFINITY)
    }

    /// Returns the items with their worth as seen in one answer.
    fn seen(&self, items: &[Item], round: u32) -> Vec<(Item, f64)> {
        let mut seen: Vec<(Item, f64)> = items.iter().map(|&item| (item, self.worth_of(item))).collect();
        if self.noise == 0.0 && self.position_bias == 0.0 {
            return seen;
        }
        seen.sort_unstable_by_key(|(item, _)| *item);
        let mut random =
            Random::new(self.seed, [round].into_iter().chain(seen.iter().map(|(item, _)| item.0)));
        for (_, worth) in &mut seen {
            *worth += self.noise * random.normal();
        }
        if self.position_bias != 0.0 {
            random.shuffle(&mut seen);
            let last = seen.len().saturating_sub(1).max(1) as f64;
            for (place, (_, worth)) in seen.iter_mut().enumerate() {
                *worth += self.position_bias * (1.0 - place as f64 / last);
            }
        }
        seen
    }

    /// Returns the margin at which a share of the neighbours in an answer is reported as tied. It is the
    /// `share`-quantile of the gaps between neighbours in its answers about `window` items drawn at random, over at
    /// least 4,000 gaps. It is 0 for a share of 0, infinite for a share of 1.
    ///
    /// Ties come from a margin and not from chance, so that items of similar worth are tied, as with models. Late in a
    /// tournament items of about the same worth meet, and more of them are tied than of items drawn at random.
    pub fn margin_for_share(&self, share: f64, window: usize) -> f64 {
        let window = window.min(self.worth.len());
        if share <= 0.0 || window < 2 {
            return 0.0;
        }
        if share >= 1.0 {
            return f64::INFINITY;
        }
        let mut random = Random::new(self.seed, [0xA11_713D, window as u32]);
        let mut items: Vec<Item> = Item::first(self.worth.len()).collect();
        let mut gaps = Vec::new();
        for round in 0..4_000_usize.div_ceil(window - 1) {
            random.draw(&mut items, window);
            // Rounds from the far end, so that these errors are not those of the answers to come.
            let mut seen = self.seen(items.get(..window).unwrap_or_default(), u32::MAX - round as u32);
            seen.sort_unstable_by(|a, b| b.1.total_cmp(&a.1));
            gaps.extend(seen.windows(2).map(|pair| pair[0].1 - pair[1].1));
        }
        gaps.sort_unstable_by(f64::total_cmp);
        gaps.get((share * gaps.len() as f64) as usize).copied().unwrap_or(f64::INFINITY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(noise: f64) -> NoisyJudge {
        NoisyJudge { noise, ..NoisyJudge::new((0..50).map(f64::from).collect(), 3) }
    }

    #[test]
    fn an_answer_depends_on_seed_set_and_round_alone() {
        let judge = judge(5.0);
        let answer = judge.answer(&[4, 9, 17, 30].map(Item), 0);
        assert_eq!(answer, judge.answer(&[30, 4, 17, 9].map(Item), 0));
        let rounds: Vec<Ballot> =
            (0..20).map(|round| judge.answer(&[14, 15, 16, 17].map(Item), round)).collect();
        assert!(rounds.iter().any(|other| *other != rounds[0]), "noise is drawn anew");
        let other = NoisyJudge { seed: 4, ..judge };
        assert!(
            (0..20).any(|round| other.answer(&[14, 15, 16, 17].map(Item), round) != rounds[round as usize])
        );
    }

    #[test]
    fn a_preference_is_the_answer_about_two() {
        for (noise, margin, position_bias) in
            [(0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (4.0, 3.0, 0.0), (4.0, 3.0, 5.0)]
        {
            let judge = NoisyJudge { margin, position_bias, ..judge(noise) };
            for (a, b) in
                Item::first(50).flat_map(|a| Item::first(50).map(move |b| (a, b))).filter(|(a, b)| a != b)
            {
                let expected = match judge.answer(&[a, b], 0).groups.as_slice() {
                    [best, _] if best == &[a] => Ordering::Greater,
                    [_, _] => Ordering::Less,
                    _ => Ordering::Equal,
                };
                assert_eq!(judge.prefers(a, b), expected, "{a} {b} {judge:?}");
            }
        }
    }

    #[test]
    fn errors_have_the_deviation_asked_for() {
        let judge = judge(2.0);
        let errors: Vec<f64> = (0..2_000)
            .flat_map(|round| judge.seen(&[3, 7].map(Item), round))
            .map(|(item, seen)| seen - f64::from(item.0))
            .collect();
        let n = errors.len() as f64;
        let mean = errors.iter().sum::<f64>() / n;
        let deviation = (errors.iter().map(|error| (error - mean).powi(2)).sum::<f64>() / n).sqrt();
        // Four standard errors.
        assert!(mean.abs() < 4.0 * 2.0 / n.sqrt(), "{mean}");
        assert!((deviation - 2.0).abs() < 4.0 * 2.0 / (2.0 * n).sqrt(), "{deviation}");
    }

    #[test]
    fn the_margin_gives_the_share_of_ties_asked_for() {
        for (noise, window, share) in [(0.0, 2, 0.5), (3.0, 10, 0.1), (3.0, 5, 0.4), (10.0, 20, 0.8)] {
            let mut judge = judge(noise);
            judge.margin = judge.margin_for_share(share, window);
            let mut random = Random::new(99, []);
            let mut items: Vec<Item> = Item::first(50).collect();
            let (mut tied, mut pairs) = (0, 0);
            for round in 0..4_000 / window as u32 {
                random.draw(&mut items, window);
                tied += window - judge.answer(&items[..window], round).groups.len();
                pairs += window - 1;
            }
            let found = tied as f64 / pairs as f64;
            assert!((found - share).abs() < 0.05, "{noise} {window} {share}: {found}");
        }
        assert_eq!(judge(1.0).margin_for_share(0.0, 10), 0.0);
        let all = NoisyJudge { margin: judge(1.0).margin_for_share(1.0, 10), ..judge(1.0) };
        assert_eq!(all.answer(&[1, 2, 3].map(Item), 0).groups.len(), 1);
    }

    #[test]
    fn the_first_shown_gains_by_a_position_bias() {
        // Far more bias than worth: the answer is the order shown, which changes from round to round.
        let biased = NoisyJudge { position_bias: 1e6, ..judge(0.0) };
        let firsts: std::collections::BTreeSet<Item> =
            (0..100).map(|round| biased.answer(&[1, 2, 3, 4].map(Item), round).groups[0][0]).collect();
        assert_eq!(firsts.len(), 4);
    }
}

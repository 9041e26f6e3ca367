//! The result of a tournament.

use llull_core::Item;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use super::components::Component;
use super::cycles::{CycleCount, PairsAtDistance, by_distance, count_cycles, in_cycles};
use super::reach::Reach;
use super::state_machine::Position;
use super::votes::Votes;
use super::{bits, exhaustive, leaders, rejudge, strength};
use crate::ratings::{Posterior, posterior};

/// Items between which the votes make no difference, or none that is credible.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tier {
    /// The items, best rated first.
    pub items: Vec<Item>,
    /// The share, from 0 to 1, of the vote weight between these items and items of other tiers that agrees
    /// with the order of the tiers; a tie counts half. `None` if no such vote was cast.
    pub support: Option<f64>,
    /// Whether the tier is final: no further answer can move an item into it, out of it or past it, and no
    /// contradiction in it is still to be repeated. Of credible tiers, those that begin above the end of the top, once
    /// no question is left.
    pub is_final: bool,
    /// Whether items of this tier form a cycle.
    pub cyclic: bool,
    /// Whether contradictory votes, and not ties alone, hold items of this tier together: no order of them fits all
    /// votes. This is a cycle, a pair with equal votes for both sides, or a leader that ties lead back to: a before b,
    /// b equal to c, c equal to a.
    pub contradictory: bool,
}

/// Everything that a tournament knows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TournamentOutcome {
    /// The tiers, best first: the final ones, then the provisional ones. Every item is in exactly one. A
    /// provisional tier ends only where votes put an item below one of its members, so it claims no more than
    /// is known.
    pub tiers: Vec<Tier>,
    /// Every item, best first: by tier; inside a tier by the rating of the votes, in which the prior order
    /// counts as much as the votes support it; then by the prior order. It agrees with everything that a
    /// judge that does not contradict itself has put in order.
    pub order: Vec<Item>,
    /// Every item, best first, by the same rating alone, across the borders of tiers: a guess, where `order` is
    /// limited to consequences of the votes. If the judge is noisy and calls were few, above all if the tournament was
    /// stopped early, it is the better of the two. With a nearly perfect judge it is worse by some thousandths of
    /// nDCG. Labels, qrels, reports and plans use the tiers.
    pub ranking: Vec<Item>,
    /// The Bradley-Terry rating of each item, by position, in log-odds of winning, with a normal prior of deviation 3
    /// around 0. `None` for an item that no vote is about.
    pub ratings: Vec<Option<f64>>,
    /// The spread of the items' scores in units of the judge's noise, by its own votes: about 8 for a judge that never
    /// contradicts itself, 1 for a very noisy one. `None` if no question showed more than two items, since then nothing
    /// is compared twice.
    pub spread: Option<f64>,
    /// Whether the tiers are credible ones: votes contradicted each other, and a tier ends before an item that is
    /// likely to be worse than the tier's first. Otherwise they are the strongly connected components.
    pub credible: bool,
    /// Contradictions in the votes.
    pub cycles: CycleCount,
    /// Votes against the order, by the distance of the two items in it.
    pub by_distance: Vec<PairsAtDistance>,
    /// The number of batches that were observed.
    pub calls: u64,
    /// The number of waves of which something was observed.
    pub waves: u64,
    /// The number of observed batches without a usable answer.
    pub unanswered: u64,
    /// Whether the requested top is final.
    pub complete: bool,
}

impl TournamentOutcome {
    /// Replaces a tier by the result of another tournament between its items. `items` are these items by their numbers
    /// in the other tournament. The new tiers are final where they are final there and the old tier was.
    /// [`ranking`](Self::ranking), calls and contradictions stay those of this tournament.
    ///
    /// Nothing changes if there is no such tier, or if the items are not those of the tier.
    pub fn refine(&mut self, tier: usize, items: &[Item], found: &TournamentOutcome) {
        let Some(coarse) = self.tiers.get(tier) else { return };
        let mut asked = items.to_vec();
        let mut there = coarse.items.clone();
        asked.sort_unstable();
        there.sort_unstable();
        let covered: usize = found.tiers.iter().map(|tier| tier.items.len()).sum();
        if asked != there || covered != items.len() {
            return;
        }
        let final_before = coarse.is_final;
        let finer: Vec<Tier> = found
            .tiers
            .iter()
            .map(|tier| Tier {
                items: tier.items.iter().filter_map(|item| items.get(item.index()).copied()).collect(),
                is_final: tier.is_final && final_before,
                ..tier.clone()
            })
            .collect();
        self.tiers.splice(tier..=tier, finer);
        self.order = self.tiers.iter().flat_map(|tier| tier.items.iter().copied()).collect();
    }
}

/// Returns the outcome of a position.
pub(crate) fn outcome(position: &Position<'_>) -> TournamentOutcome {
    let Position { options, votes, ballots, reach, condensation, history, prior } = *position;
    let strengths = strength::informed(votes, prior, options.window);
    let resolved = condensation.resolved_prefix();
    let (certain, open) = condensation.components.split_at(resolved);
    let mut open: Vec<&Component> = open.iter().collect();
    // By expected place: above / (above + below) agrees with every known order, and puts an item without known
    // relations into the middle. Compared as fractions.
    open.sort_by(|a, b| {
        let (left, right) = ((a.above + 1) * (b.below + 1), (b.above + 1) * (a.below + 1));
        left.cmp(&right).then(a.items[0].cmp(&b.items[0]))
    });
    let layered = layers(certain.iter(), reach);
    let finals = layered.len();
    let layered = layered.into_iter().chain(layers(open.into_iter(), reach));
    let by_rating = |a: &Item, b: &Item| strengths[b.index()].total_cmp(&strengths[a.index()]).then(a.cmp(b));
    let compares_many = ballots.iter().any(|ballot| ballot.items().nth(2).is_some());
    let of_leaders = leaders::are_compared(position);
    let posterior = (compares_many || of_leaders).then(|| posterior(votes.items(), ballots).ok()).flatten();
    let contradicting: FxHashMap<Item, usize> = condensation
        .components
        .iter()
        .enumerate()
        .filter(|(_, component)| rejudge::is_contradictory(component, votes))
        .flat_map(|(at, component)| component.items.iter().map(move |item| (*item, at)))
        .collect();
    let circling = in_cycles(votes);
    let tier = |mut items: Vec<Item>, is_final: bool| {
        items.sort_by(by_rating);
        // A credible tier may have one item of a component whose others are in other tiers.
        let among = |counts: &dyn Fn(&Item) -> bool| {
            let mut found = FxHashSet::default();
            let mut components = items.iter().filter(|item| counts(item)).map(|item| contradicting.get(item));
            components.any(|component| component.is_some_and(|component| !found.insert(*component)))
        };
        let cyclic = among(&|item| circling.binary_search(item).is_ok());
        let contradictory = among(&|_| true);
        Tier { items, support: None, is_final, cyclic, contradictory }
    };
    let credible = posterior.as_ref().filter(|_| of_leaders);
    let tiers: Vec<Tier> = match credible {
        Some(posterior) => {
            let is_over = leaders::is_over(position);
            let mut above = 0;
            let tiers = credible_tiers(posterior).into_iter().map(|items| {
                let is_final = is_over && above < options.top;
                above += items.len();
                tier(items, is_final)
            });
            tiers.collect()
        }
        None => {
            let mut doubt = !exhaustive::is_covered(position);
            let tiers = layered.enumerate().map(|(at, components)| {
                doubt |= components.iter().any(|component| rejudge::is_doubted(position, component));
                let items = components.iter().flat_map(|component| component.items.iter().copied());
                tier(items.collect(), at < finals && !doubt)
            });
            tiers.collect()
        }
    };
    let mut ranking: Vec<Item> = Item::first(votes.items()).collect();
    ranking.sort_by(by_rating);
    let order: Vec<Item> = tiers.iter().flat_map(|tier| tier.items.iter().copied()).collect();
    let mut outcome = TournamentOutcome {
        by_distance: by_distance(votes, &order),
        order,
        ranking,
        credible: credible.is_some(),
        tiers,
        ratings: leaders::ratings(votes.items(), ballots),
        spread: posterior.filter(|_| compares_many).map(|found| found.spread),
        cycles: count_cycles(votes),
        calls: history.calls,
        waves: history.waves,
        unanswered: history.unanswered,
        complete: false,
    };
    let finals: usize =
        outcome.tiers.iter().take_while(|tier| tier.is_final).map(|tier| tier.items.len()).sum();
    outcome.complete = finals >= options.top.min(votes.items());
    add_support(&mut outcome.tiers, votes);
    outcome
}

/// Cuts a sequence of components, in which those above come first, before each component that is known to be
/// below one since the last cut.
fn layers<'a>(components: impl Iterator<Item = &'a Component>, reach: &Reach) -> Vec<Vec<&'a Component>> {
    let mut layers: Vec<Vec<&Component>> = Vec::new();
    let mut below: Vec<u64> = Vec::new();
    for component in components {
        let item = component.items[0].index();
        match layers.last_mut() {
            Some(layer) if !bits::contains(&below, item) => {
                layer.push(component);
                bits::unite(&mut below, reach.down.row(item));
            }
            _ => {
                layers.push(vec![component]);
                below = reach.down.row(item).to_vec();
            }
        }
    }
    layers
}

fn add_support(tiers: &mut [Tier], votes: &Votes) {
    let mut tier_of = vec![0; votes.items()];
    for (at, tier) in tiers.iter().enumerate() {
        for &item in &tier.items {
            tier_of[item.index()] = at;
        }
    }
    let mut sums = vec![(0.0, 0.0); tiers.len()];
    for ((low, high), tally) in votes.pairs() {
        let (one, other) = (tier_of[low.index()], tier_of[high.index()]);
        if one == other {
            continue;
        }
        let agreeing = if one < other { tally.low } else { tally.high } as f64 + tally.tied as f64 / 2.0;
        for tier in [one, other] {
            sums[tier].0 += agreeing;
            sums[tier].1 += tally.total() as f64;
        }
    }
    for (tier, (agreeing, total)) in tiers.iter_mut().zip(sums) {
        tier.support = (total > 0.0).then(|| agreeing / total);
    }
}

/// Returns whether the top is resolved and no cycle in it is to be repeated.
pub(crate) fn is_final(position: &Position<'_>) -> bool {
    let Position { options, condensation, .. } = *position;
    if leaders::are_compared(position) {
        return leaders::is_over(position);
    }
    condensation.is_resolved(options.top)
        && exhaustive::is_covered(position)
        && condensation
            .components
            .iter()
            .take_while(|component| component.above < options.top)
            .all(|component| !rejudge::is_doubted(position, component))
}

/// An item that is likelier than this to be worse than the best of a tier is not in it.
const WORSE: f64 = 0.8;

/// Returns all items in tiers, best first: down the scores, an item joins the tier unless it is likely to be worse
/// than its first item.
pub(crate) fn credible_tiers(posterior: &Posterior) -> Vec<Vec<Item>> {
    let score = |item: &Item| posterior.scores.get(item.index()).copied().unwrap_or_default();
    let mut items: Vec<Item> = Item::first(posterior.scores.len()).collect();
    items.sort_by(|a, b| score(b).total_cmp(&score(a)));
    let above = posterior.comparisons();
    let mut tiers: Vec<Vec<Item>> = Vec::new();
    let mut worse: Vec<f64> = Vec::new();
    for item in items {
        match tiers.last_mut() {
            Some(tier) if worse.get(item.index()).is_none_or(|chance| *chance <= WORSE) => tier.push(item),
            _ => {
                worse = above(item);
                tiers.push(vec![item]);
            }
        }
    }
    tiers
}

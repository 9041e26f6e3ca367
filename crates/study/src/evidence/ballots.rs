//! Converts verdicts to ballots.
//!
//! It is the one place where an answer that compares documents becomes votes.

use llull_core::{Ballot, ComparedVerdict, Item, Paradigm};

/// The rules that convert answers about a set of documents to votes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Votes {
    /// The form of judgements.
    pub(crate) paradigm: Paradigm,
    /// Whether a preference counts only if it holds in both orders.
    pub(crate) double_check: bool,
}

/// Returns one judge's votes on a set of documents, which was shown in each of these orders. `verdicts` are the
/// answers; `None` for one that does not count.
pub(crate) fn votes(rule: Votes, orders: &[Vec<Item>], verdicts: &[Option<&ComparedVerdict>]) -> Vec<Ballot> {
    if rule.double_check {
        return agreed(orders, verdicts).into_iter().collect();
    }
    let answered = orders.iter().zip(verdicts).filter_map(|(order, verdict)| Some((order, (*verdict)?)));
    answered.flat_map(|(order, verdict)| split(rule.paradigm, order, verdict)).collect()
}

/// Returns a verdict as a ballot of the shown items, in the shown order.
pub(crate) fn ballot(order: &[Item], verdict: &ComparedVerdict) -> Ballot {
    let item = |position: &u16| order.get(usize::from(*position)).copied();
    let groups: Vec<Vec<Item>> =
        verdict.order.iter().map(|group| group.iter().filter_map(item).collect()).collect();
    let rest = order.iter().copied().filter(|item| !groups.iter().flatten().any(|named| named == item));
    Ballot { rest: rest.collect(), ..Ballot::new(groups) }
}

/// Returns the votes of one verdict. A verdict with probabilities is split by them, so that a confidence of a half
/// counts half.
fn split(paradigm: Paradigm, order: &[Item], verdict: &ComparedVerdict) -> Vec<Ballot> {
    let (Paradigm::Pairwise, [left, right], [first, second]) =
        (paradigm, order, verdict.probabilities.as_slice())
    else {
        return vec![ballot(order, verdict)];
    };
    let neither = (1.0 - first - second).max(0.0);
    let parts = [
        (Ballot::strict([*left, *right]), *first),
        (Ballot::strict([*right, *left]), *second),
        (Ballot::new(vec![vec![*left, *right]]), neither),
    ];
    let certain = parts.into_iter().filter(|(_, weight)| *weight > 0.0);
    certain.map(|(ballot, weight)| Ballot { weight, ..ballot }).collect()
}

/// Returns a preference that holds in both orders, else Neither; `None` if an answer is missing (the double check of
/// seed 003).
fn agreed(orders: &[Vec<Item>], verdicts: &[Option<&ComparedVerdict>]) -> Option<Ballot> {
    let ballots: Vec<Ballot> = orders
        .iter()
        .zip(verdicts)
        .map(|(order, verdict)| Some(ballot(order, (*verdict)?)))
        .collect::<Option<_>>()?;
    let (first, others) = ballots.split_first()?;
    if others.iter().all(|other| other.groups == first.groups) {
        return Some(first.clone());
    }
    Some(Ballot::new(vec![first.items().collect()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(order: &[&[u16]]) -> ComparedVerdict {
        ComparedVerdict { order: order.iter().map(|group| group.to_vec()).collect(), ..Default::default() }
    }

    #[test]
    fn positions_become_items_and_what_is_not_named_is_the_rest() {
        let cast = ballot(&[7, 3, 5].map(Item), &verdict(&[&[2]]));
        assert_eq!((cast.groups, cast.rest), (vec![vec![Item(5)]], vec![Item(7), Item(3)]));
    }

    #[test]
    fn a_preference_counts_only_if_it_survives_the_swap() {
        let orders = [[1, 2], [2, 1]].map(|order| order.map(Item).to_vec());
        let (left, right, neither) = (verdict(&[&[0], &[1]]), verdict(&[&[1], &[0]]), verdict(&[&[0, 1]]));
        let cast = |first, second| agreed(&orders, &[first, second]);
        assert_eq!(cast(Some(&left), Some(&right)), Some(Ballot::of([[1], [2]])));
        assert_eq!(cast(Some(&left), Some(&left)), Some(Ballot::of([[1, 2]])), "the first place, twice");
        assert_eq!(cast(Some(&left), Some(&neither)), Some(Ballot::of([[1, 2]])));
        assert_eq!(cast(Some(&left), None), None);
    }

    #[test]
    fn a_half_sure_judge_counts_half() {
        let sure = ComparedVerdict { probabilities: vec![0.75, 0.25], ..verdict(&[&[0], &[1]]) };
        let cast = split(Paradigm::Pairwise, &[4, 9].map(Item), &sure);
        let weights: Vec<_> = cast.iter().map(|ballot| (ballot.groups[0][0], ballot.weight)).collect();
        assert_eq!(weights, [(Item(4), 0.75), (Item(9), 0.25)]);
    }
}

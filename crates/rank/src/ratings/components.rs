//! Which items comparisons connect, and which of them can be told apart by likelihood alone.

use llull_core::{Ballot, Item};

use super::pairs::Pairs;
use super::{Model, RatingError};

/// The connected components of the comparison graph: items that a chain of comparisons connects, whoever won them. Each is ascending, and they
/// are in the order of their first items. An item that was compared with nothing is in none.
///
/// # Errors
/// As [`rate`](super::rate) for a ballot that makes no sense.
///
/// ```
/// use llull_core::{Ballot, Item};
/// let ballots = [Ballot::of([[3], [0]]), Ballot::of([[1, 2]])];
/// assert_eq!(llull_rank::ratings::components(5, &ballots)?, [[0, 3].map(Item), [1, 2].map(Item)]);
/// # Ok::<(), llull_rank::ratings::RatingError>(())
/// ```
pub fn components(items: usize, ballots: &[Ballot]) -> Result<Vec<Vec<Item>>, RatingError> {
    let pairs = Pairs::count(items, ballots)?;
    Ok(Components::of(&pairs).items(&pairs))
}

/// The components by positions among the rated items.
#[derive(Debug, Clone)]
pub(super) struct Components {
    /// Members of each, ascending; the components by their first member.
    pub(super) members: Vec<Vec<usize>>,
}

impl Components {
    pub(super) fn of(pairs: &Pairs) -> Self {
        let mut parent: Vec<usize> = (0..pairs.rated.len()).collect();
        for pair in &pairs.pairs {
            let (a, b) = (root(&mut parent, pair.first), root(&mut parent, pair.second));
            // The smaller is the root, so a root comes before its members.
            parent[a.max(b)] = a.min(b);
        }
        let mut of_root = vec![usize::MAX; parent.len()];
        let mut members: Vec<Vec<usize>> = Vec::new();
        for item in 0..parent.len() {
            let root = root(&mut parent, item);
            if of_root[root] == usize::MAX {
                of_root[root] = members.len();
                members.push(Vec::new());
            }
            members[of_root[root]].push(item);
        }
        Self { members }
    }

    /// The components by items.
    pub(super) fn items(&self, pairs: &Pairs) -> Vec<Vec<Item>> {
        self.members.iter().map(|members| members.iter().map(|&at| pairs.rated[at]).collect()).collect()
    }

    /// Shifts the values of each component so that their mean is 0.
    pub(super) fn centre(&self, values: &mut [f64]) {
        for members in &self.members {
            let mean = members.iter().map(|&at| values[at]).sum::<f64>() / members.len() as f64;
            for &at in members {
                values[at] -= mean;
            }
        }
    }
}

fn root(parent: &mut [usize], mut item: usize) -> usize {
    while parent[item] != item {
        parent[item] = parent[parent[item]];
        item = parent[item];
    }
    item
}

/// An error unless every item of each component is beaten, through a chain of defeats or ties, by every other. That is when the likelihood
/// has a maximum: Ford, Solution of a ranking problem from binary comparisons, American Mathematical Monthly 64(8), 1957; Hunter, MM
/// algorithms for generalized Bradley-Terry models, Annals of Statistics 32(1), 2004, for ties and Plackett-Luce.
pub(super) fn need_maximum(pairs: &Pairs, components: &Components, model: Model) -> Result<(), RatingError> {
    let count = pairs.rated.len();
    let (mut beaten_by, mut beats) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for pair in &pairs.pairs {
        let mut edge = |winner: usize, loser: usize| {
            beats[winner].push(loser);
            beaten_by[loser].push(winner);
        };
        if pair.first_wins + pair.ties > 0.0 {
            edge(pair.first, pair.second);
        }
        if pair.second_wins + pair.ties > 0.0 {
            edge(pair.second, pair.first);
        }
    }
    for members in &components.members {
        // The last item that the search leaves is in a set of items that beat one another and that nobody outside beats.
        let Some(&top) = last_left(members, &beats).last() else { continue };
        let unbeaten = reached(top, &beaten_by);
        if unbeaten.len() < members.len() {
            let mut unbeaten: Vec<Item> = unbeaten.iter().map(|&at| pairs.rated[at]).collect();
            unbeaten.sort_unstable();
            return Err(RatingError::NoMaximum { model, unbeaten, component: members.len() });
        }
    }
    Ok(())
}

/// Members in the order in which depth-first search leaves them.
fn last_left(members: &[usize], next: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; next.len()];
    let mut left = Vec::with_capacity(members.len());
    for &start in members {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some((item, at)) = path.last_mut() {
            match next[*item].get(*at) {
                Some(&other) => {
                    *at += 1;
                    if !std::mem::replace(&mut seen[other], true) {
                        path.push((other, 0));
                    }
                }
                None => {
                    left.push(*item);
                    path.pop();
                }
            }
        }
    }
    left
}

/// Everything that is reached from an item, itself included.
fn reached(from: usize, next: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; next.len()];
    seen[from] = true;
    let mut found = vec![from];
    let mut at = 0;
    while let Some(&item) = found.get(at) {
        at += 1;
        for &other in &next[item] {
            if !std::mem::replace(&mut seen[other], true) {
                found.push(other);
            }
        }
    }
    found
}

//! The items that comparisons connect.

use llull_core::{Ballot, Item};

use super::error::RatingError;
use super::pair_votes::PairVotes;

/// Returns the connected components of the comparison graph: items that a chain of comparisons connects,
/// whoever won them. Each is ascending, and they are in the order of their first items. An item that was
/// compared with nothing is in none.
///
/// # Errors
/// Returns an error if a ballot is invalid, as [`rate`](super::rate) does.
///
/// ```
/// use llull_core::{Ballot, Item};
/// let ballots = [Ballot::of([[3], [0]]), Ballot::of([[1, 2]])];
/// assert_eq!(llull_rank::ratings::components(5, &ballots)?, [[0, 3].map(Item), [1, 2].map(Item)]);
/// # Ok::<(), llull_rank::ratings::RatingError>(())
/// ```
pub fn components(items: usize, ballots: &[Ballot]) -> Result<Vec<Vec<Item>>, RatingError> {
    let pairs = PairVotes::count(items, ballots)?;
    Ok(Components::of(&pairs).items(&pairs))
}

/// The components, by positions among the rated items.
#[derive(Debug, Clone)]
pub(super) struct Components {
    /// The members of each, ascending; the components in the order of their first members.
    pub(super) members: Vec<Vec<usize>>,
}

impl Components {
    pub(super) fn of(pairs: &PairVotes) -> Self {
        let mut parent: Vec<usize> = (0..pairs.rated.len()).collect();
        for pair in &pairs.pairs {
            let (a, b) = (root(&mut parent, pair.first), root(&mut parent, pair.second));
            // The smaller one becomes the root, so a root comes before its members.
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

    /// Returns the components by items.
    pub(super) fn items(&self, pairs: &PairVotes) -> Vec<Vec<Item>> {
        self.members.iter().map(|members| members.iter().map(|&at| pairs.rated[at]).collect()).collect()
    }

    /// Returns the component of each rated item, and its position there.
    pub(super) fn places(&self) -> Vec<(usize, usize)> {
        let mut places = vec![(0, 0); self.members.iter().map(Vec::len).sum()];
        for (component, members) in self.members.iter().enumerate() {
            for (at, &member) in members.iter().enumerate() {
                places[member] = (component, at);
            }
        }
        places
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

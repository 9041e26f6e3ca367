//! Finds strongly connected components and the known items above and below.

use super::bits;
use super::options::TieRule;
use super::reach::Reach;
use super::votes::Votes;
use llull_core::Item;

/// A strongly connected component: one item, or several that no order fits.
#[derive(Debug, Clone)]
pub(crate) struct Component {
    /// Ascending.
    pub(crate) items: Vec<Item>,
    /// The number of items outside it that are known to be above (the in-reach).
    pub(crate) above: usize,
    /// The number of items outside it that are known to be below (the out-reach).
    pub(crate) below: usize,
    /// Whether every other item is known to be above, known to be below, or judged and left open.
    pub(crate) resolved: bool,
}

impl Component {
    /// Returns its items as a set of bits among `items` items.
    pub(crate) fn set(&self, items: usize) -> Vec<u64> {
        let mut set = vec![0; items.div_ceil(64)];
        for &item in &self.items {
            bits::insert(&mut set, item.index());
        }
        set
    }
}

/// The components by ascending (above, below, first item).
#[derive(Debug, Clone)]
pub(crate) struct Condensation {
    pub(crate) components: Vec<Component>,
    /// The position in `components` of each item's component.
    pub(crate) place: Vec<u32>,
}

impl Condensation {
    pub(crate) fn of(votes: &Votes, reach: &Reach) -> Self {
        let items = votes.items();
        let mut seen = vec![false; items];
        let mut components = Vec::new();
        for item in 0..items {
            if seen[item] {
                continue;
            }
            let members: Vec<Item> = reach.component(item).map(Item::at).collect();
            for &member in &members {
                seen[member.index()] = true;
            }
            let above = bits::count(reach.up.row(item)) - members.len();
            let below = bits::count(reach.down.row(item)) - members.len();
            components.push(Component {
                resolved: above + below + members.len() == items,
                items: members,
                above,
                below,
            });
        }
        components.sort_unstable_by_key(|it| (it.above, it.below, it.items[0]));
        let mut place = vec![0; items];
        for (at, component) in components.iter().enumerate() {
            for &item in &component.items {
                place[item.index()] = at as u32;
            }
        }
        let mut condensation = Self { components, place };
        if votes.ties() == TieRule::Open {
            condensation.resolve_open(votes, reach);
        }
        condensation
    }

    /// Marks components as resolved whose remaining pairs are open: neither above nor below, and not to be compared.
    fn resolve_open(&mut self, votes: &Votes, reach: &Reach) {
        let resolved: Vec<bool> = (0..self.components.len())
            .map(|at| {
                let mut known = reach.down.row(self.components[at].items[0].index()).to_vec();
                bits::unite(&mut known, reach.up.row(self.components[at].items[0].index()));
                bits::absent(&known, self.place.len())
                    .all(|item| self.is_known(at, self.place[item] as usize, votes, reach))
            })
            .collect();
        for (component, resolved) in self.components.iter_mut().zip(resolved) {
            component.resolved = resolved;
        }
    }

    /// Returns whether two components need no question: one is above the other, or some pair between them was
    /// judged and left open.
    pub(crate) fn is_known(&self, one: usize, other: usize, votes: &Votes, reach: &Reach) -> bool {
        let (one, other) = (&self.components[one].items, &self.components[other].items);
        let (a, b) = (one[0].index(), other[0].index());
        reach.down.get(a, b)
            || reach.up.get(a, b)
            || (votes.ties() == TieRule::Open
                && one.iter().any(|&a| other.iter().any(|&b| votes.is_open(a.index(), b.index()))))
    }

    /// Returns how many components, from the first, are resolved without a gap. Their tiers are final.
    pub(crate) fn resolved_prefix(&self) -> usize {
        self.components.iter().take_while(|component| component.resolved).count()
    }

    /// Returns whether the first `top` items are in resolved components.
    pub(crate) fn is_resolved(&self, top: usize) -> bool {
        let top = top.min(self.place.len());
        self.components[..self.resolved_prefix()].iter().map(|it| it.items.len()).sum::<usize>() >= top
    }
}

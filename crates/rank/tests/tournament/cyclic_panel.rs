//! A panel of judges whose majority is cyclic.

use llull_core::{Ballot, Item};

/// A panel whose majority is cyclic exactly where that was planned: Condorcet's paradox on demand.
///
/// Components come best first. Within a component of `L` items the `L` ballots of the panel are its rotations. So of
/// two items `d` places apart the earlier one is ahead on `L - d` ballots and behind on `d`: each item beats those
/// that follow within half the cycle. A component of two is a tie. A pair always gets the same answer, whatever set it
/// is shown in.
pub(crate) struct CyclicPanel {
    /// The items, component by component, best first.
    pub(crate) components: Vec<Vec<Item>>,
}

impl CyclicPanel {
    /// Returns the ballots of the panel about a set, one of each judge. The number of judges is the least
    /// common multiple of the components' sizes, so that every rotation of a component is on the same number
    /// of ballots.
    pub(crate) fn answer(&self, items: &[Item]) -> Vec<Ballot> {
        let judges =
            self.components.iter().map(Vec::len).filter(|&size| size > 0).fold(1, least_common_multiple);
        (0..judges)
            .map(|judge| {
                let groups = self
                    .components
                    .iter()
                    .flat_map(|component| {
                        let start = judge % component.len().max(1);
                        component.iter().cycle().skip(start).take(component.len())
                    })
                    .filter(|item| items.contains(item))
                    .map(|&item| vec![item])
                    .collect();
                Ballot { judge: judge as u32, ..Ballot::new(groups) }
            })
            .collect()
    }
}

fn least_common_multiple(a: usize, b: usize) -> usize {
    let (mut high, mut low) = (a, b);
    while low > 0 {
        (high, low) = (low, high % low);
    }
    a / high * b
}

#[test]
fn the_majority_of_a_cyclic_panel_is_the_same_in_every_set() {
    let panel = CyclicPanel { components: Ballot::of([vec![5, 1], vec![0, 2, 4], vec![3]]).groups };
    let ahead = |items: &[u32], a: u32, b: u32| {
        let place = |ballot: &Ballot, item| ballot.items().position(|other| other == item).unwrap();
        let items: Vec<Item> = items.iter().copied().map(Item).collect();
        let wins = |ballot: &&Ballot| place(ballot, Item(a)) < place(ballot, Item(b));
        panel.answer(&items).iter().filter(wins).count()
    };
    for items in [&[0, 1, 2, 3, 4, 5][..], &[0, 2, 4], &[0, 2, 5]] {
        assert_eq!(ahead(items, 0, 2), 4, "of six judges");
    }
    assert_eq!((ahead(&[2, 4], 2, 4), ahead(&[4, 0], 4, 0)), (4, 4));
    assert_eq!(ahead(&[1, 5], 1, 5), 3);
    assert_eq!(ahead(&[1, 4], 1, 4), 6);
}

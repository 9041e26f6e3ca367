//! Ballots: the results of comparisons, whatever made them.

use std::cmp::Ordering;
use std::fmt;

use indexmap::{IndexMap, IndexSet};
use serde::{Deserialize, Serialize};

/// A position, from 0, in the list of items that the owner of a ballot keeps.
///
/// It is a type of its own so that it is not taken for a position in another list, such as a query's pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Item(pub u32);

impl Item {
    /// Returns the item at a position, which must fit into a `u32`.
    pub const fn at(index: usize) -> Self {
        Self(index as u32)
    }

    /// Returns its position as an index into a slice.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the first `count` items, in order.
    ///
    /// ```
    /// use llull_core::Item;
    /// assert_eq!(Item::first(2).collect::<Vec<_>>(), [Item(0), Item(1)]);
    /// ```
    pub fn first(count: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..count).map(Self::at)
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One comparison of some items, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct Ballot {
    /// Items, best first. The items of one group are tied.
    pub groups: Vec<Vec<Item>>,
    /// Items that were shown and are in no group. They rank below every group, in no order among themselves.
    pub rest: Vec<Item>,
    /// The judge who cast the ballot, as a position in the panel.
    pub judge: u32,
    /// The weight of each pair of the ballot; positive and finite, usually 1.
    pub weight: f64,
}

/// Compares two items by their groups, best first: `Less` if the first is better. Items in no group are below every
/// group; `None` if neither is in one.
///
/// ```
/// use std::cmp::Ordering;
///
/// let groups = [vec![4], vec![0, 2]];
/// let order = |one, other| llull_core::order_in_groups(&groups, &one, &other);
/// assert_eq!((order(0, 4), order(2, 0)), (Some(Ordering::Greater), Some(Ordering::Equal)));
/// assert_eq!((order(2, 7), order(7, 2)), (Some(Ordering::Less), Some(Ordering::Greater)));
/// assert_eq!(order(7, 8), None);
/// ```
pub fn order_in_groups<T: PartialEq>(groups: &[Vec<T>], one: &T, other: &T) -> Option<Ordering> {
    let place = |item: &T| groups.iter().position(|group| group.contains(item));
    match (place(one), place(other)) {
        (None, None) => None,
        (one, other) => Some(one.unwrap_or(usize::MAX).cmp(&other.unwrap_or(usize::MAX))),
    }
}

impl Ballot {
    /// Creates a ballot of the first judge with weight 1.
    pub fn new(groups: Vec<Vec<Item>>) -> Self {
        Self { groups, rest: Vec::new(), judge: 0, weight: 1.0 }
    }

    /// Creates a ballot of the first judge with weight 1 and without ties: these items, best first.
    pub fn strict(order: impl IntoIterator<Item = Item>) -> Self {
        Self::new(order.into_iter().map(|item| vec![item]).collect())
    }

    /// Creates a ballot of the first judge with weight 1 from bare positions, for examples and tests.
    ///
    /// ```
    /// use llull_core::{Ballot, Item};
    ///
    /// let ballot = Ballot::of([vec![4], vec![0, 2]]);
    /// assert_eq!(ballot.groups, [vec![Item(4)], vec![Item(0), Item(2)]]);
    /// assert_eq!(ballot.items().collect::<Vec<_>>(), [4, 0, 2].map(Item));
    /// ```
    pub fn of(groups: impl IntoIterator<Item: IntoIterator<Item = u32>>) -> Self {
        Self::new(groups.into_iter().map(|group| group.into_iter().map(Item).collect()).collect())
    }

    /// Returns every item that was shown: the groups in their order, then the rest.
    pub fn items(&self) -> impl Iterator<Item = Item> {
        self.groups.iter().flatten().chain(&self.rest).copied()
    }
}

/// The ballots about one query's items.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TopicBallots {
    /// The identifiers of the items by position, in the order in which they were first seen.
    pub items: IndexSet<Box<str>>,
    /// The ballots, in the order in which they were cast.
    pub ballots: Vec<Ballot>,
}

impl TopicBallots {
    /// Returns the item with an identifier. Adds it if it is new.
    pub fn item(&mut self, id: &str) -> Item {
        match self.find(id) {
            Some(item) => item,
            None => Item::at(self.items.insert_full(id.into()).0),
        }
    }

    /// Returns the item with an identifier, if there is one.
    pub fn find(&self, id: &str) -> Option<Item> {
        self.items.get_index_of(id).map(Item::at)
    }

    /// Returns the identifier of an item.
    pub fn id(&self, item: Item) -> Option<&str> {
        self.items.get_index(item.index()).map(|id| &**id)
    }
}

/// Ballots of several queries, in the order in which the queries were first seen.
///
/// The key `None` holds the ballots of input that names no query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ballots {
    topics: IndexMap<Option<String>, TopicBallots>,
}

impl Ballots {
    /// Returns the ballots of a query. Adds an empty entry if the query is new.
    pub fn topic(&mut self, topic: Option<&str>) -> &mut TopicBallots {
        self.topics.entry(topic.map(str::to_owned)).or_default()
    }

    /// Returns the ballots of a query, if it has any.
    pub fn get(&self, topic: Option<&str>) -> Option<&TopicBallots> {
        self.topics.get(&topic.map(str::to_owned))
    }

    /// Returns the queries with their ballots.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Option<&str>, &TopicBallots)> {
        self.topics.iter().map(|(topic, ballots)| (topic.as_deref(), ballots))
    }

    /// Returns the number of queries.
    pub fn len(&self) -> usize {
        self.topics.len()
    }

    /// Returns whether there is no query.
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }
}

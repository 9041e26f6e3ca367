//! Ballots: what comparisons amount to, whoever made them.

use indexmap::{IndexMap, IndexSet};

/// One answer to "which is better": some items, best first. Items are positions in a list that the ballot's owner keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct Ballot {
    /// Items, best first; those of one group are tied.
    pub groups: Vec<Vec<u32>>,
    /// Items that were shown and are in no group: behind every group, in no order among themselves.
    pub rest: Vec<u32>,
    /// Whose vote it is: the judge's position in the panel.
    pub judge: u32,
    /// How much each of its pairs counts; positive and finite, usually 1.
    pub weight: f64,
}

impl Ballot {
    /// A ballot of the first judge with weight 1.
    ///
    /// ```
    /// let ballot = llull_core::Ballot::new(vec![vec![4], vec![0, 2]]);
    /// assert_eq!(ballot.items().collect::<Vec<_>>(), [4, 0, 2]);
    /// ```
    pub fn new(groups: Vec<Vec<u32>>) -> Self {
        Self { groups, rest: Vec::new(), judge: 0, weight: 1.0 }
    }

    /// Every item that was shown: the groups in their order, then the rest.
    pub fn items(&self) -> impl Iterator<Item = u32> {
        self.groups.iter().flatten().chain(&self.rest).copied()
    }
}

/// The ballots about one topic's items.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TopicBallots {
    /// The items by position, in the order in which they were first seen.
    pub items: IndexSet<Box<str>>,
    /// The ballots, in the order in which they were cast.
    pub ballots: Vec<Ballot>,
}

impl TopicBallots {
    /// The position of an item, which is added if it is new.
    pub fn item(&mut self, id: &str) -> u32 {
        match self.items.get_index_of(id) {
            Some(at) => at as u32,
            None => self.items.insert_full(id.into()).0 as u32,
        }
    }

    /// The item at a position.
    pub fn id(&self, item: u32) -> Option<&str> {
        self.items.get_index(item as usize).map(|id| &**id)
    }
}

/// Ballots of several topics, in the order in which the topics were first seen. Input that names no topic is under `None`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ballots {
    topics: IndexMap<Option<String>, TopicBallots>,
}

impl Ballots {
    /// The ballots of a topic, empty if it is new.
    pub fn topic(&mut self, topic: Option<&str>) -> &mut TopicBallots {
        self.topics.entry(topic.map(str::to_owned)).or_default()
    }

    /// The ballots of a topic, if it has any.
    pub fn get(&self, topic: Option<&str>) -> Option<&TopicBallots> {
        self.topics.get(&topic.map(str::to_owned))
    }

    /// Topics with their ballots.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Option<&str>, &TopicBallots)> {
        self.topics.iter().map(|(topic, ballots)| (topic.as_deref(), ballots))
    }

    /// How many topics there are.
    pub fn len(&self) -> usize {
        self.topics.len()
    }

    /// Whether there is no topic.
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }
}

//! Qrels: the relevance labels that measures read, from any source.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::{Grade, TopicQrels, Topics};

/// Labels by query. An absent pair is unjudged, which differs from a grade of 0. A dropped pair has no label, either,
/// and measures remove its document from the ranked lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Qrels {
    topics: IndexMap<String, TopicQrels, FxBuildHasher>,
    dropped: BTreeMap<String, BTreeSet<Box<str>>>,
}

impl Qrels {
    /// Sets the grade of a pair. Returns the previous grade, if any.
    pub fn insert(&mut self, topic: &str, document: &str, grade: Grade) -> Option<Grade> {
        self.topic_mut(topic).1.insert(document, grade)
    }

    /// Sets the mean of several judges' grades of a pair that has a grade, in [`GRADE_PARTS`](crate::GRADE_PARTS).
    /// Measures that compute with grades read it in place of the grade.
    pub fn set_mean(&mut self, topic: &str, document: &str, mean: Grade) {
        if let Some(labels) = self.topics.get_mut(topic)
            && let Some(place) = labels.place(document)
        {
            labels.set_mean(place, mean);
        }
    }

    /// Returns whether some pair has a mean.
    pub fn has_means(&self) -> bool {
        self.topics.values().any(|labels| !labels.means().is_empty())
    }

    /// Returns the labels with means as grades, all in [`GRADE_PARTS`](crate::GRADE_PARTS); `None` if no pair has a
    /// mean.
    pub fn in_parts(&self) -> Option<Self> {
        if !self.has_means() {
            return None;
        }
        let topics = self.topics.iter().map(|(topic, labels)| (topic.clone(), labels.in_parts())).collect();
        Some(Self { topics, dropped: self.dropped.clone() })
    }

    /// Replaces all labels of a query. Returns the previous ones, if any.
    pub fn insert_topic(&mut self, topic: impl Into<String>, labels: TopicQrels) -> Option<TopicQrels> {
        self.topics.insert(topic.into(), labels)
    }

    /// Returns the place of a query in the order of [`iter`](Self::iter), from 0, and its labels. It is added if it is
    /// absent.
    pub fn topic_mut(&mut self, topic: &str) -> (usize, &mut TopicQrels) {
        let place = match self.topics.get_index_of(topic) {
            Some(place) => place,
            None => self.topics.insert_full(topic.to_owned(), TopicQrels::default()).0,
        };
        (place, &mut self.topics[place])
    }

    /// Returns the place of a query in the order of [`iter`](Self::iter), from 0, and its labels.
    pub fn topic_at(&self, topic: &str) -> Option<(usize, &TopicQrels)> {
        self.topics.get_full(topic).map(|(place, _, labels)| (place, labels))
    }

    /// Adds the query if it is absent, so that it counts in a mean even if it has no labels.
    pub fn touch(&mut self, topic: &str) {
        self.topic_mut(topic);
    }

    /// Returns the grade of a pair, or `None` if it is unjudged.
    pub fn grade(&self, topic: &str, document: &str) -> Option<Grade> {
        self.topics.get(topic)?.get(document).copied()
    }

    /// Returns the labels of a query.
    pub fn topic(&self, topic: &str) -> Option<&TopicQrels> {
        self.topics.get(topic)
    }

    /// Returns the queries and their labels, in the order of the file.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &TopicQrels)> {
        self.topics.iter().map(|(topic, documents)| (topic.as_str(), documents))
    }

    /// Returns the labels of each query to change, in the order of the file.
    pub(crate) fn topics_mut(&mut self) -> impl ExactSizeIterator<Item = &mut TopicQrels> {
        self.topics.values_mut()
    }

    /// Returns all grades, query by query.
    pub fn grades(&self) -> impl Iterator<Item = Grade> {
        self.topics.values().flat_map(|documents| documents.values().copied())
    }

    /// Returns the queries with their labels, in the order of the file.
    pub fn into_topics(self) -> impl Iterator<Item = (String, TopicQrels)> {
        self.topics.into_iter()
    }

    /// Gives labels that name a query by its text the query's identifier. A name that is an identifier, the text of
    /// several queries or that of none stays, and so does one whose query has labels already.
    pub fn name_queries(&mut self, topics: &Topics) {
        let mut by_text: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        for topic in topics.iter() {
            by_text.entry(topic.text.trim()).and_modify(|known| *known = None).or_insert(Some(&topic.id));
        }
        let id = |name: &str| match topics.get(name) {
            Some(_) => None,
            None => by_text.get(name.trim()).copied().flatten().map(str::to_owned),
        };
        let named: Vec<(String, String)> =
            self.topics.keys().filter_map(|name| Some((name.clone(), id(name)?))).collect();
        for (name, id) in named {
            if !self.topics.contains_key(&id)
                && let Some(at) = self.topics.get_index_of(&name)
                && let Some((_, labels)) = self.topics.shift_remove_index(at)
            {
                self.topics.shift_insert(at, id.clone(), labels);
                if let Some(dropped) = self.dropped.remove(&name) {
                    self.dropped.insert(id, dropped);
                }
            }
        }
    }

    /// Keeps only the queries for which `keep` returns `true`.
    pub fn retain(&mut self, mut keep: impl FnMut(&str) -> bool) {
        self.topics.retain(|topic, _| keep(topic));
        self.dropped.retain(|topic, _| keep(topic));
    }

    /// Drops a pair, which has no label, from evaluations.
    pub fn drop_pair(&mut self, topic: &str, document: &str) {
        self.dropped.entry(topic.to_owned()).or_default().insert(document.into());
    }

    /// Drops the pairs that other labels drop.
    #[must_use]
    pub fn dropping_as(mut self, other: &Self) -> Self {
        other.dropped().for_each(|(topic, document)| self.drop_pair(topic, document));
        self
    }

    /// Returns the dropped pairs, query by query.
    pub fn dropped(&self) -> impl Iterator<Item = (&str, &str)> {
        self.dropped.iter().flat_map(|(topic, documents)| {
            documents.iter().map(move |document| (topic.as_str(), &**document))
        })
    }

    /// Returns the dropped documents of a query; `None` if there are none.
    pub fn dropped_of(&self, topic: &str) -> Option<&BTreeSet<Box<str>>> {
        self.dropped.get(topic)
    }

    /// Returns how many documents are dropped of the query of which most are.
    pub fn most_dropped(&self) -> usize {
        self.dropped.values().map(BTreeSet::len).max().unwrap_or(0)
    }

    /// Returns the number of queries.
    pub fn len(&self) -> usize {
        self.topics.len()
    }

    /// Returns whether there are no queries.
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }

    /// Returns the number of judged pairs.
    pub fn pairs(&self) -> usize {
        self.topics.values().map(TopicQrels::len).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Topic;

    #[test]
    fn labels_may_name_queries_by_their_texts() {
        let mut topics = Topics::default();
        for (id, text) in [("q1", "red shoes"), ("q2", "kettle"), ("q3", "twice"), ("q4", "twice")] {
            topics.insert(Topic { id: id.to_owned(), text: text.to_owned() });
        }
        let mut qrels = Qrels::default();
        for name in ["red shoes", "q2", "kettle", "twice", "other"] {
            qrels.insert(name, "d", 1);
        }
        qrels.drop_pair("red shoes", "e");
        qrels.name_queries(&topics);
        let names: Vec<&str> = qrels.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["q1", "q2", "kettle", "twice", "other"]);
        assert!(qrels.dropped.contains_key("q1"));
    }
}

//! Labels being collected: whole grades, or grades with only an order.

use std::ops::Range;

use indexmap::IndexMap;
use llull_core::{Grade, Hits, Qrels, TopicQrels};
use rustc_hash::FxBuildHasher;

/// Labels that are being collected.
pub(super) trait Labels: Default + Send {
    /// The labels of a query whose lines are consecutive.
    type Topic: Send;

    /// Returns the labels of these lines; `None` if they must be inserted one by one, as when a document
    /// occurs twice.
    fn make(hits: &Hits, range: Range<usize>) -> Option<Self::Topic>;

    /// Adds all labels of a query, unless it has some already.
    fn insert_topic(&mut self, topic: &str, labels: Self::Topic) -> Result<(), Self::Topic>;

    /// Sets a grade. Returns the previous one, if any.
    fn insert(&mut self, topic: &str, document: &str, grade: f64) -> Option<f64>;

    /// Returns the labels, and the number of levels if the grades were numbered.
    fn finish(self) -> (Qrels, Option<usize>);
}

/// Labels whose grades are whole numbers.
#[derive(Default)]
pub(super) struct Whole(Qrels);

impl Labels for Whole {
    type Topic = TopicQrels;

    fn make(hits: &Hits, range: Range<usize>) -> Option<TopicQrels> {
        let mut labels = TopicQrels::with_capacity(range.len(), hits.bytes(range.clone()));
        for index in range {
            let (document, grade) = hits.get(index)?;
            if !grade.is_finite() || labels.insert(document, grade as Grade).is_some() {
                return None;
            }
        }
        Some(labels)
    }

    fn insert_topic(&mut self, topic: &str, labels: TopicQrels) -> Result<(), TopicQrels> {
        if self.0.topic(topic).is_some() {
            return Err(labels);
        }
        self.0.insert_topic(topic, labels);
        Ok(())
    }

    fn insert(&mut self, topic: &str, document: &str, grade: f64) -> Option<f64> {
        self.0.insert(topic, document, grade as Grade).map(f64::from)
    }

    fn finish(self) -> (Qrels, Option<usize>) {
        (self.0, None)
    }
}

/// Labels whose grades count only by their order.
#[derive(Default)]
pub(super) struct InOrder(IndexMap<String, IndexMap<Box<str>, f64, FxBuildHasher>, FxBuildHasher>);

impl Labels for InOrder {
    type Topic = ();

    fn make(_: &Hits, _: Range<usize>) -> Option<()> {
        None
    }

    fn insert_topic(&mut self, _: &str, labels: ()) -> Result<(), ()> {
        Err(labels)
    }

    fn insert(&mut self, topic: &str, document: &str, grade: f64) -> Option<f64> {
        match self.0.get_mut(topic) {
            Some(documents) => documents.insert(document.into(), grade),
            None => self.0.entry(topic.to_owned()).or_default().insert(document.into(), grade),
        }
    }

    fn finish(self) -> (Qrels, Option<usize>) {
        let grades = || self.0.values().flat_map(IndexMap::values).copied();
        let fractions = grades().any(|grade| whole(grade).is_none());
        let mut levels: Vec<f64> = grades().filter(|grade| fractions && *grade > 0.0).collect();
        levels.sort_unstable_by(f64::total_cmp);
        levels.dedup();
        let numbered = |grade: f64| match levels.binary_search_by(|level| level.total_cmp(&grade)) {
            Ok(place) => place as Grade + 1,
            // Nothing was numbered, or the grade is not above 0.
            Err(_) => whole(grade).unwrap_or(0),
        };
        let mut qrels = Qrels::default();
        for (topic, documents) in &self.0 {
            let labels = documents.iter().map(|(document, grade)| (document.clone(), numbered(*grade)));
            qrels.insert_topic(topic.as_str(), labels.collect());
        }
        (qrels, fractions.then_some(levels.len()))
    }
}

/// Returns the grade itself, if it is a whole number.
fn whole(grade: f64) -> Option<Grade> {
    let whole = grade as Grade;
    (f64::from(whole) == grade).then_some(whole)
}

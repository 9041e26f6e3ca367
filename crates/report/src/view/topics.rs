//! Reads all queries once and keeps those that are shown.

use std::cmp::Ordering;

use serde::Serialize;

use super::largest_differences::LargestDifferences;
use super::report_view::{Limits, Named};
use crate::topics::{DocumentDetail, TopicDetail, TopicSource, TopicSystem};

/// The queries that are shown, and figures of the others.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Topics {
    /// How many queries there are.
    pub(crate) total: usize,
    /// Queries without any label.
    without_labels: Named,
    /// Labelled queries without a relevant document.
    without_relevant: Named,
    /// The places of the baseline and the system whose difference orders the queries that are shown, the largest first;
    /// none if nothing is compared, and then the hardest query comes first.
    compared: Option<[usize; 2]>,
    /// The first queries in that order.
    #[serde(skip)]
    pub(crate) first: Vec<KeptTopic>,
    /// The largest differences of each comparison that is explained, in their order.
    #[serde(skip)]
    pub(crate) largest: Vec<LargestDifferences>,
    /// Every measured query with the systems' values of the measure that decides.
    #[serde(skip)]
    pub(crate) measured: Vec<MeasuredTopic>,
}

/// A measured query.
#[derive(Debug)]
pub(crate) struct MeasuredTopic {
    /// Its number in the report, from 1.
    pub(crate) number: usize,
    pub(crate) id: String,
    /// Each system's value of the measure that decides.
    pub(crate) values: Vec<Option<f64>>,
}

/// A query with the documents that are shown.
#[derive(Debug, Serialize)]
pub(crate) struct KeptTopic {
    pub(crate) topic: TopicDetail,
    /// How many documents it has, shown or not.
    documents: usize,
    #[serde(skip)]
    place: Place,
}

impl KeptTopic {
    fn new(topic: &TopicDetail, documents: Vec<DocumentDetail>, place: Place) -> Self {
        let kept = TopicDetail {
            id: topic.id.clone(),
            text: topic.text.clone(),
            note: topic.note.clone(),
            systems: topic.systems.clone(),
            tournament: topic.tournament.clone(),
            documents,
            pooled: topic.pooled,
            labelled: topic.labelled,
            relevant: topic.relevant,
        };
        Self { topic: kept, documents: topic.documents.len(), place }
    }

    /// Returns its number in the report, from 1.
    pub(crate) fn number(&self) -> usize {
        self.place.number()
    }
}

impl Topics {
    /// The queries of a report, by a measure and its place, for these comparisons.
    pub(super) fn read(
        topics: &impl TopicSource,
        (measure, primary): (&str, usize),
        largest: Vec<LargestDifferences>,
        limits: &Limits,
    ) -> Self {
        let most = limits.markdown_topics.max(limits.html_topics);
        let pair = largest.iter().find_map(LargestDifferences::systems);
        let mut found = Self { largest, ..Self::default() };
        topics.visit(&mut |topic| {
            let number = found.total + 1;
            found.largest.iter_mut().for_each(|one| one.add(topic, number, (measure, primary), limits));
            found.add(topic, (primary, pair), limits);
            if found.first.len() > 2 * most {
                found.keep(most);
            }
        });
        found.keep(most);
        // Without any difference the order is that of the hardest.
        found.compared = pair.filter(|_| found.first.iter().any(|kept| kept.place.difference.is_some()));
        found
    }

    fn add(&mut self, topic: &TopicDetail, (primary, pair): (usize, Option<[usize; 2]>), limits: &Limits) {
        if topic.labelled == 0 {
            self.without_labels.add(&topic.id);
        } else if topic.relevant == Some(0) {
            self.without_relevant.add(&topic.id);
        }
        let value = |system: &TopicSystem| system.values.get(primary).and_then(|value| value.value);
        if !topic.systems.is_empty() {
            self.measured.push(MeasuredTopic {
                number: self.total + 1,
                id: topic.id.clone(),
                values: topic.systems.iter().map(value).collect(),
            });
        }
        let place = Place::of(topic, primary, pair, self.total);
        let documents = topic.documents.iter().enumerate();
        let shown = documents.filter(|(at, document)| *at < limits.documents || is_shown(document, limits));
        let shown = shown.map(|(_, document)| document.clone()).collect();
        self.first.push(KeptTopic::new(topic, shown, place));
        self.total += 1;
    }

    fn keep(&mut self, most: usize) {
        self.first.sort_by(|a, b| Place::order(&a.place, &b.place));
        self.first.truncate(most);
    }
}

/// Whether a system that the page shows has the document among its first.
pub(crate) fn is_shown(document: &DocumentDetail, limits: &Limits) -> bool {
    document.ranks.iter().take(limits.systems).flatten().any(|rank| *rank <= limits.ranks)
}

/// The place of a query in the order.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// The size of the difference between the two systems that order the queries; queries without one come last.
    difference: Option<f64>,
    /// Whether the query has no relevant document; of equal differences such queries come last.
    hopeless: bool,
    /// The systems' mean of the primary measure.
    mean: f64,
    /// The place in the report, so that equals keep their order.
    index: usize,
}

impl Place {
    fn of(topic: &TopicDetail, primary: usize, pair: Option<[usize; 2]>, index: usize) -> Self {
        let value = |at: usize| topic.systems.get(at)?.values.get(primary)?.value;
        let difference = pair.and_then(|[baseline, system]| Some((value(system)? - value(baseline)?).abs()));
        let values = topic.systems.iter().filter_map(|system| system.values.get(primary)?.value);
        let (sum, n) = values.fold((0.0, 0u32), |(sum, n), value| (sum + value, n + 1));
        let mean = if n == 0 { f64::INFINITY } else { sum / f64::from(n) };
        Self {
            difference: difference.filter(|by| !by.is_nan()),
            hopeless: topic.relevant == Some(0),
            mean,
            index,
        }
    }

    /// Returns the query's number in the report, from 1.
    fn number(&self) -> usize {
        self.index + 1
    }

    fn order(a: &Self, b: &Self) -> Ordering {
        let size = |place: &Self| place.difference.unwrap_or(-1.0);
        let by_size = size(b).total_cmp(&size(a)).then_with(|| a.hopeless.cmp(&b.hopeless));
        by_size.then_with(|| a.mean.total_cmp(&b.mean)).then_with(|| a.index.cmp(&b.index))
    }
}

//! The topics that a reader should look at first.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::{
    MarkdownLimits, TopicDetail, TopicSource,
    drawn::{Drawn, consider},
};

/// How many topics a list of names gives by name.
const NAMED: usize = 20;

/// The hardest topics, and the ones that say nothing about any system.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Hardest {
    /// How many topics there are.
    pub(crate) total: usize,
    /// The hardest, hardest first.
    pub(crate) shown: Vec<Shown>,
    /// Topics without any label.
    pub(crate) without_labels: Named,
    /// Labelled topics without a relevant document.
    pub(crate) without_relevant: Named,
    /// The most contradictory tournaments, drawn.
    pub(crate) drawn: Vec<Drawn>,
    /// How many topics have a tournament, and how many of these a cycle.
    pub(crate) tournaments: usize,
    pub(crate) cyclic: usize,
}

/// A topic with its first documents.
#[derive(Debug, Serialize)]
pub(crate) struct Shown {
    pub(crate) topic: TopicDetail,
    /// How many documents are not shown.
    pub(crate) left_out: usize,
    #[serde(skip)]
    place: Place,
}

/// Some topics by name, the first ones only where there are many.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Named {
    pub(crate) count: usize,
    pub(crate) names: Vec<String>,
}

impl Named {
    /// These names, the first ones only where there are many.
    pub(crate) fn of(names: &[String]) -> Self {
        Self { count: names.len(), names: names.iter().take(NAMED).cloned().collect() }
    }

    fn add(&mut self, name: &str) {
        self.count += 1;
        if self.names.len() < NAMED {
            self.names.push(name.to_owned());
        }
    }

    /// `q1, q2 and 3 more`.
    pub(crate) fn listed(&self) -> String {
        let more = self.count - self.names.len();
        let names = self.names.join(", ");
        if more == 0 { names } else { format!("{names} and {more} more") }
    }
}

/// Where a topic stands among the hardest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    /// There is nothing relevant to find, so these come last.
    hopeless: bool,
    /// The systems' mean of the primary measure.
    mean: f64,
    /// The place in the report, so that equals keep their order.
    index: usize,
}

impl Place {
    fn of(topic: &TopicDetail, primary: usize, index: usize) -> Self {
        let values = topic.systems.iter().filter_map(|system| system.values.get(primary)?.value);
        let (sum, n) = values.fold((0.0, 0u32), |(sum, n), value| (sum + value, n + 1));
        let mean = if n == 0 { f64::INFINITY } else { sum / f64::from(n) };
        Self { hopeless: topic.relevant == Some(0), mean, index }
    }

    pub(crate) fn order(a: &Self, b: &Self) -> Ordering {
        let by_mean = a.hopeless.cmp(&b.hopeless).then_with(|| a.mean.total_cmp(&b.mean));
        by_mean.then_with(|| a.index.cmp(&b.index))
    }
}

/// Reads all topics once and keeps the hardest on measure number `primary`, each with its first documents.
pub(crate) fn hardest(topics: &impl TopicSource, primary: usize, limits: &MarkdownLimits) -> Hardest {
    let mut found = Hardest::default();
    topics.visit(&mut |topic| {
        if topic.labelled == 0 {
            found.without_labels.add(&topic.id);
        } else if topic.relevant == Some(0) {
            found.without_relevant.add(&topic.id);
        }
        let place = Place::of(topic, primary, found.total);
        found.shown.push(Shown {
            topic: with_documents(topic, limits.documents),
            left_out: topic.documents.len().saturating_sub(limits.documents),
            place,
        });
        if let Some(tournament) = &topic.tournament {
            found.tournaments += 1;
            found.cyclic += usize::from(tournament.is_cyclic());
            consider(&mut found.drawn, topic, place, limits.diagrams);
        }
        found.total += 1;
        if found.shown.len() > 2 * limits.topics {
            keep(&mut found.shown, limits.topics);
        }
    });
    keep(&mut found.shown, limits.topics);
    found
}

/// A copy of the topic with its first documents only.
fn with_documents(topic: &TopicDetail, most: usize) -> TopicDetail {
    TopicDetail {
        id: topic.id.clone(),
        text: topic.text.clone(),
        note: topic.note.clone(),
        systems: topic.systems.clone(),
        tournament: topic.tournament.clone(),
        documents: topic.documents.iter().take(most).cloned().collect(),
        pooled: topic.pooled,
        labelled: topic.labelled,
        relevant: topic.relevant,
    }
}

fn keep(shown: &mut Vec<Shown>, most: usize) {
    shown.sort_by(|a, b| Place::order(&a.place, &b.place));
    shown.truncate(most);
}

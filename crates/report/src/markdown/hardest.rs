//! Finds the hardest queries.

use serde::Serialize;

use super::featured_diagrams::{FeaturedDiagram, feature};
use super::limits::MarkdownLimits;
use super::named::Named;
use super::place::Place;
use crate::topics::{TopicDetail, TopicSource};

/// The hardest queries, and the queries without labels or without relevant documents.
#[derive(Debug, Default, Serialize)]
pub(super) struct Hardest {
    /// How many queries there are.
    pub(super) total: usize,
    /// The hardest, hardest first.
    pub(super) hardest: Vec<HardQuery>,
    /// Queries without any label.
    pub(super) without_labels: Named,
    /// Labelled queries without a relevant document.
    pub(super) without_relevant: Named,
    /// The most contradictory tournaments, drawn.
    pub(super) diagrams: Vec<FeaturedDiagram>,
    /// How many queries have a tournament, and how many of these a cycle.
    pub(super) tournaments: usize,
    pub(super) cyclic: usize,
}

/// A query with its first documents.
#[derive(Debug, Serialize)]
pub(super) struct HardQuery {
    pub(super) topic: TopicDetail,
    /// How many documents are not shown.
    pub(super) left_out: usize,
    #[serde(skip)]
    place: Place,
}

/// Reads all queries once and keeps the hardest on measure number `primary`, each with its first documents.
pub(super) fn hardest(topics: &impl TopicSource, primary: usize, limits: &MarkdownLimits) -> Hardest {
    let mut found = Hardest::default();
    topics.visit(&mut |topic| {
        if topic.labelled == 0 {
            found.without_labels.add(&topic.id);
        } else if topic.relevant == Some(0) {
            found.without_relevant.add(&topic.id);
        }
        let place = Place::of(topic, primary, found.total);
        found.hardest.push(HardQuery {
            topic: with_documents(topic, limits.documents),
            left_out: topic.documents.len().saturating_sub(limits.documents),
            place,
        });
        if let Some(tournament) = &topic.tournament {
            found.tournaments += 1;
            found.cyclic += usize::from(tournament.is_cyclic());
            feature(&mut found.diagrams, topic, place, limits.diagrams);
        }
        found.total += 1;
        if found.hardest.len() > 2 * limits.topics {
            keep(&mut found.hardest, limits.topics);
        }
    });
    keep(&mut found.hardest, limits.topics);
    found
}

/// A copy of the query with its first documents only.
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

fn keep(queries: &mut Vec<HardQuery>, most: usize) {
    queries.sort_by(|a, b| Place::order(&a.place, &b.place));
    queries.truncate(most);
}

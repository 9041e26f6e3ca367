//! Collects the hardest queries, and figures of the others, in one pass.

use super::limits::HtmlLimits;
use crate::markdown::Place;
use crate::topics::{DocumentDetail, TopicDetail, TopicSource};

/// The parts of the queries that the page needs.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// How many queries there are.
    pub(super) total: usize,
    /// The hardest, hardest first, with those documents only that a ranking shows.
    pub(super) hardest: Vec<(Place, TopicDetail)>,
    /// Every measured query with the systems' values of the measure that decides.
    pub(super) values: Vec<(String, Vec<Option<f64>>)>,
}

/// Reads all queries once.
pub(super) fn gather(topics: &impl TopicSource, primary: usize, limits: &HtmlLimits) -> Gathered {
    let mut found = Gathered::default();
    topics.visit(&mut |topic| {
        let value =
            |system: &crate::topics::TopicSystem| system.values.get(primary).and_then(|value| value.value);
        if !topic.systems.is_empty() {
            found.values.push((topic.id.clone(), topic.systems.iter().map(value).collect()));
        }
        found.hardest.push((Place::of(topic, primary, found.total), shown(topic, limits)));
        found.total += 1;
        if found.hardest.len() > 2 * limits.topics {
            keep(&mut found.hardest, limits.topics);
        }
    });
    keep(&mut found.hardest, limits.topics);
    found
}

/// A copy of the query with those documents only that a shown system has among its first.
fn shown(topic: &TopicDetail, limits: &HtmlLimits) -> TopicDetail {
    let is_shown = |document: &&DocumentDetail| {
        document.ranks.iter().take(limits.systems).flatten().any(|rank| *rank <= limits.ranks)
    };
    TopicDetail {
        id: topic.id.clone(),
        text: topic.text.clone(),
        note: topic.note.clone(),
        systems: topic.systems.iter().take(limits.systems).cloned().collect(),
        tournament: topic.tournament.clone(),
        documents: topic.documents.iter().filter(is_shown).cloned().collect(),
        pooled: topic.pooled,
        labelled: topic.labelled,
        relevant: topic.relevant,
    }
}

fn keep(queries: &mut Vec<(Place, TopicDetail)>, most: usize) {
    queries.sort_by(|a, b| Place::order(&a.0, &b.0));
    queries.truncate(most);
}

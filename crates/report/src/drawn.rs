//! The topics whose tiers a report draws: those with the most contradictions.

use std::cmp::{Ordering, Reverse};

use serde::Serialize;

use crate::{DiagramLimits, TopicDetail, hardest::Place, mermaid};

/// A topic's tiers as a drawing.
#[derive(Debug, Serialize)]
pub(crate) struct Drawn {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) triangles: u64,
    pub(crate) cyclic_triangles: u64,
    pub(crate) mermaid: String,
    #[serde(skip)]
    largest_component: usize,
    #[serde(skip)]
    place: Place,
}

impl Drawn {
    /// Most cyclic triangles first, then the largest component, then the hardest topic.
    fn order(&self, other: &Self) -> Ordering {
        let key = |drawn: &Self| (Reverse(drawn.cyclic_triangles), Reverse(drawn.largest_component));
        key(self).cmp(&key(other)).then_with(|| Place::order(&self.place, &other.place))
    }
}

/// Puts a topic with a tournament among the `most` that are drawn, if it belongs there. Only these are ever drawn.
pub(crate) fn consider(drawn: &mut Vec<Drawn>, topic: &TopicDetail, place: Place, most: usize) {
    let Some(tournament) = &topic.tournament else { return };
    let mut candidate = Drawn {
        id: topic.id.clone(),
        text: topic.text.clone(),
        triangles: tournament.triangles,
        cyclic_triangles: tournament.cyclic_triangles,
        mermaid: String::new(),
        largest_component: tournament.components.first().copied().unwrap_or(0),
        place,
    };
    let at = drawn.partition_point(|other| other.order(&candidate).is_le());
    if at < most {
        candidate.mermaid = mermaid(topic, &DiagramLimits::default());
        drawn.insert(at, candidate);
        drawn.truncate(most);
    }
}

//! Diagrams of the tiers with the most contradictions.

use std::cmp::{Ordering, Reverse};

use serde::Serialize;

use super::place::Place;
use crate::diagram::{DiagramLimits, mermaid};
use crate::topics::TopicDetail;

/// A query's tiers as a drawing.
#[derive(Debug, Serialize)]
pub(super) struct FeaturedDiagram {
    pub(super) id: String,
    pub(super) text: String,
    pub(super) triangles: u64,
    pub(super) cyclic_triangles: u64,
    pub(super) mermaid: String,
    #[serde(skip)]
    largest_component: usize,
    #[serde(skip)]
    place: Place,
}

impl FeaturedDiagram {
    /// Most cyclic triangles first, then the largest component, then the hardest query.
    fn order(&self, other: &Self) -> Ordering {
        let key = |diagram: &Self| (Reverse(diagram.cyclic_triangles), Reverse(diagram.largest_component));
        key(self).cmp(&key(other)).then_with(|| Place::order(&self.place, &other.place))
    }
}

/// Adds a query with a tournament to the `most` featured ones, if it is one of them. Only these are drawn at all.
pub(super) fn feature(diagrams: &mut Vec<FeaturedDiagram>, topic: &TopicDetail, place: Place, most: usize) {
    let Some(tournament) = &topic.tournament else { return };
    let mut candidate = FeaturedDiagram {
        id: topic.id.clone(),
        text: topic.text.clone(),
        triangles: tournament.triangles,
        cyclic_triangles: tournament.cyclic_triangles,
        mermaid: String::new(),
        largest_component: tournament.components.first().copied().unwrap_or(0),
        place,
    };
    let at = diagrams.partition_point(|other| other.order(&candidate).is_le());
    if at < most {
        candidate.mermaid = mermaid(topic, &DiagramLimits::default());
        diagrams.insert(at, candidate);
        diagrams.truncate(most);
    }
}

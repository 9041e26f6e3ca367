//! Grades a few documents of each tier.

use std::sync::Arc;

use llull_core::{Item, Seed};
use llull_label::{TierView, anchors};
use llull_runner::{Pair, Plan, PooledDocument, WaveAnswers, Workload};

use crate::error::StudyError;
use crate::evidence::ComparedQuery;

/// A plan that grades a few documents of each tier, in one wave.
pub(crate) struct AnchorGrading(Option<Arc<Workload>>);

impl AnchorGrading {
    /// Draws `per_tier` documents of each tier, independently of the rest of the study.
    ///
    /// # Errors
    /// Returns an error if the queries are not those of the pool.
    pub(crate) fn new(
        pooled: &Workload,
        queries: &[ComparedQuery],
        per_tier: usize,
        seed: Seed,
    ) -> Result<Self, StudyError> {
        let mut pairs = Vec::new();
        for query in queries {
            let name = pooled.topic(query.topic).map_or("", |topic| topic.id.as_str());
            let seed = Seed(seed.stream(&format!("anchors of {name}")));
            let id = |item: Item| {
                let document = query.documents.get(item.index());
                document.and_then(|at| pooled.document(*at)).map_or("", PooledDocument::id)
            };
            let tiers: Vec<TierView<'_>> = query.outcome.tiers.iter().map(TierView::from).collect();
            let chosen = anchors(&tiers, per_tier, seed, id);
            let documents = chosen.iter().filter_map(|item| query.documents.get(item.index()));
            pairs.extend(documents.map(|document| Pair { topic: query.topic, document: *document }));
        }
        Ok(Self(Some(Arc::new(pooled.grading(pairs)?))))
    }
}

impl Plan for AnchorGrading {
    fn next(&mut self) -> Option<Arc<Workload>> {
        self.0.take()
    }

    fn observe(&mut self, _: &WaveAnswers<'_>) {}
}

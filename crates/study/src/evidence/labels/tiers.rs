//! Derives labels from tiers.

use std::collections::BTreeMap;

use llull_config::TournamentSettings;
use llull_core::{Label, LabelSet};
use llull_label::{Anchored, TierScheme, TierView, binary, geometric, ordinal, tournament_rating};
use llull_runner::{DocumentIndex, PooledDocument, Workload};

use crate::evidence::ComparedQuery;

/// Returns the labels of the tiers, in the pool's order. A document that did not take part has no label. Labels that
/// are ratings have the grades of the tiers beside them.
pub(crate) fn tier_labels(
    scheme: TierScheme,
    pooled: &Workload,
    queries: &[ComparedQuery],
    anchored: &[Anchored],
) -> LabelSet {
    let labels = labels_by(scheme, pooled, queries, anchored);
    match scheme {
        TierScheme::Rating => {
            let tiers = labels_by(TierScheme::Ordinal, pooled, queries, anchored);
            labels.with_tiers(tiers.qrels().clone())
        }
        _ => labels,
    }
}

fn labels_by(
    scheme: TierScheme,
    pooled: &Workload,
    queries: &[ComparedQuery],
    anchored: &[Anchored],
) -> LabelSet {
    let mut labels: Vec<BTreeMap<DocumentIndex, Label>> = Vec::with_capacity(queries.len());
    for (place, query) in queries.iter().enumerate() {
        let items = query.documents.len();
        let views: Vec<TierView<'_>> = query.outcome.tiers.iter().map(TierView::from).collect();
        let of_items = match scheme {
            TierScheme::Rating => tournament_rating(&query.outcome),
            TierScheme::Ordinal => ordinal(items, &views),
            TierScheme::Geometric => geometric(items, &views),
            TierScheme::Binary { top } => binary(items, &views, top as usize),
            TierScheme::Anchored => anchored.get(place).map(|fit| fit.labels.clone()).unwrap_or_default(),
        };
        let labelled = query.documents.iter().zip(of_items);
        labels.push(labelled.filter_map(|(document, label)| Some((*document, label?))).collect());
    }
    let mut set = LabelSet::default();
    for question in pooled.questions() {
        let topic = pooled.topic(question.topic).map_or("", |topic| topic.id.as_str());
        let Some(document) = question.documents.first() else { continue };
        let label = labels.get(question.topic.get()).and_then(|labels| labels.get(document));
        let id = pooled.document(*document).map_or("", PooledDocument::id);
        set.record(topic, id, label.copied());
    }
    set
}

/// Describes why a settled tournament has no labels: the best t tiers may be more than the best m documents settle.
pub(crate) fn too_few_tiers(
    settings: &TournamentSettings,
    pooled: &Workload,
    queries: &[ComparedQuery],
    labels: &LabelSet,
) -> Option<String> {
    let TierScheme::Binary { top } = settings.labels else { return None };
    let unlabelled = |query: &&ComparedQuery| {
        let id = pooled.topic(query.topic).map_or("", |topic| topic.id.as_str());
        query.outcome.complete
            && !query.documents.is_empty()
            && !labels.iter().any(|(labelled, mut labels)| labelled == id && labels.next().is_some())
    };
    let without = queries.iter().filter(unlabelled).count();
    (without > 0).then(|| {
        format!(
            "labels = \"binary({top})\" has no labels for {without} of {} queries: their best {top} tiers are not \
             settled, for tournament.top = {} puts \
             no more documents in order, or they have fewer tiers. Raise top, or take fewer tiers",
            queries.len(),
            settings.top
        )
    })
}

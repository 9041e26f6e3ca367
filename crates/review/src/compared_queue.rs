//! Queues of comparisons: pairs of documents, their sides and order.

use std::cmp::Reverse;
use std::sync::Arc;

use llull_core::{Hash, Seed};
use llull_people::lot;
use llull_runner::{Case, DocumentIndex, DocumentSet, PooledDocument, TopicIndex};
use llull_study::{FlaggedPairs, ShownTogether, StudyEvidence, shown_together};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::ReviewError;
use crate::item::{QueuedItem, item_id};
use crate::queue::{Queued, ReviewQueue};
use crate::verdict::ReviewForm;

/// The purpose of the random numbers that order pairs.
const ORDER: &str = "order of a review of comparisons";

/// The purpose of the random numbers that choose the left document. Judges see other sides: two who favour one side
/// must not seem to agree.
const SIDES: &str = "sides of a review";

/// Returns the pairs of a queue in random order. Where judges disagree, pairs with the largest disagreement come first.
pub(crate) fn compared(evidence: &StudyEvidence, queue: &ReviewQueue, seed: Seed) -> Vec<ShownTogether> {
    let mut pairs = shown_together(evidence);
    pairs.retain(|pair| has_texts(evidence, pair));
    match queue {
        ReviewQueue::Sample | ReviewQueue::Adjudicate(_) | ReviewQueue::Random | ReviewQueue::Checks => {}
        ReviewQueue::Disagreement => pairs.retain(|pair| pair.apart() > 0),
        ReviewQueue::Failures => pairs.retain(ShownTogether::is_unanswered),
        ReviewQueue::Query(query) => {
            pairs.retain(|pair| evidence.pooled.topic(pair.topic).is_some_and(|topic| topic.id == *query));
        }
        ReviewQueue::Cycles => {
            let cycles = cycles(evidence);
            let inside = |pair: &ShownTogether, (topic, cycle): &Cycle| {
                *topic == pair.topic && pair.documents.iter().all(|document| cycle.contains(document))
            };
            pairs.retain(|pair| cycles.iter().any(|cycle| inside(pair, cycle)));
        }
    }
    let apart = |pair: &ShownTogether| match queue {
        ReviewQueue::Disagreement => Reverse(pair.apart()),
        _ => Reverse(0),
    };
    pairs.sort_by_cached_key(|pair| (apart(pair), lot_of(evidence, pair, ORDER, seed)));
    pairs
}

/// Returns the pairs behind failed judge checks, in the order of the checks.
pub(crate) fn compared_by_check(evidence: &StudyEvidence, flagged: &FlaggedPairs) -> Vec<ShownTogether> {
    let key = |topic: TopicIndex, documents: &[DocumentIndex]| {
        let mut documents = documents.to_vec();
        documents.sort_unstable();
        (topic, documents)
    };
    let mut shown: FxHashMap<_, ShownTogether> = FxHashMap::default();
    for pair in shown_together(evidence).into_iter().filter(|pair| has_texts(evidence, pair)) {
        shown.insert(key(pair.topic, &pair.documents), pair);
    }
    let found = flagged.pairs.iter().map(|(topic, documents)| shown.remove(&key(*topic, documents)));
    found.flatten().collect()
}

/// The query of a cycle, and its documents.
type Cycle = (TopicIndex, FxHashSet<DocumentIndex>);

fn cycles(evidence: &StudyEvidence) -> Vec<Cycle> {
    let queries = evidence.compared().into_iter().flatten();
    let cycles = queries.flat_map(|query| {
        let cyclic = query.outcome.tiers.iter().filter(|tier| tier.cyclic);
        cyclic.map(|tier| {
            let documents = tier.items.iter().filter_map(|item| query.documents.get(item.index()).copied());
            (query.topic, documents.collect())
        })
    });
    cycles.collect()
}

/// Whether both documents have texts to compare.
fn has_texts(evidence: &StudyEvidence, pair: &ShownTogether) -> bool {
    let known =
        |at: &DocumentIndex| evidence.pooled.document(*at).is_some_and(|found| found.document().is_some());
    pair.documents.iter().all(known)
}

/// A number that depends on seed, query and documents alone: later pairs change neither the place nor the sides of
/// others.
fn lot_of(evidence: &StudyEvidence, pair: &ShownTogether, purpose: &str, seed: Seed) -> u64 {
    let topic = evidence.pooled.topic(pair.topic).map_or("", |topic| &topic.id);
    let id = |at| evidence.pooled.document(at).map_or("", PooledDocument::id);
    lot(seed, purpose, topic, pair.documents.map(id))
}

/// Returns these pairs in the form for annotators.
///
/// # Errors
/// Returns an error if one is not of the pool.
pub(crate) fn queued_pairs(
    evidence: &StudyEvidence,
    queue: &ReviewQueue,
    pairs: &[ShownTogether],
    (rubric, seed): (Hash, Seed),
) -> Result<Queued, ReviewError> {
    let shown = pairs.iter().map(|pair| {
        let [mut left, mut right] = pair.documents;
        if lot_of(evidence, pair, SIDES, seed) & 1 == 1 {
            std::mem::swap(&mut left, &mut right);
        }
        DocumentSet { topic: pair.topic, documents: vec![left, right] }
    });
    let asked = Arc::new(evidence.pooled.comparing(shown.collect())?);
    let numbered = *queue == ReviewQueue::Random;
    let item = |(place, pair): (usize, &ShownTogether)| {
        let case = asked.case_at(place)?;
        let in_order = Case::new(case.topic, &pair.documents, asked.documents())?;
        Some(QueuedItem {
            id: item_id(&case, rubric),
            mark: item_id(&in_order, rubric),
            place,
            number: numbered.then_some(place + 1),
        })
    };
    let items = pairs.iter().enumerate().filter_map(item).collect();
    Ok(Queued { asked, items, form: ReviewForm::Compare })
}

/// Returns every two documents that judges saw together, in both orders.
///
/// # Errors
/// Returns an error if one is not of the pool.
pub(crate) fn every_side(evidence: &StudyEvidence, rubric: Hash) -> Result<Queued, ReviewError> {
    let shown = shown_together(evidence).into_iter().flat_map(|pair| {
        let [left, right] = pair.documents;
        [vec![left, right], vec![right, left]].map(|documents| DocumentSet { topic: pair.topic, documents })
    });
    let asked = Arc::new(evidence.pooled.comparing(shown.collect())?);
    let item = |place: usize| {
        // The second of each two is the first with swapped documents.
        let in_order = asked.case_at(place - place % 2)?;
        let case = asked.case_at(place)?;
        Some(QueuedItem { id: item_id(&case, rubric), mark: item_id(&in_order, rubric), place, number: None })
    };
    let items = (0..asked.len()).filter_map(item).collect();
    Ok(Queued { asked, items, form: ReviewForm::Compare })
}

/// Returns the reason why a queue of comparisons is empty, with a remedy.
pub(crate) fn why_none_compared(evidence: &StudyEvidence, queue: &ReviewQueue) -> String {
    if evidence.judges.questions().next().is_none() {
        return "judges have compared nothing yet; llull run asks them".to_owned();
    }
    match queue {
        ReviewQueue::Disagreement => {
            "the judges say the same of every pair, and each the same in both orders as far as it was asked; --queue \
             random shows pairs whatever judges say"
                .to_owned()
        }
        ReviewQueue::Cycles => "no documents lead each other in a cycle".to_owned(),
        ReviewQueue::Failures => "every comparison has an answer".to_owned(),
        ReviewQueue::Query(query) => format!("judges were shown no two documents of query {query:?} together"),
        ReviewQueue::Sample | ReviewQueue::Adjudicate(_) | ReviewQueue::Random | ReviewQueue::Checks => {
            "no two documents that judges were shown together have texts".to_owned()
        }
    }
}

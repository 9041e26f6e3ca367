//! Queues of documents to grade.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use llull_core::{Hash, Qrels, SamplingUnit, Seed};
use llull_people::lot;
use llull_people::sampling::sheet_order;
use llull_runner::{Case, Workload};
use llull_study::people::{AnnotatorGrade, SampledPair};
use llull_study::{FlaggedPairs, HumanLabelsError, StudyEvidence};
use rustc_hash::FxHashMap;

use crate::error::{ReviewError, ReviewRefusal};
use crate::item::{QueuedItem, item_id};
use crate::queue::{QueueSource, Queued, ReviewQueue};
use crate::verdict::ReviewForm;

/// The purpose of the random numbers that order pairs.
const PURPOSE: &str = "order of a review";

/// Returns the pairs of a queue other than the sample, up to the maximum.
///
/// # Errors
/// Returns an error if the queue is empty.
pub(crate) fn graded_queue(
    source: &QueueSource<'_>,
    queue: &ReviewQueue,
    rubric: Hash,
    seed: Seed,
    most: Option<usize>,
) -> Result<Queued, ReviewError> {
    let evidence = source.evidence;
    let mut places = match (queue, &source.flagged) {
        (ReviewQueue::Checks, Some(flagged)) => graded_by_check(&evidence.pooled, flagged),
        _ => chosen(source, queue, seed),
    };
    if let Some(kept) = source.kept {
        places.retain(|place| evidence.pooled.case_at(*place).is_some_and(|case| !has_label(kept, &case)));
    }
    places.truncate(most.unwrap_or(usize::MAX));
    if places.is_empty() {
        let why = match &source.flagged {
            Some(flagged) => flagged.why_none(),
            None => why_empty(evidence, queue),
        };
        return Err(ReviewRefusal::Empty { queue: queue.name(), why }.into());
    }
    let item = |place| graded_item(&evidence.pooled, rubric, place, None);
    Ok(to_grade(source, places.into_iter().filter_map(item).collect()))
}

fn has_label(kept: &Qrels, case: &Case<'_>) -> bool {
    kept.grade(&case.topic.id, case.document_id()).is_some()
}

pub(crate) fn graded_item(
    pooled: &Workload,
    rubric: Hash,
    place: usize,
    number: Option<usize>,
) -> Option<QueuedItem> {
    let case = pooled.case_at(place)?;
    let id = item_id(&case, rubric);
    Some(QueuedItem { mark: id.clone(), id, place, number })
}

/// Returns the pairs of the study's sample.
///
/// # Errors
/// Returns an error if the study has no sample, or the pool lacks a drawn pair.
pub(crate) fn of_sample(source: &QueueSource<'_>, rubric: Hash) -> Result<Queued, ReviewError> {
    let drawn = drawn_items(source, rubric)?;
    let missing = drawn.iter().find(|(_, item)| item.is_none());
    if let Some((SamplingUnit { topic, document, .. }, _)) = missing {
        return Err(ReviewRefusal::Problem(format!(
            "document {document:?} of query {topic:?} was drawn and is not in the study's pool any more; were runs or \
             the depth changed since the sample was drawn?"
        ))
        .into());
    }
    Ok(to_grade(source, drawn.into_iter().filter_map(|(_, item)| item).collect()))
}

/// Returns the pairs of the study's sample that are in the pool.
///
/// # Errors
/// Returns an error if the study has no sample.
pub(crate) fn pooled_of_sample(source: &QueueSource<'_>, rubric: Hash) -> Result<Queued, ReviewError> {
    let drawn = drawn_items(source, rubric)?;
    Ok(to_grade(source, drawn.into_iter().filter_map(|(_, item)| item).collect()))
}

fn drawn_items<'a>(
    source: &QueueSource<'a>,
    rubric: Hash,
) -> Result<Vec<(&'a SamplingUnit, Option<QueuedItem>)>, ReviewError> {
    let sample = source.sample.ok_or(HumanLabelsError::NoSample)?;
    let pooled = &source.evidence.pooled;
    let places = places(pooled);
    let item = |(number, unit): (usize, &'a SamplingUnit)| {
        let found = places.get(&(unit.topic.as_str(), unit.document.as_str()));
        (unit, found.and_then(|place| graded_item(pooled, rubric, *place, Some(number))))
    };
    Ok(sheet_order(&sample.sample).into_iter().map(item).collect())
}

/// These pairs of the pool, to grade.
pub(crate) fn to_grade(source: &QueueSource<'_>, items: Vec<QueuedItem>) -> Queued {
    Queued { asked: Arc::clone(&source.evidence.pooled), items, form: ReviewForm::Grade }
}

/// Returns every pair that can be settled where judges grade: those of the sample in their order, then the others of
/// the pool in random order. Pairs with existing labels are left out; a study with them has no sample.
///
/// # Errors
/// Returns an error if the pool lacks a drawn pair.
pub(crate) fn drawn_to_grade(
    source: &QueueSource<'_>,
    rubric: Hash,
    seed: Seed,
) -> Result<Queued, ReviewError> {
    let (evidence, pooled) = (source.evidence, &source.evidence.pooled);
    let mut items = match (source.sample, source.kept) {
        (Some(_), None) => of_sample(source, rubric)?.items,
        _ => Vec::new(),
    };
    if evidence.compared().is_none() {
        let sampled: BTreeSet<usize> = items.iter().map(|item| item.place).collect();
        let mut others = chosen(source, &ReviewQueue::Random, seed);
        let labelled = |case: Case<'_>| source.kept.is_some_and(|kept| has_label(kept, &case));
        others.retain(|place| !sampled.contains(place) && !pooled.case_at(*place).is_some_and(labelled));
        items.extend(others.into_iter().filter_map(|place| graded_item(pooled, rubric, place, None)));
    }
    Ok(to_grade(source, items))
}

/// Whether annotators disagree on a pair of the sample that this annotator can settle.
pub(crate) fn has_dispute(evidence: &StudyEvidence, annotator: &str) -> bool {
    let is_open = |pair: &SampledPair| {
        let by_annotator = |given: &AnnotatorGrade| given.annotator == annotator;
        !pair.answers.iter().any(by_annotator) && pair.settled.as_ref().is_none_or(by_annotator)
    };
    evidence.human_labels.as_ref().is_some_and(|human_labels| human_labels.disputed().any(is_open))
}

/// The places of the documents behind failed judge checks, in the order of the checks.
fn graded_by_check(pooled: &Workload, flagged: &FlaggedPairs) -> Vec<usize> {
    let mut places = FxHashMap::default();
    for (place, question) in pooled.questions().enumerate() {
        places.insert((question.topic, question.documents), place);
    }
    let found =
        flagged.pairs.iter().map(|(topic, documents)| places.get(&(*topic, documents.as_slice())).copied());
    found.flatten().collect()
}

/// The places of a queue other than the sample.
fn chosen(source: &QueueSource<'_>, queue: &ReviewQueue, seed: Seed) -> Vec<usize> {
    let evidence = source.evidence;
    let pooled = &*evidence.pooled;
    let label = |place: usize| {
        let case = pooled.case_at(place)?;
        evidence.judged().get(&case.topic.id, case.document_id())
    };
    let mut places: Vec<usize> = (0..pooled.len()).collect();
    places.sort_by_cached_key(|place| {
        pooled.case_at(*place).map(|case| lot(seed, PURPOSE, &case.topic.id, case.document_ids()))
    });
    match queue {
        ReviewQueue::Sample
        | ReviewQueue::Adjudicate(_)
        | ReviewQueue::Random
        | ReviewQueue::Cycles
        | ReviewQueue::Checks => {}
        ReviewQueue::Failures => places.retain(|place| label(*place).is_none()),
        ReviewQueue::Query(query) => {
            places.retain(|place| {
                pooled.case_at(*place).is_some_and(|case| source.is_of(&case.topic.id, query))
            });
        }
        ReviewQueue::Disagreement => {
            let apart = |place: usize| label(place).map_or(0, |label| label.high - label.low);
            places.retain(|place| apart(*place) > 0);
            places.sort_by_key(|place| Reverse(apart(*place)));
        }
    }
    places
}

fn why_empty(evidence: &StudyEvidence, queue: &ReviewQueue) -> String {
    match queue {
        ReviewQueue::Sample
        | ReviewQueue::Adjudicate(_)
        | ReviewQueue::Random
        | ReviewQueue::Cycles
        | ReviewQueue::Checks => "no pair was drawn".to_owned(),
        ReviewQueue::Disagreement if evidence.judges.judges().len() < 2 => {
            "one judge disagrees with nobody; a panel needs two or more".to_owned()
        }
        ReviewQueue::Disagreement => "the judges give every pair the same grade".to_owned(),
        ReviewQueue::Failures => "every pair has a label".to_owned(),
        ReviewQueue::Query(query) => format!("no pair of the pool belongs to query {query:?}"),
    }
}

/// The places of pairs by query and document.
fn places(pooled: &Workload) -> FxHashMap<(&str, &str), usize> {
    let mut places = FxHashMap::default();
    for place in 0..pooled.len() {
        if let Some(case) = pooled.case_at(place) {
            places.insert((case.topic.id.as_str(), case.document_id()), place);
        }
    }
    places
}

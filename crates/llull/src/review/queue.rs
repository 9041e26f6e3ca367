//! Queues: which pairs people are shown, and in which order.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt;

use llull_core::{Hash, Qrels, Seed};
use llull_data::SheetRow;
use llull_report::text::counted;
use llull_runner::{Case, Workload};
use llull_stats::draw_without_replacement;
use rustc_hash::FxHashMap;

use super::item::{QueuedItem, item_id};
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::people::{ADJUDICATE_QUEUE, AnswerKind, PeopleLabels, SAMPLE_QUEUE, SampledPair, StudySample};
use crate::people_error::PeopleError;
use crate::review_error::ReviewError;
use crate::sampling::sheet_rows;

/// The purpose of the random numbers that break ties.
const PURPOSE: &str = "order of a review";

/// Where pairs come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ReviewQueue {
    /// The study's sample, in random order: its labels correct figures.
    #[default]
    Sample,
    /// The pairs of the sample on which people disagree, in random order, for this person, who labelled none of them.
    /// What the person says of a pair is its label from then on.
    Adjudicate(String),
    /// Pairs on which the grades of a panel's judges are furthest apart, those first.
    Disagreement,
    /// Pairs without a label, because judges failed or what they wrote could not be read.
    Failures,
    /// The pairs of one query.
    Query(String),
}

/// What people are shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReviewOptions {
    /// Where pairs come from.
    pub queue: ReviewQueue,
    /// How many people are to answer each pair; as many as come where it is `None`.
    pub overlap: Option<usize>,
    /// How many pairs a queue that is no sample has at most.
    pub most: Option<usize>,
}

impl ReviewQueue {
    /// Returns what answers to its pairs count for.
    pub(super) fn kind(&self) -> AnswerKind {
        match self {
            Self::Sample => AnswerKind::Sampled,
            Self::Adjudicate(_) => AnswerKind::Settling,
            Self::Disagreement | Self::Failures | Self::Query(_) => AnswerKind::Picked,
        }
    }

    /// Returns its name: `sample`, `adjudicate`, `disagreement`, `failures`, `query`. It is recorded with every answer.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sample => SAMPLE_QUEUE,
            Self::Adjudicate(_) => ADJUDICATE_QUEUE,
            Self::Disagreement => "disagreement",
            Self::Failures => "failures",
            Self::Query(_) => "query",
        }
    }
}

impl fmt::Display for ReviewQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Query(query) => write!(f, "query {query}"),
            queue => f.write_str(queue.name()),
        }
    }
}

/// Returns the pairs of a queue in their order. `kept` are labels that exist: their pairs need nobody.
///
/// # Errors
/// Returns an error if the study has no sample and the sample is asked for, a drawn pair is not in the pool any more,
/// or there is no pair.
pub(super) fn queued(
    (evidence, kept): (&StudyEvidence, Option<&Qrels>),
    (rubric, seed): (Hash, Seed),
    sample: Option<&StudySample>,
    options: &ReviewOptions,
) -> Result<Vec<QueuedItem>, StudyError> {
    let pooled = &*evidence.pooled;
    let item = |place: usize, number| {
        let case = pooled.case_at(place)?;
        Some(QueuedItem { id: item_id(&case, rubric), place, number })
    };
    let drawn = match &options.queue {
        ReviewQueue::Sample => Some(None),
        ReviewQueue::Adjudicate(person) => Some(Some(disputed(evidence, person)?)),
        _ => None,
    };
    if let Some(only) = drawn {
        let sample = sample.ok_or(PeopleError::NoSample)?;
        let places = places(pooled);
        let mut items = Vec::new();
        let is_shown = |row: &SheetRow| only.as_ref().is_none_or(|only| only.contains(&row.number));
        for row in sheet_rows(&sample.sample, |_, _| None).into_iter().filter(is_shown) {
            let found = places.get(&(row.query.as_str(), row.document.as_str()));
            let item = found.and_then(|place| item(*place, Some(row.number)));
            let missing =
                || ReviewError::NotPooled { query: row.query.clone(), document: row.document.clone() };
            items.push(item.ok_or_else(missing)?);
        }
        if only.is_some() {
            items.truncate(options.most.unwrap_or(usize::MAX));
        }
        return Ok(items);
    }
    let mut places = chosen(evidence, &options.queue, seed);
    if let Some(kept) = kept {
        places.retain(|place| pooled.case_at(*place).is_some_and(|case| !has_label(kept, &case)));
    }
    places.truncate(options.most.unwrap_or(usize::MAX));
    if places.is_empty() {
        let why = why_empty(evidence, &options.queue);
        return Err(ReviewError::Empty { queue: options.queue.name(), why }.into());
    }
    Ok(places.into_iter().filter_map(|place| item(place, None)).collect())
}

/// The numbers of the pairs that a person is to settle: others disagree on them, and nobody else has settled them.
fn disputed(evidence: &StudyEvidence, person: &str) -> Result<BTreeSet<usize>, StudyError> {
    let people = evidence.people.as_ref().ok_or(PeopleError::NoSample)?;
    let is_open = |pair: &&SampledPair| {
        pair.answers.iter().all(|answer| answer.person != person)
            && pair.settled.as_ref().is_none_or(|settled| settled.person == person)
    };
    let numbers: BTreeSet<usize> = people.disputed().filter(is_open).map(|pair| pair.number).collect();
    if numbers.is_empty() {
        return Err(ReviewError::Empty { queue: ADJUDICATE_QUEUE, why: why_settled(people, person) }.into());
    }
    Ok(numbers)
}

fn why_settled(people: &PeopleLabels, person: &str) -> String {
    let disputed = people.disputed().count();
    match people.pairs.iter().any(|pair| pair.answers.len() > 1) {
        false => "no pair of the sample has labels of two people; llull review --overlap 2 asks two for each"
            .to_owned(),
        true if disputed == 0 => "people agree on every pair that two of them labelled".to_owned(),
        true => format!(
            "people disagree on {}, and {person} labelled them, or somebody else has settled them",
            counted(disputed, "pair")
        ),
    }
}

fn has_label(kept: &Qrels, case: &Case<'_>) -> bool {
    kept.grade(&case.topic.id, case.document_id()).is_some()
}

/// The places of a queue that is no sample.
fn chosen(evidence: &StudyEvidence, queue: &ReviewQueue, seed: Seed) -> Vec<usize> {
    let pooled = &*evidence.pooled;
    let label = |place: usize| {
        let case = pooled.case_at(place)?;
        evidence.judged().get(&case.topic.id, case.document_id())
    };
    let mut places = draw_without_replacement(pooled.len(), pooled.len(), seed, PURPOSE, 0);
    match queue {
        ReviewQueue::Sample | ReviewQueue::Adjudicate(_) => {}
        ReviewQueue::Failures => places.retain(|place| label(*place).is_none()),
        ReviewQueue::Query(query) => {
            places.retain(|place| pooled.case_at(*place).is_some_and(|case| case.topic.id == *query));
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
        ReviewQueue::Sample | ReviewQueue::Adjudicate(_) => "no pair was drawn".to_owned(),
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

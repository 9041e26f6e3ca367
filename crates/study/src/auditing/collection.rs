//! Describes the pool for judge checks.
//!
//! These are lengths, shared words, ranks, and grades made elsewhere.

use llull_audit::{
    AuditedCollection, AuditedSystem, HumanPreference, ShownDocument, WordSet, near_copies, word_overlap,
};
use llull_candidates::PooledTopic;
use llull_config::Settings;
use llull_core::Item;
use llull_judge::fit;
use llull_runner::PooledDocument;
use llull_stats::Choice;
use rayon::prelude::*;

use crate::evidence::StudyEvidence;
use crate::inputs::Inputs;
use crate::people::HumanLabels;
use crate::preferences::PairVotes;

/// Returns the properties of pooled documents that need no judge. Queries and documents are in the pool's order.
pub(super) fn audited_collection(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
) -> AuditedCollection {
    let firsts = inputs.asked().topics.iter().scan(0, |next, topic| {
        let first = *next;
        *next += topic.documents.len();
        Some((first, topic))
    });
    let topics: Vec<(usize, &PooledTopic)> = firsts.collect();
    let reviewers = evidence.reviewers(settings.reference_people);
    let of_topic = |&(first, topic): &(usize, &PooledTopic)| {
        documents(settings, inputs, (evidence, reviewers), first, topic)
    };
    AuditedCollection {
        documents: topics.par_iter().map(of_topic).collect(),
        systems: systems(settings, inputs),
        baseline: settings.systems.iter().position(|system| system.name == settings.compare.baseline),
        grades: match settings.tournament {
            Some(_) => Vec::new(),
            None => (inputs.rubric.scale.low()..=inputs.rubric.scale.high()).map(f64::from).collect(),
        },
        preferences: preferences(inputs, evidence),
    }
}

/// Returns the properties of a query's documents; question number `first` of the pool is about the first.
fn documents(
    settings: &Settings,
    inputs: &Inputs,
    (evidence, reviewers): (&StudyEvidence, Option<&HumanLabels>),
    first: usize,
    topic: &PooledTopic,
) -> Vec<ShownDocument> {
    let budget = document_tokens(settings);
    // Only grades of near copies are compared, and finding them takes the longest.
    let are_graded = settings.tournament.is_none() || !settings.graders.is_empty();
    let mut words: Vec<Option<WordSet>> = Vec::with_capacity(topic.documents.len());
    let mut documents: Vec<ShownDocument> = (first..first + topic.documents.len())
        .zip(&topic.documents)
        .map(|(place, pooled)| {
            let case = evidence.pooled.case_at(place);
            let question = evidence.pooled.question(place);
            let document = question
                .and_then(|question| evidence.pooled.document(*question.documents.first()?))
                .and_then(PooledDocument::document);
            let text = document.map(llull_core::Document::shown);
            let text = text.as_deref().map(|text| budget.map_or(text, |budget| fit(text, budget).shown));
            let others = [inputs.reference.as_ref(), inputs.base.as_ref().map(|base| &base.labels)];
            let human = others.into_iter().flatten().find_map(|labels| labels.grade(&topic.id, &pooled.id));
            let label = |human_labels: &HumanLabels| {
                human_labels.labels.get(&topic.id, &pooled.id).map(|label| label.grade)
            };
            let human = human.or_else(|| reviewers.and_then(label));
            words.push(text.filter(|_| are_graded).map(WordSet::of));
            ShownDocument {
                characters: text.map(|text| text.chars().count()),
                overlap: case.zip(text).and_then(|(case, text)| word_overlap(&case.topic.text, text)),
                fused_rank: None,
                copy_of: None,
                human_grade: human.map(f64::from),
            }
        })
        .collect();
    for (document, copy_of) in documents.iter_mut().zip(near_copies(&words)) {
        document.copy_of = copy_of;
    }
    for (rank, at) in (1..).zip(topic.fused_order()) {
        if let Some(document) = documents.get_mut(at as usize) {
            document.fused_rank = Some(rank);
        }
    }
    documents
}

/// Returns human preferences for pairs in random order. Those of other queues do not represent the rest.
fn preferences(inputs: &Inputs, evidence: &StudyEvidence) -> Vec<HumanPreference> {
    let Some(comparisons) = evidence.comparisons().filter(|comparisons| !comparisons.drawn.is_empty()) else {
        return Vec::new();
    };
    let topics = &inputs.asked().topics;
    let place = |query: &str| topics.iter().position(|topic| topic.id == query);
    let item = |query: usize, id: &str| {
        let mut documents = topics.get(query)?.documents.iter();
        documents.position(|document| *document.id == *id).map(Item::at)
    };
    let votes = PairVotes::of(&comparisons.drawn);
    let preferred = votes.pairs().filter_map(|(query, first, second, choice)| {
        let query = place(query?)?;
        let (first, second) = (item(query, first)?, item(query, second)?);
        match choice {
            Choice::First => Some(HumanPreference { query, better: first, worse: second }),
            Choice::Second => Some(HumanPreference { query, better: second, worse: first }),
            Choice::Neither => None,
        }
    });
    preferred.collect()
}

/// Returns each system's part of the pool, best first.
fn systems(settings: &Settings, inputs: &Inputs) -> Vec<AuditedSystem> {
    let topics = &inputs.asked().topics;
    let mut ranked: Vec<Vec<Vec<(u32, Item)>>> = vec![vec![Vec::new(); topics.len()]; settings.systems.len()];
    for (query, topic) in topics.iter().enumerate() {
        for (item, document) in topic.documents.iter().enumerate() {
            for found in &document.found {
                let of_query = ranked.get_mut(usize::from(found.run)).and_then(|run| run.get_mut(query));
                of_query.into_iter().for_each(|ranking| ranking.push((found.rank, Item::at(item))));
            }
        }
    }
    let rankings = ranked.into_iter().map(|queries| {
        let in_order = |mut ranking: Vec<(u32, Item)>| {
            ranking.sort_unstable();
            ranking.into_iter().map(|(_, item)| item).collect()
        };
        queries.into_iter().map(in_order).collect()
    });
    let named = settings.systems.iter().zip(rankings);
    let audited = named.map(|(system, rankings)| AuditedSystem {
        name: system.name.clone(),
        family: system.family.clone(),
        reranked_by: system.reranked_by.clone(),
        rankings,
    });
    audited.collect()
}

/// Returns the longest part of a document that any language model among the judges sees; `None` without one.
fn document_tokens(settings: &Settings) -> Option<u32> {
    let judges = settings.judges.iter().chain(&settings.graders);
    judges.filter_map(|judge| judge.kind.document_tokens()).max()
}

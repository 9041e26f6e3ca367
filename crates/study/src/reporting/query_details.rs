//! The queries of a report, made one by one to save memory.

use llull_config::Settings;
use llull_core::Label;
use llull_metrics::Scores;
use llull_report::text::shorten;
use llull_report::{DocumentDetail, ScoresByQuery, TopicDetail, sort_documents, topic_note};
use llull_runner::{Case, TopicIndex};

use super::judge_record::JudgeRecord;
use super::summary::labels_are_grades;
use super::tournaments::query_tournament;
use crate::evidence::{ComparedQuery, StudyEvidence};
use crate::inputs::Inputs;

/// The maximum length of a title, in characters.
const TITLE: usize = 100;
/// The maximum length of an excerpt, in characters.
const EXCERPT: usize = 400;

/// The inputs of the details of a query.
pub(super) struct QueryDetails<'a> {
    pub(super) settings: &'a Settings,
    pub(super) inputs: &'a Inputs,
    pub(super) evidence: &'a StudyEvidence,
    pub(super) scores: &'a [Scores],
    pub(super) records: &'a [JudgeRecord<'a>],
    /// Whether documents have their first words, and answers the facets that a judge finds and misses.
    pub(super) excerpts: bool,
    /// Whether queries have texts.
    pub(super) texts: bool,
}

impl QueryDetails<'_> {
    /// Returns the queries in the order of the topics.
    pub(super) fn queries(&self) -> impl Iterator<Item = TopicDetail> {
        let measured = ScoresByQuery::new(self.scores);
        let mut first = 0;
        (0..self.inputs.pool.topics.len()).map_while(move |at| {
            let query = self.query(at, first, &measured);
            first += self.asked(at);
            query
        })
    }

    /// Returns the query at this place of the topics, if there is one, without making the others.
    pub(super) fn query_at(&self, at: usize) -> Option<TopicDetail> {
        let first = (0..at.min(self.inputs.pool.topics.len())).map(|before| self.asked(before)).sum();
        self.query(at, first, &ScoresByQuery::new(self.scores))
    }

    /// The number of the query's pairs for judges.
    fn asked(&self, at: usize) -> usize {
        self.inputs.asked().topics.get(at).map_or(0, |asked| asked.documents.len())
    }

    /// A query whose first pair for judges has this number.
    fn query(&self, at: usize, first: usize, measured: &ScoresByQuery<'_>) -> Option<TopicDetail> {
        let cutoff = self.settings.relevant_from(self.inputs.rubric.cutoff);
        let (pooled, topic) = (self.inputs.pool.topics.get(at)?, self.inputs.topics.iter().nth(at)?);
        let (at, mut pair) = (TopicIndex(u32::try_from(at).ok()?), first);
        let compared = self.evidence.compared().and_then(|queries| queries.get(at.get()));
        let tiers = compared.map(ComparedQuery::tiers).unwrap_or_default();
        let mut documents: Vec<DocumentDetail> = Vec::with_capacity(pooled.documents.len());
        let asked = self.inputs.asked().topics.get(at.get());
        let mut asked = asked.into_iter().flat_map(|asked| &asked.documents).peekable();
        for document in &pooled.documents {
            // The pairs for judges are those of the pool, in its order, with some left out.
            if asked.next_if(|asked| asked.id == document.id).is_none() {
                documents.push(self.kept(&topic.id, document));
                continue;
            }
            let mut detail = self.document(at, &topic.id, document, pair);
            let question = self.evidence.pooled.question(pair);
            let place = question.and_then(|question| question.documents.first());
            detail.tier = place.and_then(|place| tiers.get(place)).map(|tier| *tier as u32 + 1);
            documents.push(detail);
            pair += 1;
        }
        sort_documents(&mut documents);
        let labelled = documents.iter().filter(|document| document.grade.is_some()).count();
        let reaches = |cutoff: i32| {
            let reached = |document: &&DocumentDetail| document.grade.is_some_and(|grade| grade >= cutoff);
            documents.iter().filter(reached).count()
        };
        let relevant = cutoff.map(reaches);
        let detail = TopicDetail {
            id: topic.id.clone(),
            text: topic.text.clone(),
            pooled: documents.len(),
            labelled,
            relevant,
            note: topic_note(documents.len(), labelled, relevant.unwrap_or(0), cutoff),
            systems: measured.systems(&topic.id),
            tournament: query_tournament(self.evidence, at),
            documents,
        };
        Some(if self.texts { detail } else { detail.without_texts() })
    }

    fn document(
        &self,
        at: TopicIndex,
        query: &str,
        pooled: &llull_candidates::Pooled,
        pair: usize,
    ) -> DocumentDetail {
        let case = self.evidence.pooled.case_at(pair);
        let question = self.evidence.pooled.question(pair);
        let place = question.and_then(|question| question.documents.first().copied());
        let title = case
            .and_then(Case::document)
            .map_or("", |document| if document.title.is_empty() { &document.text } else { &document.title });
        let text = case.and_then(Case::document).map(|document| document.text.as_str());
        DocumentDetail {
            title: shorten(title, TITLE),
            excerpt: text.filter(|_| self.excerpts).map(|text| shorten(text, EXCERPT)),
            answers: self
                .records
                .iter()
                .map(|record| record.answer(pair, (at, place), self.excerpts))
                .collect(),
            ..self.kept(query, pooled)
        }
    }

    /// The details of a document that no judge judged.
    fn kept(&self, query: &str, pooled: &llull_candidates::Pooled) -> DocumentDetail {
        let mut ranks = vec![None; self.settings.systems.len()];
        for found in &pooled.found {
            if let Some(rank) = ranks.get_mut(usize::from(found.run)) {
                *rank = Some(found.rank);
            }
        }
        let label = self.evidence.labels.get(query, &pooled.id);
        let grade = label.map(|label| label.grade);
        let reference = self.excerpts.then(|| self.reference(query, &pooled.id)).flatten();
        let mixed = self.evidence.mixed().filter(|_| grade.is_some());
        DocumentDetail {
            id: pooled.id.to_string(),
            grade,
            mean: label.and_then(Label::mean_grade),
            reference,
            metadata: self.metadata(&pooled.id),
            source: mixed.map(|mixed| mixed.source(query, &pooled.id).to_owned()),
            ranks,
            ..DocumentDetail::default()
        }
    }

    /// The metadata of a document, for a page that shows its first words.
    fn metadata(&self, document: &str) -> Vec<(String, String)> {
        let known = self.evidence.metadata.get(document).filter(|_| self.excerpts);
        known.cloned().unwrap_or_default()
    }

    /// The grade of a document in the study's sample, or in the reference while the sample has no label: a page shows
    /// them under one name. `None` if labels are places in an order, which have another scale.
    fn reference(&self, query: &str, document: &str) -> Option<i32> {
        let sample = self.evidence.human_labels.as_ref().filter(|found| found.labels.labelled() > 0);
        let grade = match sample {
            Some(found) => found.labels.get(query, document).map(|label| label.grade),
            None => self.inputs.reference.as_ref()?.grade(query, document),
        };
        grade.filter(|_| labels_are_grades(self.settings))
    }
}

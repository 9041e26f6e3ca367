//! The query and documents that a question shows to a judge.

use std::borrow::Cow;

use llull_core::{Answer, Attempt, Document, TaskKey, Topic};

use crate::{document::PooledDocument, index::DocumentIndex};

/// The query and documents that a question shows to a judge: one document to grade, or several to compare.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// The query.
    pub topic: &'a Topic,
    /// Positions in the pool: at least one, and none out of range.
    documents: &'a [DocumentIndex],
    pool: &'a [PooledDocument],
}

impl<'a> Case<'a> {
    /// Creates a case of documents from a pool, in the order in which the judge sees them. Returns `None` if
    /// `documents` is empty or has a position out of range.
    pub fn new(topic: &'a Topic, documents: &'a [DocumentIndex], pool: &'a [PooledDocument]) -> Option<Self> {
        let inside = documents.iter().all(|at| pool.len() > at.get());
        (inside && !documents.is_empty()).then_some(Self { topic, documents, pool })
    }

    /// Creates a case of one document.
    pub fn of_one(topic: &'a Topic, document: &'a PooledDocument) -> Self {
        Self { topic, documents: &[DocumentIndex(0)], pool: std::slice::from_ref(document) }
    }

    fn pooled(self) -> impl Iterator<Item = &'a PooledDocument> {
        self.documents.iter().filter_map(move |at| self.pool.get(at.get()))
    }

    /// Returns the documents' identifiers, in the order in which the judge sees them.
    pub fn document_ids(self) -> impl Iterator<Item = &'a str> {
        self.pooled().map(PooledDocument::id)
    }

    /// Returns the documents, in the order in which the judge sees them. `None` is a document whose text is unknown;
    /// only judges that do not [need text](crate::JudgeIdentity::needs_text) get such documents.
    pub fn documents(self) -> impl Iterator<Item = Option<&'a Document>> {
        self.pooled().map(PooledDocument::document)
    }

    /// Returns the documents' titles and texts, uncut, in the order in which the judge sees them. An unknown text is
    /// empty.
    pub fn texts(self) -> impl Iterator<Item = Cow<'a, str>> {
        self.pooled().map(PooledDocument::text)
    }

    /// Returns the number of documents, at least 1.
    pub fn document_count(self) -> usize {
        self.documents.len()
    }

    /// Returns the identifier of the first document. A graded case has only one.
    pub fn document_id(self) -> &'a str {
        self.document_ids().next().unwrap_or_default()
    }

    /// Returns an attempt at this question, as the first sample and without a time.
    pub fn attempt(self, key: TaskKey, answer: Answer) -> Attempt {
        let compared = Some(self).filter(|case| case.document_count() > 1);
        Attempt {
            topic: self.topic.id.clone(),
            document: self.document_id().to_owned(),
            documents: compared.into_iter().flat_map(Self::document_ids).map(str::to_owned).collect(),
            ..Attempt::new(key, answer)
        }
    }

    /// Returns the first document, if its text is known.
    pub fn document(self) -> Option<&'a Document> {
        self.documents().next().flatten()
    }
}

//! What one question shows a judge.

use std::borrow::Cow;

use llull_core::{Document, Topic};

use crate::{document::PooledDocument, index::DocumentIndex};

/// What a judge is asked about: a query and the documents it sees, one to grade or several to compare.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// The query.
    pub topic: &'a Topic,
    /// Positions in the stock: at least one, and none outside.
    documents: &'a [DocumentIndex],
    stock: &'a [PooledDocument],
}

impl<'a> Case<'a> {
    /// A query and these documents of a stock, in the order in which the judge sees them. Returns `None` if `documents`
    /// is empty or points outside the stock.
    pub fn new(
        topic: &'a Topic,
        documents: &'a [DocumentIndex],
        stock: &'a [PooledDocument],
    ) -> Option<Self> {
        let inside = documents.iter().all(|at| stock.len() > at.get());
        (inside && !documents.is_empty()).then_some(Self { topic, documents, stock })
    }

    /// A query and one document.
    pub fn of_one(topic: &'a Topic, document: &'a PooledDocument) -> Self {
        Self { topic, documents: &[DocumentIndex(0)], stock: std::slice::from_ref(document) }
    }

    fn pooled(self) -> impl Iterator<Item = &'a PooledDocument> {
        self.documents.iter().filter_map(move |at| self.stock.get(at.get()))
    }

    /// The documents' identifiers, in the order in which the judge sees them.
    pub fn document_ids(self) -> impl Iterator<Item = &'a str> {
        self.pooled().map(PooledDocument::id)
    }

    /// The documents, in the order in which the judge sees them; `None` for one whose text is unknown. Only judges
    /// that do not [need text](crate::JudgeIdentity::needs_text) are asked about such a document.
    pub fn documents(self) -> impl Iterator<Item = Option<&'a Document>> {
        self.pooled().map(PooledDocument::document)
    }

    /// The documents' titles and texts, in the order in which the judge sees them, uncut; empty for an unknown
    /// text.
    pub fn texts(self) -> impl Iterator<Item = Cow<'a, str>> {
        self.pooled().map(PooledDocument::text)
    }

    /// The number of documents, at least 1.
    pub fn document_count(self) -> usize {
        self.documents.len()
    }

    /// The identifier of the first document, which is the only one where one is graded.
    pub fn document_id(self) -> &'a str {
        self.document_ids().next().unwrap_or_default()
    }

    /// The first document, if its text is known.
    pub fn document(self) -> Option<&'a Document> {
        self.documents().next().flatten()
    }
}

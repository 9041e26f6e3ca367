//! The seam: whoever can be asked about documents.

use futures::future::BoxFuture;
use llull_core::{Document, JudgeSpec, Outcome, TaskKey, Topic, Usage};

use crate::{DocumentIndex, PooledDocument};

/// What a judge is asked about: a topic and the documents that are shown, one to be graded or several to be compared.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// The topic.
    pub topic: &'a Topic,
    /// Positions in the stock: at least one, and none outside.
    documents: &'a [DocumentIndex],
    stock: &'a [PooledDocument],
}

impl<'a> Case<'a> {
    /// A topic and these documents of a stock, in the order in which they are shown; `None` when there are none, or one is
    /// not in the stock.
    pub fn new(topic: &'a Topic, documents: &'a [DocumentIndex], stock: &'a [PooledDocument]) -> Option<Self> {
        let inside = documents.iter().all(|at| stock.len() > at.get());
        (inside && !documents.is_empty()).then_some(Self { topic, documents, stock })
    }

    /// A topic and one document.
    pub fn of_one(topic: &'a Topic, document: &'a PooledDocument) -> Self {
        Self { topic, documents: &[DocumentIndex(0)], stock: std::slice::from_ref(document) }
    }

    fn shown(self) -> impl Iterator<Item = &'a PooledDocument> {
        self.documents.iter().filter_map(move |at| self.stock.get(at.get()))
    }

    /// The documents' identifiers, in the order in which they are shown.
    pub fn document_ids(self) -> impl Iterator<Item = &'a str> {
        self.shown().map(PooledDocument::id)
    }

    /// The documents, in the order in which they are shown; `None` stands for one without a text, of which only judges
    /// hear that do not [need text](Judge::needs_text).
    pub fn documents(self) -> impl Iterator<Item = Option<&'a Document>> {
        self.shown().map(PooledDocument::document)
    }

    /// How many documents are shown, at least 1.
    pub fn shows(self) -> usize {
        self.documents.len()
    }

    /// The identifier of the first document: of the only one, where one is graded.
    pub fn document_id(self) -> &'a str {
        self.document_ids().next().unwrap_or_default()
    }

    /// The first document, if its text is known.
    pub fn document(self) -> Option<&'a Document> {
        self.documents().next().flatten()
    }
}

/// What came of asking once.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// A verdict, an unusable reply or a failure.
    pub outcome: Outcome,
    /// The reply verbatim, if the judge writes one.
    pub reply: Option<String>,
    /// The model that has answered, as its server calls it.
    pub model: Option<String>,
    /// Tokens.
    pub usage: Usage,
    /// The price in US dollars, if known.
    pub cost_usd: Option<f64>,
    /// Estimated tokens of the documents that were not shown.
    pub tokens_cut: u32,
}

impl Answer {
    /// The answer of a judge that computes it here: no reply, no tokens, no cost.
    pub fn computed(outcome: Outcome) -> Self {
        Self {
            outcome,
            reply: None,
            model: None,
            usage: Usage { prompt_tokens: Some(0), completion_tokens: Some(0) },
            cost_usd: Some(0.0),
            tokens_cut: 0,
        }
    }

    /// No answer. What it cost is unknown.
    pub fn failed(failure: llull_core::Failure) -> Self {
        Self {
            outcome: Outcome::Failed(failure),
            reply: None,
            model: None,
            usage: Usage::default(),
            cost_usd: None,
            tokens_cut: 0,
        }
    }
}

/// Whoever can be asked about documents: a prompted model, a baseline, a file of old answers.
pub trait Judge: Send + Sync {
    /// The judge's name in the study.
    fn name(&self) -> &str;

    /// What decides its answers.
    fn spec(&self) -> &JudgeSpec;

    /// How many questions may be open at once; 0 counts as 1.
    fn concurrency(&self) -> usize;

    /// Whether it reads the documents' texts.
    fn needs_text(&self) -> bool {
        true
    }

    /// Whether it can say anything about a document at all, by the identifiers of topic and document. One that is told beforehand
    /// not to be known need not make a whole comparison unusable.
    fn knows(&self, _topic: &str, _document: &str) -> bool {
        true
    }

    /// Whether it computes its answers here: at once, for nothing, and the same each time. Such a judge is asked in
    /// bulk, without a time limit, and never a second time about an answer that was unusable.
    fn in_process(&self) -> bool {
        false
    }

    /// What it has learnt so far that readers of the results should know; each is reported once.
    fn notices(&self) -> Vec<String> {
        Vec::new()
    }

    /// The key of a question: the hash of its meaning.
    fn key(&self, case: &Case<'_>, sample: u32) -> TaskKey;

    /// Asks once. Retries are the dispatcher's business.
    fn ask<'a>(&'a self, case: Case<'a>, sample: u32) -> BoxFuture<'a, Answer>;
}

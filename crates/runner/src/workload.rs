//! What is to be judged: topics, documents, and which document for which topic.

use llull_core::{Document, Topic};

use crate::Case;

/// A document of the pool, with its text if that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PooledDocument {
    /// With its text.
    Found(Document),
    /// A run names it and no corpus has it. Only judges that need no text can be asked about it.
    IdOnly(String),
}

impl PooledDocument {
    /// Its identifier.
    pub fn id(&self) -> &str {
        match self {
            Self::Found(document) => &document.id,
            Self::IdOnly(id) => id,
        }
    }

    /// The document, if its text is known.
    pub fn document(&self) -> Option<&Document> {
        match self {
            Self::Found(document) => Some(document),
            Self::IdOnly(_) => None,
        }
    }
}

/// One document for one topic, as positions in a [`Workload`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// The topic's position.
    pub topic: u32,
    /// The document's position.
    pub document: u32,
}

/// A pair that points at a topic or a document that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("pair {pair:?} points outside of the workload, which has {topics} topics and {documents} documents")]
pub struct WorkloadError {
    /// The pair.
    pub pair: Pair,
    /// How many topics there are.
    pub topics: usize,
    /// How many documents there are.
    pub documents: usize,
}

/// Everything that is to be judged, by every judge.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Workload {
    topics: Vec<Topic>,
    documents: Vec<PooledDocument>,
    pairs: Vec<Pair>,
}

impl Workload {
    /// These pairs of these topics and documents. A document that is in the pool of several topics is there once.
    ///
    /// # Errors
    /// When a pair points outside.
    pub fn new(
        topics: Vec<Topic>,
        documents: Vec<PooledDocument>,
        pairs: Vec<Pair>,
    ) -> Result<Self, WorkloadError> {
        let workload = Self { topics, documents, pairs };
        match workload.pairs.iter().find(|pair| workload.case(**pair).is_none()) {
            None => Ok(workload),
            Some(pair) => Err(WorkloadError {
                pair: *pair,
                topics: workload.topics.len(),
                documents: workload.documents.len(),
            }),
        }
    }

    /// The topics, by position.
    pub fn topics(&self) -> &[Topic] {
        &self.topics
    }

    /// The documents, by position.
    pub fn documents(&self) -> &[PooledDocument] {
        &self.documents
    }

    /// The pairs, in the order in which results are given.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// What a judge is asked about at this pair; `None` for a pair of another workload.
    pub fn case(&self, pair: Pair) -> Option<Case<'_>> {
        let topic = self.topics.get(pair.topic as usize)?;
        let document = self.documents.get(pair.document as usize)?;
        Some(Case { topic, document_id: document.id(), document: document.document() })
    }
}

//! The questions of a wave, with their queries and documents.

use std::sync::Arc;

use llull_core::Topic;
use rustc_hash::FxHashSet;

use crate::{
    case::Case,
    document::PooledDocument,
    index::{DocumentIndex, TopicIndex},
};

/// A query and a document, as positions in a [`Workload`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// The query.
    pub topic: TopicIndex,
    /// The document.
    pub document: DocumentIndex,
}

/// A question, as positions in a [`Workload`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question<'a> {
    /// The query.
    pub topic: TopicIndex,
    /// The documents in the order in which they are shown: one to grade, or several to compare.
    pub documents: &'a [DocumentIndex],
}

/// Documents to compare for one query, in the order in which they are shown.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DocumentSet {
    /// The query.
    pub topic: TopicIndex,
    /// The documents.
    pub documents: Vec<DocumentIndex>,
}

/// The error for a workload with an invalid question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WorkloadError {
    /// A question has a position without a query or document.
    #[error(
        "question {question} points outside of the workload, which has {topics} queries and {documents} documents"
    )]
    Outside {
        /// The question's position.
        question: usize,
        /// The number of queries.
        topics: usize,
        /// The number of documents.
        documents: usize,
    },
    /// A comparison shows a document twice, so its answer could not be an order.
    #[error("question {question} shows document number {} twice", document.0)]
    Twice {
        /// The question's position.
        question: usize,
        /// The document's position.
        document: DocumentIndex,
    },
    /// A comparison shows fewer than two documents.
    #[error("question {question} shows {shown} documents; a comparison shows at least 2")]
    TooFew {
        /// The question's position.
        question: usize,
        /// The number of documents that it shows.
        shown: usize,
    },
}

/// Queries, documents, and questions about them, which every judge gets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Workload {
    collection: Arc<Collection>,
    questions: Questions,
    first_sample: u32,
}

/// Queries and documents, which workloads share.
#[derive(Debug, Default, PartialEq, Eq)]
struct Collection {
    topics: Vec<Topic>,
    documents: Vec<PooledDocument>,
}

/// Questions to grade are stored as pairs: there are many of them, and a list of documents each would take memory.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Questions {
    Grade(Vec<Pair>),
    Compare(Vec<DocumentSet>),
}

impl Default for Questions {
    fn default() -> Self {
        Self::Grade(Vec::new())
    }
}

impl Workload {
    /// Creates a workload of questions about one document each. `documents` has each document once, even if it is in
    /// the pools of several queries.
    ///
    /// # Errors
    /// Returns an error if a pair has a position out of range.
    pub fn new(
        topics: Vec<Topic>,
        documents: Vec<PooledDocument>,
        pairs: Vec<Pair>,
    ) -> Result<Self, WorkloadError> {
        let collection = Arc::new(Collection { topics, documents });
        Self { collection, questions: Questions::Grade(pairs), first_sample: 0 }.checked()
    }

    /// Creates a workload of questions about one document each, which shares the queries and documents of this one.
    ///
    /// # Errors
    /// Returns an error if a pair has a position out of range.
    pub fn grading(&self, pairs: Vec<Pair>) -> Result<Self, WorkloadError> {
        Self { collection: Arc::clone(&self.collection), questions: Questions::Grade(pairs), first_sample: 0 }
            .checked()
    }

    /// Creates a workload of comparisons, which shares the queries and documents of this one.
    ///
    /// # Errors
    /// Returns an error if a question has a position out of range, shows a document twice, or shows fewer than two.
    pub fn comparing(&self, questions: Vec<DocumentSet>) -> Result<Self, WorkloadError> {
        for (question, DocumentSet { documents, .. }) in questions.iter().enumerate() {
            if documents.len() < 2 {
                return Err(WorkloadError::TooFew { question, shown: documents.len() });
            }
            let mut seen = FxHashSet::default();
            if let Some(document) = documents.iter().find(|document| !seen.insert(**document)) {
                return Err(WorkloadError::Twice { question, document: *document });
            }
        }
        Self {
            collection: Arc::clone(&self.collection),
            questions: Questions::Compare(questions),
            first_sample: 0,
        }
        .checked()
    }

    /// Numbers the answers to the questions from `first`: they are independent of answers with other numbers, which are
    /// not reused for them.
    #[must_use]
    pub fn numbered_from(self, first: u32) -> Self {
        Self { first_sample: first, ..self }
    }

    /// Returns the number of the first answer to a question, usually 0.
    pub fn first_sample(&self) -> u32 {
        self.first_sample
    }

    fn checked(self) -> Result<Self, WorkloadError> {
        match (0..self.len()).find(|question| self.case_at(*question).is_none()) {
            None => Ok(self),
            Some(question) => Err(WorkloadError::Outside {
                question,
                topics: self.collection.topics.len(),
                documents: self.collection.documents.len(),
            }),
        }
    }

    /// Returns the queries, by position.
    pub fn topics(&self) -> &[Topic] {
        &self.collection.topics
    }

    /// Returns the documents, by position.
    pub fn documents(&self) -> &[PooledDocument] {
        &self.collection.documents
    }

    /// Returns the query at a position.
    pub fn topic(&self, at: TopicIndex) -> Option<&Topic> {
        self.collection.topics.get(at.get())
    }

    /// Returns the document at a position.
    pub fn document(&self, at: DocumentIndex) -> Option<&PooledDocument> {
        self.collection.documents.get(at.get())
    }

    /// Returns the number of questions.
    pub fn len(&self) -> usize {
        match &self.questions {
            Questions::Grade(pairs) => pairs.len(),
            Questions::Compare(questions) => questions.len(),
        }
    }

    /// Returns whether there are no questions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the question at a position, or `None` past the end. Results have the same order.
    pub fn question(&self, at: usize) -> Option<Question<'_>> {
        match &self.questions {
            Questions::Grade(pairs) => pairs
                .get(at)
                .map(|pair| Question { topic: pair.topic, documents: std::slice::from_ref(&pair.document) }),
            Questions::Compare(questions) => {
                questions.get(at).map(|set| Question { topic: set.topic, documents: &set.documents })
            }
        }
    }

    /// Returns the questions. Results have the same order.
    pub fn questions(&self) -> impl Iterator<Item = Question<'_>> {
        (0..self.len()).filter_map(|at| self.question(at))
    }

    /// Returns the query and documents of the question at a position, or `None` past the end.
    pub fn case_at(&self, at: usize) -> Option<Case<'_>> {
        let question = self.question(at)?;
        let topic = self.topic(question.topic)?;
        Case::new(topic, question.documents, &self.collection.documents)
    }

    /// Returns the query and documents of each question. Results have the same order.
    pub fn cases(&self) -> impl Iterator<Item = Case<'_>> {
        (0..self.len()).filter_map(|at| self.case_at(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workload() -> Workload {
        let topics = vec![Topic { id: "q".into(), text: "why".into() }];
        let documents = ["a", "b", "c"].map(|id| PooledDocument::IdOnly(id.into())).to_vec();
        Workload::new(topics, documents, vec![pair(2)]).unwrap()
    }

    fn pair(document: u32) -> Pair {
        Pair { topic: TopicIndex(0), document: DocumentIndex(document) }
    }

    fn set(topic: u32, documents: &[u32]) -> DocumentSet {
        let documents = documents.iter().copied().map(DocumentIndex).collect();
        DocumentSet { topic: TopicIndex(topic), documents }
    }

    #[test]
    fn comparisons_show_documents_of_the_same_stock_in_their_order() {
        let graded = workload();
        let question = |document| Question { topic: TopicIndex(0), documents: document };
        assert_eq!(graded.question(0), Some(question(&[DocumentIndex(2)])));
        let compared = graded.comparing(vec![set(0, &[2, 0]), set(0, &[1, 2, 0])]).unwrap();
        assert!(Arc::ptr_eq(&graded.collection, &compared.collection), "texts are not copied");
        let shown: Vec<Vec<_>> = compared.cases().map(|case| case.document_ids().collect()).collect();
        assert_eq!(shown, [vec!["c", "a"], vec!["b", "c", "a"]]);
        let regraded = compared.grading(vec![pair(1)]).unwrap();
        assert_eq!(regraded.questions().collect::<Vec<_>>(), [question(&[DocumentIndex(1)])]);
        assert_eq!((compared.len(), compared.question(2), compared.case_at(2).is_none()), (2, None, true));
        assert_eq!(compared.case_at(0).map(|case| case.document_id()), Some("c"), "the first that is shown");
    }

    #[test]
    fn questions_that_cannot_be_asked_are_refused() {
        let workload = workload();
        let outside = WorkloadError::Outside { question: 1, topics: 1, documents: 3 };
        for (questions, error) in [
            (vec![set(0, &[0, 1]), set(1, &[0, 1])], outside),
            (vec![set(0, &[0, 1]), set(0, &[0, 3])], outside),
            (vec![set(0, &[0, 1, 0])], WorkloadError::Twice { question: 0, document: DocumentIndex(0) }),
            (vec![set(0, &[1])], WorkloadError::TooFew { question: 0, shown: 1 }),
            (vec![set(0, &[])], WorkloadError::TooFew { question: 0, shown: 0 }),
        ] {
            assert_eq!(workload.comparing(questions), Err(error));
        }
        let (topics, documents) = (workload.topics().to_vec(), workload.documents().to_vec());
        let refused = Workload::new(topics, documents, vec![pair(3)]);
        assert_eq!(refused, Err(WorkloadError::Outside { question: 0, topics: 1, documents: 3 }));
    }
}

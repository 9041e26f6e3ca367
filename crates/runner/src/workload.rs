//! What is to be judged: topics, documents, and which documents a question shows for which topic.

use std::sync::Arc;

use llull_core::Topic;
use rustc_hash::FxHashSet;

use crate::{
    case::Case,
    document::PooledDocument,
    index::{DocumentIndex, TopicIndex},
};

/// One document for one topic, as positions in a [`Workload`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// The topic.
    pub topic: TopicIndex,
    /// The document.
    pub document: DocumentIndex,
}

/// What one question shows, as positions in a [`Workload`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question<'a> {
    /// The topic.
    pub topic: TopicIndex,
    /// The documents in the order in which they are shown: one to be graded, several to be compared.
    pub documents: &'a [DocumentIndex],
}

/// Documents of one topic that are shown together to be compared, in the order in which they are shown.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DocumentSet {
    /// The topic.
    pub topic: TopicIndex,
    /// The documents.
    pub documents: Vec<DocumentIndex>,
}

/// A question that cannot be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WorkloadError {
    /// It points at a topic or a document that is not there.
    #[error(
        "question {question} points outside of the workload, which has {topics} topics and {documents} documents"
    )]
    Outside {
        /// The question's position.
        question: usize,
        /// How many topics there are.
        topics: usize,
        /// How many documents there are.
        documents: usize,
    },
    /// It shows a document twice, so its answer would be no order.
    #[error("question {question} shows document number {} twice", document.0)]
    Twice {
        /// The question's position.
        question: usize,
        /// The document's position.
        document: DocumentIndex,
    },
    /// It has nothing to compare.
    #[error("question {question} shows {shown} documents; a comparison shows at least 2")]
    TooFew {
        /// The question's position.
        question: usize,
        /// How many it shows.
        shown: usize,
    },
}

/// Everything that is to be judged, by every judge: topics, documents, and questions about them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Workload {
    stock: Arc<Stock>,
    questions: Questions,
}

/// What questions are about, which workloads share.
#[derive(Debug, Default, PartialEq, Eq)]
struct Stock {
    topics: Vec<Topic>,
    documents: Vec<PooledDocument>,
}

/// Pairs apart, of which there are many, and which need no list of documents each.
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
    /// Questions about one document each: these pairs of these topics and documents. A document that is in the pool of
    /// several topics is there once.
    ///
    /// # Errors
    /// When a pair points outside.
    pub fn new(
        topics: Vec<Topic>,
        documents: Vec<PooledDocument>,
        pairs: Vec<Pair>,
    ) -> Result<Self, WorkloadError> {
        let stock = Arc::new(Stock { topics, documents });
        Self { stock, questions: Questions::Grade(pairs) }.checked()
    }

    /// Questions about one document each, about the same topics and documents, which are shared.
    ///
    /// # Errors
    /// When a pair points outside.
    pub fn grading(&self, pairs: Vec<Pair>) -> Result<Self, WorkloadError> {
        Self { stock: Arc::clone(&self.stock), questions: Questions::Grade(pairs) }.checked()
    }

    /// Questions that compare, about the same topics and documents, which are shared: each a topic and the documents that
    /// are shown together, in that order.
    ///
    /// # Errors
    /// When a question points outside, or shows a document twice, or fewer than two.
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
        Self { stock: Arc::clone(&self.stock), questions: Questions::Compare(questions) }.checked()
    }

    fn checked(self) -> Result<Self, WorkloadError> {
        match (0..self.len()).find(|question| self.case_at(*question).is_none()) {
            None => Ok(self),
            Some(question) => Err(WorkloadError::Outside {
                question,
                topics: self.stock.topics.len(),
                documents: self.stock.documents.len(),
            }),
        }
    }

    /// The topics, by position.
    pub fn topics(&self) -> &[Topic] {
        &self.stock.topics
    }

    /// The documents, by position.
    pub fn documents(&self) -> &[PooledDocument] {
        &self.stock.documents
    }

    /// Returns the topic at a position.
    pub fn topic(&self, at: TopicIndex) -> Option<&Topic> {
        self.stock.topics.get(at.get())
    }

    /// Returns the document at a position.
    pub fn document(&self, at: DocumentIndex) -> Option<&PooledDocument> {
        self.stock.documents.get(at.get())
    }

    /// How many questions there are.
    pub fn len(&self) -> usize {
        match &self.questions {
            Questions::Grade(pairs) => pairs.len(),
            Questions::Compare(questions) => questions.len(),
        }
    }

    /// Whether there is nothing to ask.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The question at a position, in the order in which results are given; `None` past the end.
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

    /// The questions, in the order in which results are given.
    pub fn questions(&self) -> impl Iterator<Item = Question<'_>> {
        (0..self.len()).filter_map(|at| self.question(at))
    }

    /// What a judge is asked about by the question at a position; `None` past the end.
    pub fn case_at(&self, at: usize) -> Option<Case<'_>> {
        let question = self.question(at)?;
        let topic = self.topic(question.topic)?;
        Case::new(topic, question.documents, &self.stock.documents)
    }

    /// What a judge is asked about, question by question, in the order in which results are given.
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
        assert!(Arc::ptr_eq(&graded.stock, &compared.stock), "texts are not copied");
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

//! A pair as an annotator sees it, and its identifier.

use llull_core::{Hash, KeyBuilder};
use llull_runner::Case;

/// A pair in a queue.
#[derive(Debug, Clone)]
pub(crate) struct QueuedItem {
    /// Its identifier: a hash of its texts, sides and rubric.
    pub(crate) id: String,
    /// An identifier that ignores the sides of its documents. Marks of annotators use it.
    pub(crate) mark: String,
    /// The place of its question in the pool.
    pub(crate) place: usize,
    /// Its number in the sample's frame, or among the pairs in random order, from 1, if it was drawn.
    pub(crate) number: Option<usize>,
}

/// A pair as an annotator sees it, without any judge or system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReviewItem<'a> {
    /// Its identifier. An answer names it, so that it reaches no other pair.
    pub id: &'a str,
    /// The query's identifier.
    pub query: &'a str,
    /// The query.
    pub question: &'a str,
    /// The expected answer, if annotators look for it in the document.
    pub expected: Option<&'a str>,
    /// The document's identifier; of two documents, that of the one on the left.
    pub document: &'a str,
    /// The document's title; empty if it has none.
    pub title: &'a str,
    /// The document's text.
    pub text: &'a str,
    /// The document on the right, if two are compared.
    pub right: Option<RightDocument<'a>>,
}

/// The second of two documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RightDocument<'a> {
    /// Its identifier.
    pub document: &'a str,
    /// Its title; empty if it has none.
    pub title: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// Returns the identifier of a pair under this rubric. Another text, side or rubric gives another one.
pub(crate) fn item_id(case: &Case<'_>, rubric: Hash) -> String {
    let key = KeyBuilder::new("llull review item v1")
        .part("rubric", &rubric.0)
        .text("topic", &case.topic.id)
        .text("query", &case.topic.text);
    let key = case.document_ids().fold(key, |key, document| key.text("document", document));
    case.texts().fold(key, |key, text| key.text("text", &text)).finish().short()
}

#[cfg(test)]
mod tests {
    use llull_core::{Document, Topic};
    use llull_runner::{DocumentIndex, PooledDocument};

    use super::*;

    #[test]
    fn an_item_is_its_texts_under_a_rubric() {
        let id = |query: &str, text: &str, rubric: &[u8]| {
            let topic = Topic { id: "q".into(), text: query.into() };
            let document = Document { id: "d".into(), title: String::new(), text: text.into() };
            item_id(&Case::of_one(&topic, &PooledDocument::Found(document)), Hash::of(rubric))
        };
        assert_eq!(id("why", "since", b"r"), id("why", "since", b"r"));
        for other in [id("who", "since", b"r"), id("why", "then", b"r"), id("why", "since", b"s")] {
            assert_ne!(id("why", "since", b"r"), other);
        }
    }

    #[test]
    fn an_item_of_two_documents_has_sides() {
        let topic = Topic { id: "q".into(), text: "why".into() };
        let pool = ["a", "b"].map(|id| {
            PooledDocument::Found(Document { id: id.into(), title: String::new(), text: "the same".into() })
        });
        let id = |shown: [u32; 2]| {
            let shown = shown.map(DocumentIndex);
            item_id(&Case::new(&topic, &shown, &pool).unwrap(), Hash::of(b"r"))
        };
        assert_ne!(id([0, 1]), id([1, 0]));
    }
}

//! Dense retrieval: exact search over vectors of the documents.

use llull_core::{Document, Ranking, Topic};
use llull_encoder::{EncodeError, Encoder, KeptVectors, TextRole, encode_kept};

use crate::index::{DocumentIds, Fields, IndexError};
use crate::nearest::{ProductError, SearchedVectors};

/// Why documents or queries have no vectors, or an index has no place for them.
#[derive(Debug, thiserror::Error)]
pub enum DenseError {
    /// A text could not be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The index cannot be built.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// Vectors cannot be multiplied.
    #[error(transparent)]
    Product(#[from] ProductError),
}

/// Retrieval by meaning: ranks all documents by the cosine of their vectors with the query's. A document without text
/// is never found.
///
/// Vectors are looked up in `kept` and added to it, so that no document is encoded twice. Memory holds all vectors,
/// and the texts of one batch of the encoder.
pub struct DenseIndex<'a> {
    encoder: &'a dyn Encoder,
    kept: KeptVectors,
    fields: Fields,
    encoded: &'a mut dyn FnMut(usize),
    ids: DocumentIds,
    /// The texts without a vector yet, each with its document. A document without text is never encoded.
    waiting: Vec<(u32, String)>,
    /// The documents that can be found, each with the row of its vector.
    rows: Vec<(u32, u32)>,
}

impl<'a> DenseIndex<'a> {
    /// Creates an index without documents. `encoded` is called after each batch with the number of encoded documents.
    pub fn new(
        encoder: &'a dyn Encoder,
        kept: KeptVectors,
        fields: Fields,
        encoded: &'a mut dyn FnMut(usize),
    ) -> Self {
        let (ids, waiting, rows) = (DocumentIds::default(), Vec::new(), Vec::new());
        Self { encoder, kept, fields, encoded, ids, waiting, rows }
    }

    /// Adds a document.
    ///
    /// # Errors
    /// Returns an error if a document with this identifier was added before, or documents cannot be encoded.
    pub fn add(&mut self, document: &Document) -> Result<(), DenseError> {
        let number = self.ids.add(&document.id)?;
        let text = self.fields.of(document);
        if !text.trim().is_empty() {
            self.waiting.push((number, text.into_owned()));
        }
        if self.waiting.len() >= self.encoder.batch() {
            self.encode()?;
        }
        Ok(())
    }

    fn encode(&mut self) -> Result<(), DenseError> {
        let waiting = std::mem::take(&mut self.waiting);
        let texts: Vec<&str> = waiting.iter().map(|(_, text)| text.as_str()).collect();
        let rows = encode_kept(self.encoder, &mut self.kept, &texts, TextRole::Document, &mut |_| {})?;
        self.rows.extend(waiting.iter().map(|(number, _)| *number).zip(rows));
        (self.encoded)(self.rows.len());
        Ok(())
    }

    /// Returns the best `depth` documents for each query, in the order of the queries. All queries are encoded first.
    /// It can be called again, also after more documents.
    ///
    /// # Errors
    /// Returns an error if documents or queries cannot be encoded.
    pub fn retrieve(&mut self, topics: &[&Topic], depth: usize) -> Result<Vec<Ranking>, DenseError> {
        self.encode()?;
        let texts: Vec<&str> = topics.iter().map(|topic| topic.text.as_str()).collect();
        let queries = encode_kept(self.encoder, &mut self.kept, &texts, TextRole::Query, &mut |_| {})?;
        let searched = SearchedVectors { kept: &self.kept, ids: &self.ids.to_vec(), rows: &self.rows };
        Ok(searched.nearest(&queries, depth)?)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use llull_encoder::Vectors;

    /// Encodes a text of two numbers as these.
    struct Numbers;

    impl Encoder for Numbers {
        fn name(&self) -> &str {
            "numbers"
        }

        fn encode(&self, texts: &[&str], _: TextRole) -> Result<Vectors, EncodeError> {
            let read = |text: &&str| text.split(' ').map(|number| number.parse().unwrap()).collect();
            Vectors::normalized(2, texts.iter().map(read).map(|vector: Vec<f32>| (vector, false)))
        }

        fn batch(&self) -> usize {
            3
        }
    }

    fn retrieve(documents: &[(String, String)], queries: &[&str], depth: usize) -> Vec<Vec<String>> {
        let mut told = |_: usize| {};
        let mut index = DenseIndex::new(&Numbers, KeptVectors::in_memory(), Fields::Text, &mut told);
        for (id, text) in documents {
            index.add(&Document { id: id.clone(), title: String::new(), text: text.clone() }).unwrap();
        }
        let topics: Vec<Topic> =
            queries.iter().map(|text| Topic { id: (*text).into(), text: (*text).into() }).collect();
        let rankings = index.retrieve(&topics.iter().collect::<Vec<_>>(), depth).unwrap();
        let names = |ranking: &Ranking| ranking.iter().map(|hit| hit.document.to_owned()).collect();
        rankings.iter().map(names).collect()
    }

    #[test]
    fn the_nearest_documents_are_found_and_those_without_text_are_not() {
        let documents = [("d1", "1 0"), ("d2", "1 1"), ("d3", " "), ("d4", "0 1"), ("d5", "2 0")];
        let documents = documents.map(|(id, text)| (id.to_owned(), text.to_owned()));
        assert_eq!(retrieve(&documents, &["1 0", "0 3"], 3), [["d5", "d1", "d2"], ["d4", "d2", "d5"]]);
        assert_eq!(retrieve(&documents, &["1 0"], 0), [Vec::<String>::new()]);
    }

    /// Counts the texts that it is given.
    struct Counting(AtomicUsize);

    impl Encoder for Counting {
        fn name(&self) -> &str {
            "counting"
        }

        fn encode(&self, texts: &[&str], _: TextRole) -> Result<Vectors, EncodeError> {
            self.0.fetch_add(texts.len(), Ordering::Relaxed);
            let vector = |text: &&str| text.bytes().skip(1).take(5).map(f32::from).chain([1.0]).collect();
            Vectors::normalized(6, texts.iter().map(vector).map(|vector: Vec<f32>| (vector, false)))
        }

        fn batch(&self) -> usize {
            10_000
        }
    }

    #[test]
    fn a_hundred_thousand_documents_are_encoded_once() {
        let folder = tempfile::tempdir().unwrap();
        let counting = Counting(AtomicUsize::new(0));
        let retrieve = |more: usize| {
            let kept = KeptVectors::in_file(folder.path().join("vectors"), counting.name()).unwrap();
            let mut told = |_: usize| {};
            let mut index = DenseIndex::new(&counting, kept, Fields::Text, &mut told);
            for number in 0..100_000 + more {
                let id = format!("d{number:06}");
                index.add(&Document { title: String::new(), text: id.clone(), id }).unwrap();
            }
            let topic = Topic { id: "q".into(), text: "q099999".into() };
            let before = counting.0.swap(0, Ordering::Relaxed);
            let rankings = index.retrieve(&[&topic], 10).unwrap();
            (before + counting.0.swap(0, Ordering::Relaxed), rankings)
        };
        let (encoded, first) = retrieve(0);
        assert_eq!(encoded, 100_001, "each document and the query");
        assert_eq!(first[0].iter().next().unwrap().document, "d099999");
        assert_eq!(retrieve(0), (0, first), "a process that starts anew reads what was kept");
        assert_eq!(retrieve(3).0, 3, "the new documents alone");
    }
}

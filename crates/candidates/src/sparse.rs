//! Sparse retrieval: exact search over weights of terms, by an inverted index.

use llull_core::{Document, Ranking, Topic};
use llull_encoder::{EncodeError, KeptWeights, TermEncoder, weigh_kept};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::encoded_documents::EncodedDocuments;
use crate::fields::Fields;
use crate::index_error::IndexError;
use crate::top_documents::top_documents;

/// Why documents or queries have no weights, or an index has no place for them.
#[derive(Debug, thiserror::Error)]
pub enum SparseError {
    /// A text could not be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The index cannot be built.
    #[error(transparent)]
    Index(#[from] IndexError),
}

/// Retrieval by weights of terms: documents by the sum, over the terms that they share with the query, of the products
/// of both weights. A document that shares none, or has no text, is never found.
///
/// Weights are looked up in `kept` and added to it, so that no document is encoded twice. As many documents as the
/// encoder takes at once are held in memory, and all weights.
pub struct SparseIndex<'a> {
    encoder: &'a dyn TermEncoder,
    kept: KeptWeights,
    fields: Fields,
    encoded: &'a mut dyn FnMut(usize),
    documents: EncodedDocuments,
}

impl<'a> SparseIndex<'a> {
    /// Creates an index without documents. `encoded` is told now and then how many documents have their weights.
    pub fn new(
        encoder: &'a dyn TermEncoder,
        kept: KeptWeights,
        fields: Fields,
        encoded: &'a mut dyn FnMut(usize),
    ) -> Self {
        Self { encoder, kept, fields, encoded, documents: EncodedDocuments::default() }
    }

    /// Adds a document.
    ///
    /// # Errors
    /// Returns an error if a document with this identifier was added before, or documents cannot be encoded.
    pub fn add(&mut self, document: &Document) -> Result<(), SparseError> {
        if self.documents.add(document, self.fields)? >= self.encoder.batch() {
            self.encode()?;
        }
        Ok(())
    }

    fn encode(&mut self) -> Result<(), SparseError> {
        let Self { encoder, kept, documents, .. } = self;
        let done = documents.encode(|texts| weigh_kept(*encoder, kept, texts, &mut |_| {}))?;
        (self.encoded)(done);
        Ok(())
    }

    /// Returns the best `depth` documents for each query, in the order of the queries. All queries are encoded first.
    /// It can be asked again, after more documents, too.
    ///
    /// # Errors
    /// Returns an error if documents or queries cannot be encoded.
    pub fn retrieve(&mut self, topics: &[&Topic], depth: usize) -> Result<Vec<Ranking>, SparseError> {
        self.encode()?;
        let texts: Vec<&str> = topics.iter().map(|topic| topic.text.as_str()).collect();
        let queries = weigh_kept(self.encoder, &mut self.kept, &texts, &mut |_| {})?;
        let (ids, rows) = self.documents.parts();
        let mut postings: FxHashMap<u32, Vec<(u32, f32)>> = FxHashMap::default();
        for (number, row) in rows {
            for (term, weight) in self.kept.weights(*row) {
                postings.entry(*term).or_default().push((*number, *weight));
            }
        }
        let search = |row: &u32| {
            let products = products(&postings, self.kept.weights(*row), ids.len());
            let found = (0..).zip(products).filter(|(_, product)| *product > 0.0);
            top_documents(&ids, found, depth)
        };
        Ok(queries.par_iter().map(search).collect())
    }
}

/// Returns the product of every document's weights with the query's, in f64, term after term in their order: the same
/// sum whatever else is in the index.
fn products(postings: &FxHashMap<u32, Vec<(u32, f32)>>, query: &[(u32, f32)], documents: usize) -> Vec<f64> {
    let mut products = vec![0.0; documents];
    for (term, asked) in query {
        for (number, weight) in postings.get(term).into_iter().flatten() {
            if let Some(product) = products.get_mut(*number as usize) {
                *product += f64::from(*asked) * f64::from(*weight);
            }
        }
    }
    products
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use llull_encoder::TermWeights;
    use proptest::prelude::*;

    use super::*;

    /// Reads a text such as `3:0.5 7:2` as the weights that it says, and counts the texts.
    #[derive(Default)]
    struct Said(AtomicUsize);

    fn said(text: &str) -> Vec<(u32, f32)> {
        let pairs = text.split_whitespace().map(|pair| pair.split_once(':').unwrap());
        pairs.map(|(term, weight)| (term.parse().unwrap(), weight.parse().unwrap())).collect()
    }

    impl TermEncoder for Said {
        fn name(&self) -> &str {
            "said"
        }

        fn weigh(&self, texts: &[&str]) -> Result<Vec<TermWeights>, EncodeError> {
            self.0.fetch_add(texts.len(), Ordering::Relaxed);
            texts.iter().map(|text| TermWeights::of(said(text))).collect()
        }

        fn batch(&self) -> usize {
            3
        }
    }

    fn retrieve(documents: &[String], queries: &[String], depth: usize) -> Vec<Ranking> {
        let (encoder, mut told) = (Said::default(), |_: usize| {});
        let mut index = SparseIndex::new(&encoder, KeptWeights::in_memory(), Fields::Text, &mut told);
        for (number, text) in documents.iter().enumerate() {
            let id = format!("d{number:02}");
            index.add(&Document { id, title: String::new(), text: text.clone() }).unwrap();
        }
        let topics: Vec<Topic> =
            queries.iter().map(|text| Topic { id: text.clone(), text: text.clone() }).collect();
        index.retrieve(&topics.iter().collect::<Vec<_>>(), depth).unwrap()
    }

    #[test]
    fn products_of_shared_terms_decide_and_nothing_shared_is_not_found() {
        let documents = ["1:1 2:3", "2:1 9:4", "5:1", "  ", "1:3 5:0.5", "2:1"].map(str::to_owned);
        let queries = ["1:2 2:0.5".to_owned(), "7:1".to_owned(), String::new()];
        let found = retrieve(&documents, &queries, 3);
        let hits: Vec<(&str, f64)> = found[0].iter().map(|hit| (hit.document, hit.score)).collect();
        // d01 and d05 are as good: the greater identifier comes first.
        assert_eq!(hits, [("d04", 6.0), ("d00", 3.5), ("d05", 0.5)]);
        assert!(found[1].is_empty() && found[2].is_empty());
    }

    #[test]
    fn documents_are_encoded_once() {
        let folder = tempfile::tempdir().unwrap();
        let encoder = Said::default();
        let retrieve = |count: u32| {
            let kept = KeptWeights::in_file(folder.path().join("w"), encoder.name()).unwrap();
            let mut told = Vec::new();
            let mut tell = |done: usize| told.push(done);
            let mut index = SparseIndex::new(&encoder, kept, Fields::Text, &mut tell);
            for number in 0..count {
                let (id, text) = (format!("d{number}"), format!("{number}:1"));
                index.add(&Document { id, title: String::new(), text }).unwrap();
            }
            let topic = Topic { id: "q".into(), text: "4:2".into() };
            let found = index.retrieve(&[&topic], 10).unwrap();
            assert_eq!(told.last(), Some(&(count as usize)));
            (encoder.0.swap(0, Ordering::Relaxed), found)
        };
        let (encoded, first) = retrieve(8);
        assert_eq!((encoded, first[0].iter().next().unwrap().document), (9, "d4"));
        assert_eq!(retrieve(8), (0, first), "a process that starts anew reads what was kept");
        assert_eq!(retrieve(10).0, 2, "the new documents alone");
        let duplicate = || {
            let (encoder, mut told) = (Said::default(), |_: usize| {});
            let mut index = SparseIndex::new(&encoder, KeptWeights::in_memory(), Fields::Text, &mut told);
            index.add(&Document { id: "d".into(), ..Document::default() })?;
            index.add(&Document { id: "d".into(), ..Document::default() })
        };
        assert!(matches!(duplicate(), Err(SparseError::Index(IndexError::Duplicate(_)))));
    }

    fn text() -> impl Strategy<Value = String> {
        let terms = proptest::collection::btree_map(0u32..12, 1u8..6, 0..8);
        terms.prop_map(|terms| terms.iter().map(|(term, weight)| format!("{term}:{weight} ")).collect())
    }

    proptest! {
        /// The index finds what multiplying the query with every document finds.
        #[test]
        fn what_is_found_is_what_looking_at_every_document_finds(
            documents in proptest::collection::vec(text(), 1..60),
            queries in proptest::collection::vec(text(), 1..6),
            depth in 0usize..30,
        ) {
            let ids: Vec<Box<str>> = (0..documents.len()).map(|number| format!("d{number:02}").into()).collect();
            for (query, found) in queries.iter().zip(retrieve(&documents, &queries, depth)) {
                let product = |document: &String| -> f64 {
                    let document: std::collections::BTreeMap<u32, f32> = said(document).into_iter().collect();
                    let shared = |(term, asked): (u32, f32)| Some(f64::from(asked) * f64::from(*document.get(&term)?));
                    said(query).into_iter().filter_map(shared).sum()
                };
                let all = documents.iter().map(product).zip(0..).filter(|(product, _)| *product > 0.0);
                let all = all.map(|(product, number)| (number, product));
                prop_assert_eq!(found, top_documents(&ids, all, depth));
            }
        }
    }
}

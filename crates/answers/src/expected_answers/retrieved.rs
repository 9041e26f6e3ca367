//! Searches documents by llull's retrievers, and returns texts.

use std::path::PathBuf;
use std::sync::Arc;

use llull_candidates::{
    Bm25Builder, Bm25Options, CharNgramsBuilder, DenseError, DenseIndex, Fields, Fts5Builder, Retriever,
    retrieve_all,
};
use llull_core::{Document, Run, Topic, Topics};
use llull_data::{Columns, CorpusFields, FoundDocument};
use llull_encoder::{Encoder, KeptVectors};
use llull_study::{Corpus, RetrievalError, StudyError};
use rustc_hash::FxHashSet;

use super::results::SystemResults;

/// Documents for llull's own retrievers.
#[derive(Debug, Clone)]
pub struct SearchedDocuments(pub(crate) Corpus);

/// Queries, and the number of results of each.
#[derive(Debug, Clone, Copy)]
pub struct WantedResults<'a> {
    /// The queries.
    pub topics: &'a Topics,
    /// The number of results of each.
    pub depth: usize,
}

impl From<Vec<Document>> for SearchedDocuments {
    fn from(documents: Vec<Document>) -> Self {
        Self(Corpus::Memory(Arc::new(documents)))
    }
}

impl SearchedDocuments {
    /// The documents of a corpus, whose columns the user may name.
    pub fn in_file(file: PathBuf, columns: Columns) -> Self {
        Self(Corpus::File(file, CorpusFields { columns, ..CorpusFields::default() }))
    }

    /// Searches by BM25 over words, with its usual parameters.
    ///
    /// # Errors
    /// Returns an error if the documents cannot be read, or two have one identifier.
    pub fn by_words(&self, name: &str, wanted: WantedResults<'_>) -> Result<SystemResults, StudyError> {
        let mut index = Bm25Builder::new(name, Bm25Options::default())?;
        self.0.for_each(|document| Ok(index.add(document)?))?;
        self.by(&index.build(), wanted)
    }

    /// Searches by character n-grams.
    ///
    /// # Errors
    /// Returns an error if the documents cannot be read, or two have one identifier.
    pub fn by_pieces(&self, name: &str, wanted: WantedResults<'_>) -> Result<SystemResults, StudyError> {
        let mut index = CharNgramsBuilder::new(name, Fields::All);
        self.0.for_each(|document| Ok(index.add(document)?))?;
        self.by(&index.build(), wanted)
    }

    /// Searches by SQLite's full text search.
    ///
    /// # Errors
    /// Returns an error if the documents cannot be read, two have one identifier, or SQLite cannot hold the index.
    pub fn by_fts5(&self, name: &str, wanted: WantedResults<'_>) -> Result<SystemResults, StudyError> {
        let mut index = Fts5Builder::new(name, Fields::All)?;
        self.0.for_each(|document| Ok(index.add(document)?))?;
        self.by(&index.build()?, wanted)
    }

    /// Searches by vectors. Saved vectors come from `kept`, and new ones are added to it; `encoded` receives the
    /// progress.
    ///
    /// # Errors
    /// Returns an error if the documents cannot be read, two have one identifier, or a text cannot be encoded.
    pub fn by_vectors(
        &self,
        name: &str,
        (encoder, kept): (&dyn Encoder, KeptVectors),
        encoded: &mut dyn FnMut(usize),
        WantedResults { topics, depth }: WantedResults<'_>,
    ) -> Result<SystemResults, StudyError> {
        let wrong =
            |source: DenseError| StudyError::from(RetrievalError::Dense { system: name.to_owned(), source });
        let mut index = DenseIndex::new(encoder, kept, Fields::All, encoded);
        self.0.for_each(|document| index.add(document).map_err(wrong))?;
        let asked: Vec<&Topic> = topics.iter().collect();
        let mut run = Run::new(name);
        for (topic, ranking) in topics.iter().zip(index.retrieve(&asked, depth).map_err(wrong)?) {
            run.insert(topic.id.as_str(), ranking);
        }
        self.with_texts(&run)
    }

    fn by(&self, retriever: &dyn Retriever, wanted: WantedResults<'_>) -> Result<SystemResults, StudyError> {
        self.with_texts(&retrieve_all(retriever, wanted.topics, wanted.depth)?.run)
    }

    /// Returns the results of a run with the texts of its documents.
    pub(crate) fn with_texts(&self, run: &Run) -> Result<SystemResults, StudyError> {
        let found: FxHashSet<&str> =
            run.iter().flat_map(|(_, ranking)| ranking.iter().map(|hit| hit.document)).collect();
        let documents = self.0.find(|id| found.contains(id), &mut |_| {})?.found;
        let result = |id: &str, score: f64| {
            let blank = || Document { id: id.to_owned(), ..Document::default() };
            FoundDocument { document: documents.get(id).cloned().unwrap_or_else(blank), score }
        };
        let queries = run.iter().map(|(topic, ranking)| {
            (topic.to_owned(), ranking.iter().map(|hit| result(hit.document, hit.score)).collect())
        });
        Ok(SystemResults { name: run.name.clone(), queries: queries.collect(), ..Default::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_has_its_text() {
        let document =
            |id: &str, text: &str| Document { id: id.into(), title: String::new(), text: text.into() };
        let documents =
            vec![document("d1", "red wine"), document("d2", "white wine"), document("d3", "beer")];
        let searched = SearchedDocuments::from(documents);
        let topics = Topics::from_iter([Topic { id: "q1".into(), text: "red wines".into() }]);
        let wanted = WantedResults { topics: &topics, depth: 2 };
        for results in [
            searched.by_words("w", wanted).unwrap(),
            searched.by_pieces("p", wanted).unwrap(),
            searched.by_fts5("f", wanted).unwrap(),
        ] {
            let texts: Vec<&str> =
                results.queries["q1"].iter().map(|found| found.document.text.as_str()).collect();
            assert_eq!(texts, ["red wine", "white wine"], "{}", results.name);
        }
    }
}

//! The passages of a whole corpus that are nearest to a question, by BM25.

use std::path::{Path, PathBuf};

use llull_candidates::{Bm25, Bm25Builder, Bm25Options};
use llull_data::{CorpusFields, read_documents, stream_corpus};
use rustc_hash::{FxHashMap, FxHashSet};

use super::options::SynthesisError;
use super::passage::{Passage, passages};
use crate::error::StudyError;

/// The passages of a corpus, of any size, by their words: an index holds no text, and what is found is read again.
pub struct NearestPassages {
    corpus: PathBuf,
    tokens: u32,
    index: Bm25,
}

impl NearestPassages {
    /// Reads a corpus, as [`drawn_documents`](super::drawn_documents) does, and cuts it into passages of at most
    /// `tokens` estimated tokens.
    ///
    /// # Errors
    /// Returns an error if the corpus cannot be read, or has too many passages.
    pub fn of(corpus: &Path, tokens: u32) -> Result<Self, SynthesisError> {
        let mut index = Bm25Builder::new("passages", Bm25Options::default()).map_err(StudyError::from)?;
        let (mut seen, mut wrong) = (FxHashSet::default(), None);
        stream_corpus(corpus, &CorpusFields::default(), |document, _| {
            // A document that is there twice is one.
            if wrong.is_none() && seen.insert(document.id.clone()) {
                let mut all = passages(document, tokens).into_iter();
                wrong = all.find_map(|passage| index.add(&passage.into_document()).err());
            }
            Ok(())
        })?;
        match wrong {
            Some(error) => Err(StudyError::from(error).into()),
            None => Ok(Self { corpus: corpus.to_owned(), tokens, index: index.build() }),
        }
    }

    /// Returns at most `most` passages for each question, best first; those without any of its words are none of them.
    ///
    /// # Errors
    /// Returns an error if the corpus cannot be read again.
    pub fn find(&self, questions: &[&str], most: usize) -> Result<Vec<Vec<Passage>>, SynthesisError> {
        let found: Vec<Vec<String>> = questions
            .iter()
            .map(|question| {
                let ranking = self.index.search(question, most);
                ranking.iter().map(|hit| hit.document.to_owned()).collect()
            })
            .collect();
        let ids: FxHashSet<&str> = found.iter().flatten().map(String::as_str).collect();
        let documents: FxHashSet<&str> = ids.iter().filter_map(|id| Some(id.rsplit_once(' ')?.0)).collect();
        let usual = CorpusFields::default();
        let read = read_documents(&self.corpus, &usual, |id| documents.contains(id), &mut |_| ())?;
        let known = read.found.values().flat_map(|document| passages(document, self.tokens));
        let known: FxHashMap<String, Passage> = known
            .map(|passage| (passage.id(), passage))
            .filter(|(id, _)| ids.contains(id.as_str()))
            .collect();
        let of = |ids: &Vec<String>| ids.iter().filter_map(|id| known.get(id).cloned()).collect();
        Ok(found.iter().map(of).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn what_shares_words_is_found_with_its_text_wherever_it_stands() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let lines =
            "d1\tThe tower is high.\nd 2\tIt rains. Rivers swell in winter.\nd1\tThe tower is high.\n";
        file.write_all(lines.as_bytes()).unwrap();
        let nearest = NearestPassages::of(file.path(), 7).unwrap();
        let found = nearest.find(&["which river swells in winter", "zebra", "tower"], 5).unwrap();
        let texts = |at: usize| found[at].iter().map(|it| it.text.as_str()).collect::<Vec<_>>();
        assert_eq!(texts(0), ["Rivers swell in winter."]);
        assert_eq!(found[0][0].id(), "d 2 10-33");
        assert!(texts(1).is_empty());
        assert_eq!(texts(2), ["The tower is high."], "once");
    }
}

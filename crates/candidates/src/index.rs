//! What embedded indexes share: numbers and fields of documents, the best results, errors.

use std::borrow::Cow;
use std::cmp::Ordering;

use indexmap::IndexSet;
use llull_core::{Document, Ranking};
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

/// The reason why an index cannot be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum IndexError {
    /// Two documents have the same identifier, so results could not tell them apart.
    #[error("the corpus holds document {0:?} twice: give each document its own identifier")]
    Duplicate(String),
    /// There are more documents than an index can number.
    #[error("the corpus is too large for an embedded index: at most 4,294,967,295 documents")]
    TooLarge,
    /// SQLite, which holds the index, fails.
    #[cfg(feature = "fts5")]
    #[error("SQLite cannot hold the index of the corpus: {0}")]
    Sqlite(String),
    /// A parameter is outside its range.
    #[error("{name} = {value} is out of range: {range}")]
    Parameter {
        /// The parameter's name.
        name: &'static str,
        /// The value that was given.
        value: f32,
        /// The allowed values.
        range: &'static str,
    },
}

#[cfg(feature = "fts5")]
impl From<rusqlite::Error> for IndexError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error.to_string())
    }
}

/// The identifiers of the indexed documents, by number, each once.
#[derive(Default)]
pub(crate) struct DocumentIds {
    numbers: IndexSet<Box<str>, FxBuildHasher>,
}

impl DocumentIds {
    /// Adds a document. Returns its number.
    ///
    /// # Errors
    /// Returns an error if the identifier was added before, or there are too many documents.
    pub(crate) fn add(&mut self, id: &str) -> Result<u32, IndexError> {
        let (number, new) = self.numbers.insert_full(id.into());
        if !new {
            return Err(IndexError::Duplicate(id.to_owned()));
        }
        u32::try_from(number).map_err(|_| IndexError::TooLarge)
    }

    /// Returns all identifiers in the order of their numbers.
    #[cfg(feature = "dense")]
    pub(crate) fn to_vec(&self) -> Vec<&str> {
        self.numbers.iter().map(|id| &**id).collect()
    }

    /// Returns the same, with the identifiers themselves.
    pub(crate) fn into_vec(self) -> Vec<Box<str>> {
        self.numbers.into_iter().collect()
    }
}

/// Returns the best `depth` of the scored documents, by score and then by identifier, both descending.
///
/// Ties at the cut are decided by identifier, so the result does not depend on the order of `scored`.
pub(crate) fn top_documents<S: AsRef<str>>(
    ids: &[S],
    scored: impl Iterator<Item = (u32, f64)>,
    depth: usize,
) -> Ranking {
    if depth == 0 {
        return Ranking::default();
    }
    let mut hits: Vec<(&str, f64)> =
        scored.filter_map(|(document, score)| Some((ids.get(document as usize)?.as_ref(), score))).collect();
    if hits.len() > depth {
        hits.select_nth_unstable_by(depth - 1, better);
        hits.truncate(depth);
    }
    Ranking::from_scored(hits)
}

fn better(a: &(&str, f64), b: &(&str, f64)) -> Ordering {
    b.1.total_cmp(&a.1).then_with(|| b.0.cmp(a.0))
}

/// The parts of a document that are searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fields {
    /// Title and text together.
    #[default]
    All,
    /// The title alone. A document without a title is never found.
    Title,
    /// The text alone.
    Text,
}

impl Fields {
    /// Returns these parts of a document.
    pub fn of(self, document: &Document) -> Cow<'_, str> {
        match self {
            Self::All => document.shown(),
            Self::Title => Cow::Borrowed(&document.title),
            Self::Text => Cow::Borrowed(&document.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tie_at_the_cut_goes_to_the_greater_id() {
        let ids: Vec<Box<str>> = ["a", "b", "c", "d"].map(Box::from).to_vec();
        for scored in [[(0, 1.0), (1, 1.0), (2, 1.0), (3, 2.0)], [(3, 2.0), (2, 1.0), (1, 1.0), (0, 1.0)]] {
            let ranking = top_documents(&ids, scored.into_iter(), 2);
            let order: Vec<_> = ranking.iter().map(|hit| hit.document).collect();
            assert_eq!(order, ["d", "c"]);
        }
        assert!(top_documents(&ids, [(0, 1.0)].into_iter(), 0).is_empty());
    }
}

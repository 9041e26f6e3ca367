//! Full text search by SQLite's FTS5.

use std::sync::{Mutex, PoisonError};

use llull_core::{Document, Ranking, Topic};
use rusqlite::{Connection, params};

use crate::{
    index::DocumentIds,
    index::Fields,
    index::IndexError,
    index::top_documents,
    retriever::{RetrieveError, Retriever},
};

/// The index holds no texts. Words are Unicode's, lower-cased, without diacritics, stemmed by Porter's algorithm.
const TABLE: &str = "CREATE VIRTUAL TABLE documents USING fts5(
    title, text, content='', tokenize='porter unicode61 remove_diacritics 2')";

/// Collects documents for [`Fts5`].
///
/// The index is a temporary database of SQLite's. When it grows beyond SQLite's cache, it goes from memory to a file
/// without a name. It is gone with the retriever.
pub struct Fts5Builder {
    name: String,
    fields: Fields,
    ids: DocumentIds,
    database: Connection,
}

impl Fts5Builder {
    /// Creates an index without documents.
    ///
    /// # Errors
    /// Returns an error if SQLite cannot make a temporary database.
    pub fn new(name: impl Into<String>, fields: Fields) -> Result<Self, IndexError> {
        let database = Connection::open("")?;
        // A temporary database is not read after a crash, so it need not survive one.
        database.execute_batch(&format!("PRAGMA synchronous = OFF; {TABLE}; BEGIN"))?;
        Ok(Self { name: name.into(), fields, ids: DocumentIds::default(), database })
    }

    /// Adds a document. One without words is never found.
    ///
    /// # Errors
    /// Returns an error if a document with this identifier was added before, or SQLite cannot take it.
    pub fn add(&mut self, document: &Document) -> Result<(), IndexError> {
        let number = self.ids.add(&document.id)?;
        let (title, text) = match self.fields {
            Fields::All => (document.title.as_str(), document.text.as_str()),
            Fields::Title => (document.title.as_str(), ""),
            Fields::Text => ("", document.text.as_str()),
        };
        let insert = "INSERT INTO documents (rowid, title, text) VALUES (?1, ?2, ?3)";
        self.database.prepare_cached(insert)?.execute(params![number, title, text])?;
        Ok(())
    }

    /// Returns the index of the documents that were added.
    ///
    /// # Errors
    /// Returns an error if SQLite cannot write it.
    pub fn build(self) -> Result<Fts5, IndexError> {
        let Self { name, ids, database, .. } = self;
        database.execute_batch("COMMIT")?;
        Ok(Fts5 { name, ids: ids.into_vec(), database: Mutex::new(database) })
    }
}

/// Full text search by SQLite's FTS5, ranked by its `bm25()`: k1 = 1.2, b = 0.75, title and text of the same weight. A
/// word in half of the documents or more has almost no weight. Made by [`Fts5Builder`].
///
/// A document is found if it has any of the query's words. Syntax of SQLite's (`"`, `*`, `NEAR`, `-`, `title:`) is
/// text here.
pub struct Fts5 {
    name: String,
    ids: Vec<Box<str>>,
    database: Mutex<Connection>,
}

impl Fts5 {
    /// Returns the number of indexed documents.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether no document is indexed.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Returns the best `depth` documents for a query, scored above 0. Documents without any of its words are not among
    /// them.
    ///
    /// # Errors
    /// Returns an error if SQLite cannot read the index.
    pub fn search(&self, query: &str, depth: usize) -> Result<Ranking, rusqlite::Error> {
        let Some(expression) = any_word(query) else { return Ok(Ranking::default()) };
        // A search changes nothing, so the database is valid even after another thread's panic.
        let database = self.database.lock().unwrap_or_else(PoisonError::into_inner);
        let mut statement = database
            .prepare_cached("SELECT rowid, -bm25(documents) FROM documents WHERE documents MATCH ?1")?;
        let hits = statement.query_map([expression], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let hits: Vec<(u32, f64)> = hits.collect::<Result<_, _>>()?;
        Ok(top_documents(&self.ids, hits.into_iter(), depth))
    }
}

impl Retriever for Fts5 {
    fn name(&self) -> &str {
        &self.name
    }

    fn retrieve(&self, topic: &Topic, depth: usize) -> Result<Ranking, RetrieveError> {
        self.search(&topic.text, depth).map_err(|error| RetrieveError {
            retriever: self.name.clone(),
            topic: topic.id.clone(),
            source: Box::new(error),
        })
    }
}

/// Returns the expression of FTS5 that finds documents with any word of a text; `None` if it has no word. Each word is
/// between quotation marks, and contains none.
fn any_word(text: &str) -> Option<String> {
    // A letter's accent may be a character of its own.
    let between =
        |character: char| !character.is_alphanumeric() && !('\u{300}'..='\u{36f}').contains(&character);
    let words = text.split(between).filter(|word| word.contains(char::is_alphanumeric));
    let quoted: Vec<String> = words.map(|word| format!("\"{word}\"")).collect();
    if quoted.is_empty() { None } else { Some(any_of(&quoted)) }
}

/// Joins words by OR in halves: SQLite copies all words before an OR when it reads it, which is quadratic in a row.
fn any_of(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        words => {
            let (left, right) = words.split_at(words.len() / 2);
            format!("({} OR {})", any_of(left), any_of(right))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn document(id: &str, title: &str, text: &str) -> Document {
        Document { id: id.into(), title: title.into(), text: text.into() }
    }

    fn index(fields: Fields, documents: &[(&str, &str, &str)]) -> Fts5 {
        let mut builder = Fts5Builder::new("fts5", fields).unwrap();
        for (id, title, text) in documents {
            builder.add(&document(id, title, text)).unwrap();
        }
        builder.build().unwrap()
    }

    fn found(index: &Fts5, query: &str) -> Vec<(String, f64)> {
        let ranking = index.search(query, 100).unwrap();
        ranking.iter().map(|hit| (hit.document.to_owned(), hit.score)).collect()
    }

    fn ids(index: &Fts5, query: &str) -> Vec<String> {
        found(index, query).into_iter().map(|(id, _)| id).collect()
    }

    /// By the formula in SQLite's documentation of `bm25()` (sqlite.org/fts5.html, 4.3.1): idf = ln((N - n + 0.5) /
    /// (n + 0.5)), times f * (k1 + 1) / (f + k1 * (1 - b + b * length / average)); lengths count title and text.
    #[test]
    fn scores_are_those_of_the_documented_formula() {
        let texts =
            ["alpha beta beta gamma", "alpha delta", "delta delta delta epsilon zeta", "eta", "eta eta"];
        let documents: Vec<_> = ["d0", "d1", "d2", "d3", "d4"].into_iter().zip(texts).collect();
        let documents: Vec<_> = documents.iter().map(|(id, text)| (*id, "", *text)).collect();
        let index = index(Fields::All, &documents);
        let average = 14.0 / 5.0;
        let score = |holding: f64, count: f64, length: f64| {
            let idf = ((5.0 - holding + 0.5) / (holding + 0.5)).ln();
            idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / average))
        };
        let expected = [
            ("beta", vec![("d0", score(1.0, 2.0, 4.0))]),
            ("zeta gamma", vec![("d0", score(1.0, 1.0, 4.0)), ("d2", score(1.0, 1.0, 5.0))]),
            ("beta gamma", vec![("d0", score(1.0, 2.0, 4.0) + score(1.0, 1.0, 4.0))]),
        ];
        for (query, expected) in expected {
            let found = found(&index, query);
            assert_eq!(found.len(), expected.len(), "{query}");
            for ((id, score), (golden_id, golden)) in found.iter().zip(expected) {
                assert_eq!(id, golden_id, "{query}");
                assert!((score - golden).abs() < 1e-9, "{query} {id}: {score} is not {golden}");
            }
        }
    }

    #[test]
    fn words_are_folded_and_stemmed() {
        let index = index(
            Fields::All,
            &[
                ("d1", "", "The CAFÉ's queries"),
                ("d2", "leases", "watches"),
                ("d3", "", "unrelated"),
                ("d4", "", "other"),
            ],
        );
        assert_eq!(ids(&index, "querying"), ["d1"]);
        assert_eq!(ids(&index, "cafe"), ["d1"]);
        assert_eq!(ids(&index, "cafe\u{301}"), ["d1"]);
        assert_eq!(ids(&index, "lease watched"), ["d2"]);
        assert!(found(&index, "").is_empty() && found(&index, "?! -").is_empty());
        assert_eq!(index.search("cafe", 0).unwrap().len(), 0);
    }

    #[test]
    fn title_or_text_can_be_searched_alone() {
        let documents = [("d1", "leases", "watches"), ("d2", "", "leases"), ("d3", "x", "y")];
        assert_eq!(ids(&index(Fields::Title, &documents), "lease"), ["d1"]);
        assert_eq!(ids(&index(Fields::Text, &documents), "lease"), ["d2"]);
        assert_eq!(ids(&index(Fields::All, &documents), "lease").len(), 2);
    }

    #[test]
    fn what_looks_like_syntax_is_text() {
        let index =
            index(Fields::All, &[("d1", "", "near title or not"), ("d2", "", "zeta"), ("d3", "", "eta")]);
        for query in [
            "title: zeta",
            "zeta*",
            "\"zeta",
            "zeta\" OR \"",
            "NEAR(zeta, 2)",
            "NOT zeta",
            "zeta AND",
            "^zeta",
            "{zeta}",
            "zeta\0",
            "- zeta",
            "zeta + ''; DROP TABLE documents; --",
            "(zeta",
            "documents MATCH 'zeta'",
        ] {
            assert!(ids(&index, query).contains(&"d2".to_owned()), "{query:?}");
        }
        assert_eq!(ids(&index, "eta"), ["d3"]);
    }

    /// More words than the depth of an expression of FTS5's may be, 256.
    #[test]
    fn a_long_query_is_answered() {
        let index = index(Fields::All, &[("d1", "", "alpha"), ("d2", "", "word4999"), ("d3", "", "beta")]);
        let query: Vec<String> = (0..5000).map(|number| format!("word{number}")).collect();
        assert_eq!(ids(&index, &query.join(" ")), ["d2"]);
    }

    #[test]
    fn what_cannot_be_indexed_is_refused() {
        let mut builder = Fts5Builder::new("x", Fields::All).unwrap();
        builder.add(&document("d1", "", "one")).unwrap();
        assert_eq!(builder.add(&document("d1", "", "two")), Err(IndexError::Duplicate("d1".into())));
        let empty = Fts5Builder::new("x", Fields::All).unwrap().build().unwrap();
        assert!(empty.is_empty() && empty.search("one", 3).unwrap().is_empty());
        let one = builder.build().unwrap();
        assert_eq!((one.name(), one.len()), ("x", 1));
    }

    proptest! {
        #[test]
        fn any_text_can_be_a_document_and_a_query(text in "\\PC*|[\\x00-\\xff]*", query in "[ -~\\x00é\u{301}]*") {
            let index = index(Fields::All, &[("d1", &text, &text), ("d2", "", "zeta")]);
            prop_assert!(index.search(&query, 5).is_ok());
            prop_assert!(index.search(&text, 5).is_ok());
        }
    }
}

//! A PostgreSQL server that retrieves.

use std::num::NonZeroUsize;
use std::time::Duration;

use llull_candidates::{PostgresQuery, PostgresTable, WordsMatched};
use serde::{Deserialize, Serialize};

use crate::server_limits::{MOST_REQUESTS, REQUEST_TIME, query_encoder, time_limit, within};

/// The variable that holds the address, unless the study names another.
pub(crate) const ADDRESS: &str = "DATABASE_URL";

/// `[systems.postgres]`, or `postgres = { ... }` of a system.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PostgresFile {
    /// The variable of the environment that holds the address.
    pub address: Option<String>,
    /// A statement of the user's own.
    pub sql: Option<String>,
    /// A table, if there is no statement.
    pub table: Option<String>,
    /// The column of identifiers.
    pub id: Option<String>,
    /// The column of titles.
    pub title: Option<String>,
    /// The column of texts.
    pub text: Option<String>,
    /// The column of pgvector's that is searched by vectors.
    pub vector: Option<String>,
    /// The column of type `tsvector` that is searched by words; `true` parses the texts for each query.
    pub words: Option<WordsColumn>,
    /// The text search configuration.
    pub language: Option<String>,
    /// The words of the query that a document needs: `all` or `any`.
    pub matched: Option<String>,
    /// The encoder of queries: `minilm`.
    pub encoder: Option<String>,
    /// The time limit of one query, in seconds.
    pub timeout: Option<f64>,
    /// The number of queries at once.
    pub connections: Option<usize>,
}

/// A column, or `true` for the texts.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum WordsColumn {
    /// The texts themselves, or not.
    Texts(bool),
    /// A column of type `tsvector`.
    Column(String),
}

/// A PostgreSQL server that retrieves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PostgresSettings {
    /// The variable of the environment that holds the address, in which a password may be.
    #[serde(rename = "postgres")]
    pub address: String,
    /// The search.
    #[serde(flatten)]
    pub query: PostgresQuery,
    /// The encoder of queries, for a search by vectors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoder: Option<String>,
    /// The time limit of one query, in seconds.
    pub timeout: f64,
    /// The number of queries at once.
    pub connections: NonZeroUsize,
}

impl PostgresSettings {
    /// Checks the table of the study.
    pub(crate) fn of(file: &PostgresFile) -> Result<Self, String> {
        let query = query(file)?;
        let address = file.address.clone().unwrap_or_else(|| ADDRESS.into());
        if !is_variable(&address) {
            // The value may be the address itself, with its password.
            return Err(format!(
                "`address` names the variable of the environment that holds the server's address, such as \
                \"{ADDRESS}\"; it is not the address, which may hold a password and is not shown"
            ));
        }
        let without = "search takes none ($3 in `sql`)";
        let encoder = query_encoder(query.needs_vector(), file.encoder.as_deref(), without)?;
        let timeout = time_limit(file.timeout, REQUEST_TIME)?;
        let connections = within("connections", file.connections, MOST_REQUESTS)?;
        Ok(Self { address, query, encoder, timeout, connections })
    }

    /// Returns the time limit of one query.
    pub fn timeout(&self) -> Duration {
        Duration::from_secs_f64(self.timeout)
    }
}

/// Returns whether a text can be the name of an environment variable, as no address can.
pub fn is_variable(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn query(file: &PostgresFile) -> Result<PostgresQuery, String> {
    let PostgresFile { sql, table, id, title, text, vector, words, language, matched, .. } = file;
    let table = match (sql, table) {
        (Some(sql), None) => {
            let others = [id, title, text, vector, language, matched];
            if words.is_some() || others.iter().any(|other| other.is_some()) {
                return Err(
                    "beside `sql` there is no `id`, `title`, `text`, `vector`, `words`, `language` or `matched`: the \
                     statement has all of that"
                        .into(),
                );
            }
            if sql.trim().is_empty() || sql.contains('\0') {
                return Err("`sql` is a SELECT of the columns id, score, title and text".into());
            }
            return Ok(PostgresQuery::of_sql(sql));
        }
        (None, Some(table)) => PostgresTable {
            table: table.clone(),
            id: id.clone().unwrap_or_else(|| "id".into()),
            title: title.clone(),
            text: text.clone(),
        },
        _ => {
            return Err("a postgres system has either a `table`, with `vector` or `words`, or a statement, \
                        sql = \"SELECT id, score, text FROM ... LIMIT $2\""
                .into());
        }
    };
    let searched = match (vector, words) {
        (Some(column), None) => {
            if language.is_some() || matched.is_some() {
                return Err("`language` and `matched` belong to `words`".into());
            }
            return PostgresQuery::by_vector(&table, column).map_err(|error| error.to_string());
        }
        (None, Some(WordsColumn::Column(column))) => Some(column.as_str()),
        (None, Some(WordsColumn::Texts(true))) => {
            if title.is_none() && text.is_none() {
                return Err("words = true searches the columns that `title` and `text` name; name one".into());
            }
            None
        }
        _ => {
            return Err("a `table` is searched by one of two: vector = \"COLUMN\" of pgvector's, or words = \"COLUMN\" \
                        of type tsvector (words = true parses the texts for each query)"
                .into());
        }
    };
    let matched = match matched.as_deref() {
        None | Some("all") => WordsMatched::All,
        Some("any") => WordsMatched::Any,
        Some(other) => {
            return Err(format!("matched = {other:?} is neither \"all\" (of the query's words) nor \"any\""));
        }
    };
    let language = language.as_deref().unwrap_or("english");
    PostgresQuery::by_words(&table, searched, language, matched).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Result<PostgresSettings, String> {
        PostgresSettings::of(&toml::from_str(text).unwrap())
    }

    #[test]
    fn a_table_or_a_statement() {
        let vector = settings("table = \"p\"\ntext = \"body\"\nvector = \"v\"").unwrap();
        assert_eq!((vector.address.as_str(), vector.encoder.as_deref()), ("DATABASE_URL", Some("minilm")));
        let words = settings("table = \"p\"\nwords = \"t\"\nmatched = \"any\"\naddress = \"PG\"").unwrap();
        assert_eq!((words.address.as_str(), words.encoder), ("PG", None));
        let own = settings("sql = \"SELECT id FROM p LIMIT $2;\"\nconnections = 4\ntimeout = 0.5").unwrap();
        assert_eq!(own.query.sql(), "SELECT id FROM p LIMIT $2");
        assert_eq!((own.connections.get(), own.timeout()), (4, Duration::from_millis(500)));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, said) in [
            ("", "either a `table`"),
            ("table = \"p\"", "searched by one of two"),
            ("table = \"p\"\nwords = true", "name one"),
            ("table = \"p\"\nwords = false", "searched by one of two"),
            ("table = \"p\"\nvector = \"v\"\nlanguage = \"german\"", "belong to `words`"),
            ("table = \"p\"\nvector = \"v\"\nencoder = \"openai/x\"", "there is \"minilm\""),
            ("table = \"p\"\nwords = \"t\"\nencoder = \"minilm\"", "takes none"),
            ("table = \"p\"\nwords = \"t\"\nmatched = \"most\"", "neither"),
            ("table = \"p\"\nwords = \"t\"\nlanguage = \"a'b\"", "cannot be the name"),
            ("sql = \"SELECT 1 AS id\"\ntable = \"p\"", "either a `table`"),
            ("sql = \"SELECT 1 AS id\"\ntext = \"p\"", "the statement has all of that"),
            ("sql = \" \"", "is a SELECT"),
            ("sql = \"SELECT 1 AS id\"\ntimeout = 0", "not above 0"),
            ("sql = \"SELECT 1 AS id\"\nconnections = 65", "from 1 to 64"),
        ] {
            let error = settings(text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
        let error =
            settings("sql = \"SELECT 1 AS id\"\naddress = \"postgresql://me:topsecret@h/x\"").unwrap_err();
        assert!(error.contains("DATABASE_URL") && !error.contains("topsecret"), "{error}");
    }
}

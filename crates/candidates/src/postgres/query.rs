//! The SQL statement of a search.

use serde::Serialize;

use super::error::PostgresError;

/// Where documents are in a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostgresTable {
    /// The table or view, `schema.table` if need be.
    pub table: String,
    /// The column of identifiers.
    pub id: String,
    /// The column of titles.
    pub title: Option<String>,
    /// The column of texts.
    pub text: Option<String>,
}

/// Which of a query's words a document needs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WordsMatched {
    /// All of them, with `websearch_to_tsquery`'s operators: `"phrases"`, `or`, `-not`.
    #[default]
    All,
    /// Any of them.
    Any,
}

/// A statement of SQL that finds documents: `$1` is the query's text, `$2` how many results are wanted, and `$3`, where
/// it occurs, the query's vector as pgvector writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PostgresQuery {
    sql: String,
}

impl PostgresQuery {
    /// Takes a statement of the user's own, a `SELECT`. Its columns are `id`, and perhaps `score`, `title` and `text`;
    /// without `score` the order counts.
    pub fn of_sql(sql: &str) -> Self {
        Self { sql: sql.trim().trim_end_matches(';').trim_end().to_owned() }
    }

    /// Searches by the cosine of a column of pgvector's with the query's vector.
    ///
    /// # Errors
    /// Returns an error if a name is empty or contains a null character.
    pub fn by_vector(table: &PostgresTable, column: &str) -> Result<Self, PostgresError> {
        let (columns, from) = (columns(table)?, qualified(&table.table)?);
        let distance = format!("{} <=> $3::vector", quoted(column)?);
        // A document without a direction is at a distance of NaN, which PostgreSQL holds for the greatest number.
        Ok(Self {
            sql: format!(
                "SELECT * FROM (SELECT {columns}, 1 - ({distance}) AS score FROM {from} WHERE {column} IS NOT NULL \
                ORDER BY {distance} LIMIT $2) AS nearest WHERE score <> 'NaN'",
                column = quoted(column)?
            ),
        })
    }

    /// Searches by words, ranked by `ts_rank_cd`. `column` is a `tsvector`; without it the texts are parsed for each
    /// query, which is slow.
    ///
    /// # Errors
    /// Returns an error if a name is empty or contains a null character, or there is neither `column` nor a column of
    /// texts or titles.
    pub fn by_words(
        table: &PostgresTable,
        column: Option<&str>,
        language: &str,
        matched: WordsMatched,
    ) -> Result<Self, PostgresError> {
        let (columns, from) = (columns(table)?, qualified(&table.table)?);
        if !language.chars().all(|c| c.is_alphanumeric() || "_.".contains(c)) || language.is_empty() {
            return Err(PostgresError::Name(language.to_owned()));
        }
        let document = match column {
            Some(column) => quoted(column)?,
            None => {
                let parts = [&table.title, &table.text].into_iter().flatten();
                let parts: Vec<String> = parts
                    .map(|part| Ok(format!("coalesce({}, '')", quoted(part)?)))
                    .collect::<Result<_, _>>()?;
                if parts.is_empty() {
                    return Err(PostgresError::Name(String::new()));
                }
                format!("to_tsvector('{language}', {})", parts.join(" || ' ' || "))
            }
        };
        let query = match matched {
            WordsMatched::All => format!("websearch_to_tsquery('{language}', $1)"),
            // The text of a plain query has lexemes between quotation marks, and this between them.
            WordsMatched::Any => {
                format!("replace(plainto_tsquery('{language}', $1)::text, ''' & ''', ''' | ''')::tsquery")
            }
        };
        Ok(Self {
            sql: format!(
                "SELECT {columns}, ts_rank_cd({document}, wanted) AS score FROM {from}, (SELECT {query} AS wanted) AS \
                asked WHERE {document} @@ wanted ORDER BY score DESC, id LIMIT $2"
            ),
        })
    }

    /// Returns the statement.
    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// Returns whether it needs the query's vector.
    pub fn needs_vector(&self) -> bool {
        let after = self.sql.split("$3").skip(1);
        after.into_iter().any(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
    }

    /// Returns the statement to prepare: the user's, as a part of a read-only one, with its columns. A line end
    /// follows the user's part, so that a comment at its end covers only itself.
    #[cfg(feature = "postgres")]
    pub(super) fn wrapped(&self, columns: &[String]) -> String {
        let column = |name: &str, as_type: &str| match columns.iter().any(|column| column == name) {
            true => format!("found.{name}::{as_type}"),
            false => format!("NULL::{as_type}"),
        };
        format!(
            "SELECT {}, {}, {}, {} FROM (\n{}\n) AS found LIMIT $2",
            column("id", "text"),
            column("score", "float8"),
            column("title", "text"),
            column("text", "text"),
            self.sql
        )
    }

    /// Returns the statement that shows which columns the user's has.
    #[cfg(feature = "postgres")]
    pub(super) fn empty(&self) -> String {
        format!("SELECT * FROM (\n{}\n) AS found LIMIT 0", self.sql)
    }
}

fn columns(table: &PostgresTable) -> Result<String, PostgresError> {
    let mut columns = format!("{} AS id", quoted(&table.id)?);
    for (name, column) in [("title", &table.title), ("text", &table.text)] {
        if let Some(column) = column {
            columns.push_str(&format!(", {} AS {name}", quoted(column)?));
        }
    }
    Ok(columns)
}

fn qualified(table: &str) -> Result<String, PostgresError> {
    let parts: Vec<String> = table.split('.').map(quoted).collect::<Result<_, _>>()?;
    Ok(parts.join("."))
}

/// Returns a name as a quoted identifier, whose case is significant.
fn quoted(name: &str) -> Result<String, PostgresError> {
    if name.is_empty() || name.contains('\0') {
        return Err(PostgresError::Name(name.to_owned()));
    }
    Ok(format!("\"{}\"", name.replace('"', "\"\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> PostgresTable {
        PostgresTable {
            table: "app.Passages".into(),
            id: "key".into(),
            title: None,
            text: Some("bo\"dy".into()),
        }
    }

    #[test]
    fn names_are_taken_as_they_stand() {
        let query = PostgresQuery::by_vector(&table(), "x\" FROM secrets --").unwrap();
        assert!(query.sql().contains("\"key\" AS id, \"bo\"\"dy\" AS text"), "{}", query.sql());
        assert!(
            query.sql().contains("FROM \"app\".\"Passages\" WHERE \"x\"\" FROM secrets --\""),
            "{}",
            query.sql()
        );
        assert!(query.needs_vector());
        for wrong in ["", "a\0b"] {
            assert!(matches!(PostgresQuery::by_vector(&table(), wrong), Err(PostgresError::Name(_))));
        }
        let words = PostgresQuery::by_words(&table(), None, "eng'lish", WordsMatched::All);
        assert!(matches!(words, Err(PostgresError::Name(_))));
        assert!(
            PostgresQuery::by_words(
                &PostgresTable { text: None, ..table() },
                None,
                "english",
                WordsMatched::All
            )
            .is_err()
        );
    }

    #[cfg(feature = "postgres")]
    #[test]
    fn a_statement_of_ones_own_is_a_part_of_one_that_reads() {
        let query = PostgresQuery::of_sql(" SELECT a AS id FROM b LIMIT $2 -- all; \n");
        assert!(!query.needs_vector() && !PostgresQuery::of_sql("SELECT $30").needs_vector());
        assert!(PostgresQuery::of_sql("SELECT $3").needs_vector());
        assert_eq!(
            query.wrapped(&["id".into(), "text".into()]),
            "SELECT found.id::text, NULL::float8, NULL::text, found.text::text FROM (\nSELECT a AS id FROM b LIMIT $2 \
            -- all\n) AS found LIMIT $2"
        );
    }
}

//! Queries: `id<TAB>text`, a table with a header, or JSON.

use std::path::Path;

use llull_core::{Topic, Topics};
use rustc_hash::FxHashMap;

use crate::{
    Conflict, DataError, RowPlace,
    beir::beir_queries,
    chunks::Chunks,
    error::shown_path,
    tables::{Columns, Form, Role, Row, TableKind, TableNotes, TableSource, read_table},
};

/// The queries of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TopicsFile {
    /// The queries.
    pub topics: Topics,
    /// How they were read.
    pub table: TableNotes,
}

/// Reads queries: lines of `id<TAB>text`; a table with a header (CSV, TSV, semicolons); JSON lines; a JSON list, or an
/// object with `queries` or by identifier; or a BEIR folder. Columns are found by their usual names, such as `query_id`
/// and `query`. Where no column is an identifier, queries are numbered: q1, q2 and so on. Every other field with a
/// text, a number, or true or false is saved as metadata of the query.
///
/// # Errors
/// Returns an error if the file cannot be read, a row has no text, two have the same identifier, or there is no query.
pub fn read_topics(path: impl AsRef<Path>) -> Result<Topics, DataError> {
    read_topics_file(path, &Columns::default()).map(|file| file.topics)
}

/// Reads queries, as [`read_topics`] does, from the columns that the user names, with remarks on the file.
///
/// # Errors
/// Returns an error in the same cases as [`read_topics`], and if a named column is missing.
pub fn read_topics_file(path: impl AsRef<Path>, columns: &Columns) -> Result<TopicsFile, DataError> {
    let path = path.as_ref();
    if path.is_dir() {
        return read_topics_file(beir_queries(path)?, columns);
    }
    let mut topics = Topics::default();
    let mut places: FxHashMap<String, RowPlace> = FxHashMap::default();
    let empty = || DataError::Empty {
        file: shown_path(path),
        wanted: "query",
        remedy: "It needs a header with query, JSON, or lines of id<TAB>text".to_owned(),
    };
    let source =
        TableSource::of(Chunks::open(path)?, path, TableKind::Queries, columns).map_err(|_| empty())?;
    let is_markup = source.form == Form::Markup;
    let mut table = read_table(source, &mut |row: &Row<'_>| {
        let id = match row.get(Role::Query) {
            Some(id) => id.trim().to_owned(),
            None if row.has(Role::Query) => return Err(row.missing(Role::Query)),
            None => format!("q{}", topics.len() + 1),
        };
        let text = row.get(Role::QueryText).ok_or_else(|| row.missing(Role::QueryText))?;
        let place = row.place().in_file();
        if let Some(before) = places.insert(id.clone(), place.clone()) {
            return Err(DataError::from(Conflict {
                file: shown_path(path),
                first: Some(before),
                second: place,
                what: format!("both are query {id}"),
                remedy: "Give each query its own identifier".into(),
            }));
        }
        topics.insert(Topic { id: id.clone(), text: text.trim().to_owned() });
        row.metadata().into_iter().for_each(|(field, value)| topics.set_metadata(&id, field, value));
        Ok(())
    })?;
    table.metadata = topics.fields().map(str::to_owned).collect();
    if !is_markup {
        table.note(&shown_path(path), columns);
    }
    if topics.is_empty() {
        return Err(empty());
    }
    Ok(TopicsFile { topics, table })
}

/// Adds the queries that a table of results holds with their texts, each once. A query without an identifier gets the
/// next number: q1, q2 and so on. A file that is no table, or that names queries by identifiers alone, adds none.
///
/// # Errors
/// Returns an error if the file cannot be read, or an identifier has two texts.
pub fn add_result_queries(
    path: impl AsRef<Path>,
    columns: &Columns,
    topics: &mut Topics,
) -> Result<(), DataError> {
    let path = path.as_ref();
    let Ok(results) = TableSource::of(Chunks::open(path)?, path, TableKind::Results, columns) else {
        return Ok(());
    };
    let source = results.with_kind(TableKind::ResultQueries);
    let mut texts: FxHashMap<String, String> =
        topics.iter().map(|topic| (topic.text.clone(), topic.id.clone())).collect();
    read_table(source, &mut |row: &Row<'_>| {
        let Some(text) = row.get(Role::QueryText) else { return Ok(()) };
        let text = text.trim();
        let id = match row.get(Role::Query).filter(|_| row.has(Role::Query)) {
            Some(id) => id.trim().to_owned(),
            None if texts.contains_key(text) => return Ok(()),
            None => format!("q{}", topics.len() + 1),
        };
        match topics.get(&id) {
            Some(known) if known.text == text => Ok(()),
            Some(known) => Err(row.place().wrong(
                None,
                format!("{text:?} as query {id}"),
                &format!("its text {:?}", known.text),
                "Give each query one text",
            )),
            None => {
                texts.insert(text.to_owned(), id.clone());
                topics.insert(Topic { id, text: text.to_owned() });
                Ok(())
            }
        }
    })
    .map(drop)
}

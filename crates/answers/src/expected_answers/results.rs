//! Reads a retriever's results from a file.

use std::path::Path;
use std::sync::Arc;

use llull_core::{Document, Topics};
#[cfg(feature = "encoders")]
use llull_core::{Ranking, Run};
use llull_data::{
    Columns, Conflict, DataError, FoundDocument, is_results, read_result_texts, read_results, shown_path,
};
use llull_files::{FileError, RetrievalTally, RunForm, WithNotes, read_system};
use llull_report::text::counted;
use rustc_hash::FxHashMap;

/// The results of one retriever.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SystemResults {
    /// Its name.
    pub name: String,
    /// Its results by query, best first.
    pub queries: FxHashMap<String, Vec<FoundDocument>>,
    /// Times, prices and failures, as far as the results have them.
    pub asked: RetrievalTally,
}

#[cfg(feature = "encoders")]
impl SystemResults {
    /// Returns the order of the results as a run.
    pub(crate) fn run(&self) -> Run {
        let mut run = Run::new(&self.name);
        for (query, found) in &self.queries {
            let ordered =
                found.iter().enumerate().map(|(at, found)| (found.document.id.as_str(), -(at as f64)));
            run.insert(query, Ranking::from_ordered(ordered));
        }
        run
    }

    /// Returns the results of a run. A document has the text of the first of several systems that has one.
    pub(crate) fn of_run(run: &Run, systems: &[Self]) -> Self {
        let text_of = |query: &str, id: &str| {
            let found = systems.iter().filter_map(|system| system.queries.get(query)).flatten();
            let document = found.map(|found| &found.document).find(|document| document.id == id);
            document.cloned().unwrap_or_default()
        };
        let queries = run.iter().map(|(query, ranking)| {
            let found = ranking
                .iter()
                .map(|hit| FoundDocument { document: text_of(query, hit.document), score: hit.score });
            (query.to_owned(), found.collect())
        });
        Self { name: run.name.clone(), queries: queries.collect(), ..Self::default() }
    }
}

/// Reads results from JSON lines, `{"query_id","results":[{"doc_id","text","score"}]}`, best first; or from any other
/// file of results with texts, whose columns the user may name, and which may name queries by their texts or order.
///
/// # Errors
/// Returns an error if the file cannot be read, a line is not such an object, or a query occurs twice.
pub fn read_system_results(
    path: &Path,
    name: &str,
    columns: &Columns,
    topics: &Topics,
) -> Result<WithNotes<SystemResults>, FileError> {
    if !is_results(path, columns)? {
        return of_table(path, name, columns, topics);
    }
    let mut system = SystemResults { name: name.to_owned(), ..SystemResults::default() };
    let (mut lines, mut failed, mut first_failure) = (FxHashMap::default(), 0, None);
    read_results(path, Some(columns), |results| {
        if let Some(before) = lines.insert(results.query.clone(), results.line) {
            return Err(DataError::from(Conflict {
                file: shown_path(path),
                first: Some(before.into()),
                second: results.line.into(),
                what: format!("both are results of query {}", results.query),
                remedy: "Put the results of a query into one line".into(),
            }));
        }
        system.asked.record(&results);
        match results.failed {
            Some(reason) => {
                failed += 1;
                first_failure.get_or_insert(format!("query {}: {reason}", results.query));
            }
            None => drop(system.queries.insert(results.query, results.results)),
        }
        Ok(())
    })?;
    let note = first_failure.map(|first| {
        let queries = counted(failed, "query");
        format!("{}: the retriever failed on {queries} (the first: {first})", shown_path(path))
    });
    Ok(WithNotes { value: system, notes: note.into_iter().collect() })
}

fn of_table(
    path: &Path,
    name: &str,
    columns: &Columns,
    topics: &Topics,
) -> Result<WithNotes<SystemResults>, FileError> {
    let queries = Some(Arc::new(topics.clone()));
    let form = RunForm { columns: columns.clone(), queries, ..RunForm::default() };
    let read = read_system(path, name, None, form)?;
    let mut texts: FxHashMap<String, Document> = FxHashMap::default();
    read_result_texts(path, columns, |document| {
        texts.entry(document.id.clone()).or_insert(document);
    })?;
    let document = |id: &str| {
        texts.get(id).cloned().unwrap_or_else(|| Document { id: id.to_owned(), ..Document::default() })
    };
    let queries = read.value.iter().map(|(query, ranking)| {
        let found =
            ranking.iter().map(|hit| FoundDocument { document: document(hit.document), score: hit.score });
        (query.to_owned(), found.collect())
    });
    let value =
        SystemResults { name: name.to_owned(), queries: queries.collect(), ..SystemResults::default() };
    Ok(WithNotes { value, notes: read.notes })
}

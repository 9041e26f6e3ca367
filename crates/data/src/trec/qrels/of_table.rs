//! Labels from a table: rows of query, document and grade, or an object by query.

use super::collector::Collector;
use super::file::QrelsFile;
use super::labels::Labels;
use super::layout::{Grades, grade_of};
use crate::DataError;
use crate::tables::{Role, Row, TableSource, read_table};
use crate::trec::run::QueryNames;

pub(super) fn read_table_of_labels<L: Labels>(
    source: TableSource<'_>,
    mut collector: Collector<L>,
    grades: Grades,
) -> Result<QrelsFile, DataError> {
    let queries = QueryNames::new(None);
    let table = read_table(source, &mut |row: &Row<'_>| {
        // Quepid writes a query that nobody has rated as a row of its own.
        if row.get(Role::Document).is_none() && row.get(Role::Grade).is_none() {
            return Ok(());
        }
        let query = queries.resolve(row)?;
        let document = row.get(Role::Document).ok_or_else(|| row.missing(Role::Document))?;
        // A row without a grade is a pair that nobody has judged yet.
        let written = row.get(Role::Grade).unwrap_or_default();
        let written = if written.trim().is_empty() { "missing" } else { written.trim() };
        let grade = grade_of(written, grades).ok_or_else(|| {
            let (expected, remedy) = match grades {
                Grades::Order => ("a number, such as 0, 2 or 0.25", ""),
                _ => (
                    "a whole number, such as 0, 2 or -1",
                    "Scale the grades to whole numbers, or round them (--round)",
                ),
            };
            row.wrong(Role::Grade, written, expected, remedy)
        })?;
        collector.insert(&query, document.trim(), grade, row.place().line())
    })?;
    let mut read = collector.finish()?;
    read.notes.table = table;
    Ok(read)
}

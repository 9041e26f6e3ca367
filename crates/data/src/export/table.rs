//! Rows with named columns, in the formats of spreadsheets and data frames.

use std::io::Write;

use serde_json::{Map, Value};

use crate::DataError;
use crate::row_entry::Entry;
use crate::spreadsheet::{Cell, SheetFormat, marked, write_row};
use crate::trec::output;

/// The format of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    /// Commas below a header.
    Csv,
    /// Tabs below a header.
    Tsv,
    /// An object on each line.
    Jsonl,
    /// Columns for data frames.
    #[cfg(feature = "parquet")]
    Parquet,
    /// A workbook of a spreadsheet program.
    #[cfg(feature = "xlsx")]
    Xlsx,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Texts.
    Text,
    /// Whole numbers.
    Whole,
    /// Numbers.
    Number,
}

/// A column: its name, and what it holds.
pub type Column = (&'static str, ColumnKind);

/// Rows with named columns. Every row has as many values as there are columns, each of its column's kind.
pub struct RowTable<'a> {
    columns: Vec<Column>,
    rows: Box<dyn Iterator<Item = Vec<Entry<'a>>> + 'a>,
}

/// How a table was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WrittenRows {
    /// The number of rows.
    pub rows: usize,
    /// The number of texts that a spreadsheet would take for a formula, which have an apostrophe before them.
    pub marked: usize,
}

impl<'a> RowTable<'a> {
    /// Creates a table whose rows are made while it is written.
    pub fn new(columns: Vec<Column>, rows: impl Iterator<Item = Vec<Entry<'a>>> + 'a) -> Self {
        Self { columns, rows: Box::new(rows) }
    }

    /// Writes the table. Numbers are the shortest decimals that read back as the same number. In CSV and TSV a missing
    /// value is an empty cell, and a text that a spreadsheet would take for a formula has an apostrophe before it. In
    /// JSON a missing value is `null`.
    ///
    /// # Errors
    /// Returns an error if `out` fails, or the format has no form for a value: JSON has none for an infinite number.
    pub fn write(self, format: TableFormat, out: &mut dyn Write) -> Result<WrittenRows, DataError> {
        let written = match format {
            TableFormat::Csv => self.write_separated(SheetFormat::Commas, out),
            TableFormat::Tsv => self.write_separated(SheetFormat::Tabs, out),
            TableFormat::Jsonl => self.write_jsonl(out),
            #[cfg(feature = "parquet")]
            TableFormat::Parquet => super::parquet::write(&self.columns, self.rows, out),
            #[cfg(feature = "xlsx")]
            TableFormat::Xlsx => self.write_workbook(out),
        }?;
        out.flush().map_err(output)?;
        Ok(written)
    }

    fn write_separated(self, format: SheetFormat, out: &mut dyn Write) -> Result<WrittenRows, DataError> {
        let names: Vec<Cell<'_>> = self.columns.iter().map(|(name, _)| Cell::Value(name)).collect();
        write_row(out, format, &names).map_err(output)?;
        let mut written = WrittenRows::default();
        for row in self.rows {
            let texts: Vec<String> = row
                .iter()
                .map(|entry| match entry {
                    Entry::Text(text) => {
                        let safe = marked(text, format);
                        written.marked += usize::from(safe != **text);
                        safe
                    }
                    Entry::Whole(number) => number.to_string(),
                    Entry::Number(number) => number.to_string(),
                    Entry::Missing => String::new(),
                })
                .collect();
            let cells: Vec<Cell<'_>> = texts.iter().map(|text| Cell::Value(text)).collect();
            write_row(out, format, &cells).map_err(output)?;
            written.rows += 1;
        }
        Ok(written)
    }

    #[cfg(feature = "xlsx")]
    fn write_workbook(self, out: &mut dyn Write) -> Result<WrittenRows, DataError> {
        let headings: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        let mut texts = 0;
        let rows = self.rows.map(|row| {
            let safe = |entry| match entry {
                Entry::Text(text) => {
                    let safe = marked(&text, SheetFormat::Tabs);
                    texts += usize::from(safe != *text);
                    Entry::text(safe)
                }
                other => other,
            };
            row.into_iter().map(safe).collect()
        });
        let rows = crate::workbook::write_workbook(&headings, rows, out)?;
        Ok(WrittenRows { rows, marked: texts })
    }

    fn write_jsonl(self, out: &mut dyn Write) -> Result<WrittenRows, DataError> {
        let mut written = WrittenRows::default();
        for row in self.rows {
            let mut object = Map::new();
            for ((name, _), entry) in self.columns.iter().zip(row) {
                let value = match entry {
                    Entry::Text(text) => Value::from(text),
                    Entry::Whole(number) => Value::from(number),
                    Entry::Number(number) => json_number(number)?,
                    Entry::Missing => Value::Null,
                };
                object.insert((*name).to_owned(), value);
            }
            serde_json::to_writer(&mut *out, &object).map_err(|error| output(error.into()))?;
            out.write_all(b"\n").map_err(output)?;
            written.rows += 1;
        }
        Ok(written)
    }
}

/// Returns a number of JSON.
pub(super) fn json_number(number: f64) -> Result<Value, DataError> {
    match serde_json::Number::from_f64(number) {
        Some(number) => Ok(Value::Number(number)),
        None => Err(DataError::NoForm { what: format!("the number {number}"), format: "JSON" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> RowTable<'static> {
        let columns =
            vec![("query", ColumnKind::Text), ("grade", ColumnKind::Whole), ("score", ColumnKind::Number)];
        let rows = vec![
            vec![Entry::text("a, \"b\"\nc"), Entry::Whole(-1), Entry::Number(0.1)],
            vec![Entry::text("=1+1"), Entry::Missing, Entry::Number(1e-9)],
        ];
        RowTable::new(columns, rows.into_iter())
    }

    #[cfg(feature = "parquet")]
    fn bytes(format: TableFormat) -> Vec<u8> {
        let mut bytes = Vec::new();
        table().write(format, &mut bytes).unwrap();
        bytes
    }

    fn written(format: TableFormat) -> (String, WrittenRows) {
        let mut bytes = Vec::new();
        let rows = table().write(format, &mut bytes).unwrap();
        (String::from_utf8(bytes).unwrap(), rows)
    }

    #[test]
    fn a_missing_value_is_empty_and_a_formula_is_marked() {
        let csv = "query,grade,score\n\"a, \"\"b\"\"\nc\",-1,0.1\n'=1+1,,0.000000001\n";
        assert_eq!(written(TableFormat::Csv), (csv.into(), WrittenRows { rows: 2, marked: 1 }));
        let tsv = "query\tgrade\tscore\n\"a, \"\"b\"\"\nc\"\t-1\t0.1\n'=1+1\t\t0.000000001\n";
        assert_eq!(written(TableFormat::Tsv).0, tsv);
    }

    #[test]
    fn json_has_texts_as_they_are_and_nothing_for_infinity() {
        let jsonl = "{\"query\":\"a, \\\"b\\\"\\nc\",\"grade\":-1,\"score\":0.1}\n\
                     {\"query\":\"=1+1\",\"grade\":null,\"score\":1e-9}\n";
        assert_eq!(written(TableFormat::Jsonl), (jsonl.into(), WrittenRows { rows: 2, marked: 0 }));
        let rows = vec![vec![Entry::Number(f64::INFINITY)]].into_iter();
        let infinite = RowTable::new(vec![("score", ColumnKind::Number)], rows);
        let error = infinite.write(TableFormat::Jsonl, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains("the number inf cannot be written as JSON"), "{error}");
    }

    /// pyarrow 26.0.1 reads this file: `pq.read_table` has the columns `query: string`, `grade: int64`, `score:
    /// double`, and `to_pylist()` the rows of `table` above with `None` for the missing value.
    #[cfg(feature = "parquet")]
    #[test]
    fn parquet_has_types_and_nulls() {
        let (first, second) = (bytes(TableFormat::Parquet), bytes(TableFormat::Parquet));
        assert_eq!(first, second, "the same rows are the same bytes");
        assert!(first.starts_with(b"PAR1") && first.ends_with(b"PAR1"));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("labels.parquet");
        let columns =
            vec![("query", ColumnKind::Text), ("doc_id", ColumnKind::Text), ("grade", ColumnKind::Whole)];
        let rows = (0..300_000).map(|at| {
            let grade = if at % 3 == 0 { Entry::Missing } else { Entry::Whole(at % 3) };
            vec![Entry::text(format!("q{}", at % 7)), Entry::text(format!("=d{at}")), grade]
        });
        let mut bytes = Vec::new();
        let written = RowTable::new(columns, rows).write(TableFormat::Parquet, &mut bytes).unwrap();
        assert_eq!(written, WrittenRows { rows: 300_000, marked: 0 });
        fs_err::write(&path, bytes).unwrap();
        let qrels = crate::read_qrels(&path).unwrap().qrels;
        assert_eq!(qrels.pairs(), 200_000, "in several groups of rows");
        assert_eq!((qrels.grade("q4", "=d4"), qrels.grade("q3", "=d3")), (Some(1), None));
    }

    /// pandas makes whole numbers fractions as soon as one is missing, and large ones lose digits.
    #[cfg(feature = "parquet")]
    #[test]
    fn identifiers_of_parquet_that_lost_digits_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("labels.parquet");
        let columns =
            vec![("query", ColumnKind::Text), ("doc_id", ColumnKind::Number), ("grade", ColumnKind::Whole)];
        let rows = vec![vec![Entry::text("q1"), Entry::Number(1.234_567_890_123_456_8e17), Entry::Whole(1)]];
        let mut bytes = Vec::new();
        RowTable::new(columns, rows.into_iter()).write(TableFormat::Parquet, &mut bytes).unwrap();
        fs_err::write(&path, bytes).unwrap();
        let error = crate::read_qrels(&path).unwrap_err().to_string();
        assert!(error.contains("in \"doc_id\" that some are lost"), "{error}");
    }
}

//! A dataset as CSV with a header.

use rustc_hash::FxHashSet;

use super::expected::{EvaluationDataset, ExpectedQuery, QueryOrigin};
use super::fields::{note, rename_columns};
use super::notes::{DatasetFile, DatasetNotes};
use crate::tables::Columns as NamedColumns;
use crate::{DataError, SheetFormat, csv::Records, json::Id, lines::Lines, spreadsheet::without_marks};

const KNOWN: [&str; 7] =
    ["query_id", "id", "query_text", "query", "expected_answers", "expected_doc_ids", "origin"];

/// Other usual names of columns. `answer` is not among them, because it is often a generated answer.
const OTHER_NAMES: [(&str, &str); 11] = [
    ("qid", "query_id"),
    ("question", "query"),
    ("user_input", "query"),
    ("ground_truth", "expected_answers"),
    ("ground_truths", "expected_answers"),
    ("reference", "expected_answers"),
    ("reference_answer", "expected_answers"),
    ("expected_answer", "expected_answers"),
    ("gold_answers", "expected_answers"),
    ("answers", "expected_answers"),
    ("relevant_doc_ids", "expected_doc_ids"),
];

/// Where the header has the columns.
struct Columns {
    ids: [Option<usize>; 2],
    texts: [Option<usize>; 2],
    answers: Vec<usize>,
    documents: Vec<usize>,
    origin: Option<usize>,
    count: usize,
}

pub(super) fn parse(
    lines: Lines,
    answers_separator: Option<&str>,
    named: &NamedColumns,
    encoding: Option<&'static str>,
) -> Result<DatasetFile, DataError> {
    let file = lines.file().to_owned();
    let mut records = Records::find_separator(lines, |name| {
        if named.iter().any(|(_, fields)| fields.iter().any(|field| field == name)) {
            return true;
        }
        let name = column_name(name);
        KNOWN.contains(&name.as_str()) || OTHER_NAMES.iter().any(|(other, _)| *other == name)
    })?;
    let mut dataset = EvaluationDataset::default();
    let mut notes = DatasetNotes::default();
    if !records.advance()? {
        return Ok(DatasetFile::default());
    }
    let header: Vec<String> = (0..records.len()).map(|at| records.field_at(at).trim().to_owned()).collect();
    let columns = columns(&records, &header, named)?;
    let fields: Vec<(String, String)> =
        header.into_iter().map(|name| (name.clone(), column_name(&name))).collect();
    note(&file, &fields, encoding, named);
    let mut ids = FxHashSet::default();
    while records.advance()? {
        if records.len() > columns.count {
            return Err(records.place().wrong(
                None,
                format!("{} fields", records.len()),
                &format!("the {} of the header", columns.count),
                "A field with a separator in it is in quotes",
            ));
        }
        let row = Row { records: &records, columns: &columns, answers_separator };
        let query = row.query(dataset.queries.len() + 1, &mut notes)?;
        if !ids.insert(query.id.clone()) {
            let at = columns.ids.into_iter().flatten().next().unwrap_or_default() + 1;
            let remedy = "Give each query its own identifier";
            return Err(records.place().bad_column(
                at,
                "query_id",
                &query.id,
                "another identifier than before",
                remedy,
            ));
        }
        dataset.queries.push(query);
    }
    Ok(DatasetFile { dataset, notes })
}

/// A column's name for comparisons: in lower case, with `_` for blanks and hyphens.
fn column_name(written: &str) -> String {
    written.trim().to_lowercase().replace([' ', '-'], "_")
}

/// Gives columns of other usual names the first one, where no column has that.
fn use_usual_names(names: &mut [String]) {
    for (other, usual) in OTHER_NAMES {
        if !names.iter().any(|name| is_repetition(name, usual))
            && let Some(name) = names.iter_mut().find(|name| *name == other)
        {
            *name = usual.to_owned();
        }
    }
}

/// Whether a column is this one or a repetition of it. pandas numbers repeated columns: `expected_answers.1`.
fn is_repetition(name: &str, of: &str) -> bool {
    name.strip_prefix(of).is_some_and(|end| {
        let number = end.strip_prefix(['.', '_']).unwrap_or("x");
        end.is_empty() || (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

fn columns(header: &Records, fields: &[String], named: &NamedColumns) -> Result<Columns, DataError> {
    let mut names: Vec<String> = fields.iter().map(|field| column_name(field)).collect();
    rename_columns(&mut names, fields, named);
    use_usual_names(&mut names);
    let all = |wanted: &str| -> Vec<usize> {
        (0..names.len()).filter(|at| is_repetition(names[*at].as_str(), wanted)).collect()
    };
    let (answers, documents) = (all("expected_answers"), all("expected_doc_ids"));
    let mut known = FxHashSet::default();
    let twice = names.iter().enumerate().find(|(at, name)| {
        !name.is_empty() && !answers.contains(at) && !documents.contains(at) && !known.insert(name.as_str())
    });
    if let Some((_, twice)) = twice {
        let found = format!("the column {twice} twice");
        return Err(header.place().wrong(None, found, "each column once", "Remove one of them"));
    }
    let of = |wanted: &str| names.iter().position(|name| *name == wanted);
    let columns = Columns {
        ids: [of("query_id"), of("id")],
        texts: [of("query_text"), of("query")],
        answers,
        documents,
        origin: of("origin"),
        count: names.len(),
    };
    if columns.texts == [None, None] {
        return Err(header.place().unexpected(
            "a header with query_text (or query, or question), and expected_answers or expected_doc_ids",
            "Or name the columns: --columns query=COLUMN,answer=COLUMN",
        ));
    }
    Ok(columns)
}

/// A row below the header.
struct Row<'a> {
    records: &'a Records,
    columns: &'a Columns,
    answers_separator: Option<&'a str>,
}

impl Row<'_> {
    fn query(&self, number: usize, notes: &mut DatasetNotes) -> Result<ExpectedQuery, DataError> {
        let columns = self.columns;
        let Some(text) = self.first(columns.texts) else {
            let at = columns.texts.into_iter().flatten().next().unwrap_or_default() + 1;
            return Err(self.records.place().wrong(
                Some((at, "query_text")),
                "nothing",
                "the question",
                "Write it, or remove the row",
            ));
        };
        let id = self.first(columns.ids).unwrap_or_else(|| format!("q{number}"));
        let mut answers = Vec::new();
        for at in &columns.answers {
            answers.extend(self.answers(*at, notes)?);
        }
        let mut documents = Vec::new();
        for at in &columns.documents {
            let cell = self.cell(*at);
            match self.json_list(*at, "expected_doc_ids", &cell)? {
                Some(list) => documents.extend(list),
                None => documents.extend(cell.split(',').map(|id| Some(id.to_owned()))),
            }
        }
        Ok(ExpectedQuery {
            expected_doc_ids: notes.present(&id, documents),
            expected_answers: notes.present(&id, answers),
            origin: columns.origin.map_or(Ok(None), |at| self.origin(at))?,
            id,
            text,
        })
    }

    fn cell(&self, at: usize) -> String {
        without_marks(self.records.field_at(at).trim(), SheetFormat::Commas)
    }

    /// The first of these cells that is not empty.
    fn first(&self, places: [Option<usize>; 2]) -> Option<String> {
        places.into_iter().flatten().map(|at| self.cell(at)).find(|cell| !cell.is_empty())
    }

    /// A JSON list, or one answer, or several where a separator is declared.
    fn answers(&self, at: usize, notes: &mut DatasetNotes) -> Result<Vec<Option<String>>, DataError> {
        let cell = self.cell(at);
        if let Some(list) = self.json_list(at, "expected_answers", &cell)? {
            return Ok(list);
        }
        let Some(separator) = self.answers_separator else {
            notes.undivided_cells += u64::from(cell.contains([',', ';']));
            return Ok(vec![Some(cell)]);
        };
        let answers: Vec<&str> =
            cell.split(separator).map(str::trim).filter(|answer| !answer.is_empty()).collect();
        if answers.len() > 1 {
            notes.split_cells += 1;
            notes.split_answers += answers.len() as u64;
        }
        Ok(answers.into_iter().map(|answer| Some(answer.to_owned())).collect())
    }

    fn json_list(
        &self,
        at: usize,
        name: &'static str,
        cell: &str,
    ) -> Result<Option<Vec<Option<String>>>, DataError> {
        if !cell.starts_with('[') {
            return Ok(None);
        }
        let list: Vec<Option<Id<'_>>> = serde_json::from_str(cell).map_err(|error| {
            let remedy = format!("A cell that begins with [ is read as JSON: {error}");
            self.records.place().bad_column(at + 1, name, cell, "a JSON list of texts", &remedy)
        })?;
        Ok(Some(list.into_iter().map(|id| id.map(|id| id.0.into_owned())).collect()))
    }

    /// A JSON object, or nothing.
    fn origin(&self, at: usize) -> Result<Option<QueryOrigin>, DataError> {
        let value = self.cell(at);
        if value.is_empty() {
            return Ok(None);
        }
        serde_json::from_str(&value).map(Some).map_err(|error| {
            let (wanted, remedy) = ("a JSON object with \"synthetic\"", format!("As JSON: {error}"));
            self.records.place().bad_column(at + 1, "origin", &value, wanted, &remedy)
        })
    }
}

//! Tables of figures about pairs of query and document, to learn rankers with.

use std::path::Path;

use rustc_hash::FxHashMap;

use crate::csv::Records;
use crate::decimal::parse_f64;
use crate::error::{quoted, shown_path};
use crate::lines::Lines;
use crate::tables::{Columns, FieldMap, Place, Role, TableKind};
use crate::{Conflict, DataError};

/// The figures of a pair, feature by feature.
type Figures = Vec<Option<f64>>;

/// Figures about pairs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PairFeatures {
    /// The names of the features, in the order of the columns.
    pub names: Vec<String>,
    /// By query, by document: the figures, with the line. Those of documents alone are below the empty query, which no
    /// row has.
    pairs: FxHashMap<String, FxHashMap<String, (Figures, u64)>>,
}

impl PairFeatures {
    /// Returns the figures of a pair, or of the document alone, feature by feature; `None` where a cell is empty, or
    /// for a pair without a row.
    pub fn get(&self, query: &str, document: &str) -> Option<&[Option<f64>]> {
        let documents = self.pairs.get(query).or_else(|| self.pairs.get(""))?;
        documents.get(document).map(|(figures, _)| figures.as_slice())
    }
}

/// Reads figures about pairs: a table, separated by commas, semicolons or tabs, under a header with a query and a
/// document, found by their usual names or by `columns`. All other columns are features, except grades. Without a
/// column for the query, they are features of documents, and titles and texts are none.
///
/// # Errors
/// Returns an error that names the line if a column is missing or ambiguous, a cell is no finite number, a pair has two
/// rows, or there is no row or no feature.
pub fn read_pair_features(path: impl AsRef<Path>, columns: &Columns) -> Result<PairFeatures, DataError> {
    let path = path.as_ref();
    let empty = |wanted| DataError::Empty {
        file: shown_path(path),
        wanted,
        remedy: "The first line names the columns: query, document, and a column for each feature".to_owned(),
    };
    let kind = TableKind::Features;
    let named = |name: &str| columns.iter().any(|(_, fields)| fields.iter().any(|field| field == name));
    let known = |name: &str| named(name) || kind.is_known(name);
    let mut records = Records::find_separator(Lines::open(path)?, known)?;
    if !records.advance()? {
        return Err(empty("row of features"));
    }
    let header: Vec<String> = (0..records.len()).map(|at| records.field_at(at).to_owned()).collect();
    let mut map =
        FieldMap::new(kind, columns, &header).map_err(|ambiguity| ambiguity.of(&shown_path(path)))?;
    let of_documents = map.has(Role::Document) && !map.has(Role::Query);
    if !of_documents {
        map.check_required(&header, &Place::Line(records.place()))?;
    }
    let roles: Vec<Option<Role>> = header.iter().map(|field| map.role(field)).collect();
    let at = |role: Role| roles.iter().position(|found| *found == Some(role)).unwrap_or_default();
    let (query_at, document_at) = (at(Role::Query), at(Role::Document));
    let is_text = |at: &usize| of_documents && TableKind::Documents.is_known(&header[*at]);
    let features: Vec<usize> = (0..header.len()).filter(|at| roles[*at].is_none() && !is_text(at)).collect();
    if features.is_empty() {
        return Err(empty("column of features"));
    }
    let names = features.iter().map(|at| header[*at].clone()).collect();
    let mut file = PairFeatures { names, ..PairFeatures::default() };
    while records.advance()? {
        if (0..records.len()).all(|at| records.field_at(at).is_empty()) {
            continue;
        }
        if records.len() != header.len() {
            let found = format!("{} fields", records.len());
            return Err(records.place().wrong(
                None,
                found,
                &format!("the {} of the header", header.len()),
                "",
            ));
        }
        let figure = |at: &usize| figure(&records, *at, &header[*at]);
        let figures = features.iter().map(figure).collect::<Result<Figures, DataError>>()?;
        let query = if of_documents { "" } else { records.field_at(query_at) };
        let document = records.field_at(document_at);
        if query.is_empty() && !of_documents || document.is_empty() {
            let found = "a row without a query or a document";
            return Err(records.place().wrong(None, found, "both", "Fill them in, or remove the row"));
        }
        let line = records.place().number;
        let of_query = file.pairs.entry(query.to_owned()).or_default();
        if let Some((_, first)) = of_query.insert(document.to_owned(), (figures, line)) {
            return Err(Conflict {
                file: shown_path(path),
                first: Some(first.into()),
                second: line.into(),
                what: match of_documents {
                    true => format!("both are about document {document}"),
                    false => format!("both are about query {query}, document {document}"),
                },
                remedy: "Leave one out".into(),
            }
            .into());
        }
    }
    if file.pairs.is_empty() {
        return Err(empty("row of features"));
    }
    Ok(file)
}

fn figure(records: &Records, at: usize, name: &str) -> Result<Option<f64>, DataError> {
    let text = records.field_at(at);
    if text.is_empty() {
        return Ok(None);
    }
    match parse_f64(text).filter(|figure| figure.is_finite()) {
        Some(figure) => Ok(Some(figure)),
        None => Err(records.place().wrong(
            None,
            format!("{} in column {} ({})", quoted(text), at + 1, quoted(name)),
            "a finite number, or nothing where there is none",
            "Every column but query, document and grade is a feature: remove those that hold something else",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<PairFeatures, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("features.csv");
        fs_err::write(&path, text).unwrap();
        read_pair_features(&path, &Columns::default())
            .map_err(|error| error.to_string().replace(&path.display().to_string(), "FILE"))
    }

    #[test]
    fn a_grade_is_no_feature_and_an_empty_cell_no_zero() {
        let file = read("bm25;qid;doc_id;grade;clicks\n1.5;q1;d1;3;0\n;q1;d2;0;1e3\n-2;q2;d1;;\n").unwrap();
        assert_eq!(file.names, ["bm25", "clicks"]);
        assert_eq!(file.get("q1", "d1"), Some(&[Some(1.5), Some(0.0)][..]));
        assert_eq!(file.get("q1", "d2"), Some(&[None, Some(1000.0)][..]));
        assert_eq!(file.get("q2", "d1"), Some(&[Some(-2.0), None][..]));
        assert_eq!(file.get("q2", "d2"), None);
    }

    #[test]
    fn a_table_without_queries_is_about_documents() {
        let file = read("sku,title,price,stars\nd1,Boot,10,4.5\nd2,Shoe,,3\n").unwrap();
        assert_eq!(file.names, ["price", "stars"]);
        assert_eq!(file.get("q1", "d1"), Some(&[Some(10.0), Some(4.5)][..]));
        assert_eq!(file.get("q2", "d2"), Some(&[None, Some(3.0)][..]));
        let error = read("sku,price\nd1,1\nd1,2\n").unwrap_err();
        assert!(error.contains("FILE lines 2 and 3: both are about document d1"), "{error}");
        assert!(read("sku,price\nd1,cheap\n").unwrap_err().contains("\"cheap\" in column 2"));
    }

    #[test]
    fn what_is_no_table_of_features_is_named() {
        for (text, parts) in [
            ("query,document,x\nq1,d1,high\n", ["FILE line 2: found \"high\" in column 3 (\"x\")", "remove"]),
            ("query,document,x\nq1,d1,inf\n", ["FILE line 2", "a finite number"]),
            ("query,document,x\nq1,d1\n", ["FILE line 2: found 2 fields", "3 of the header"]),
            ("query,document,x\nq1,d1,1\nq1,d1,2\n", ["FILE lines 2 and 3", "query q1, document d1"]),
            ("query,x\nq1,1\n", ["no column for document", "--columns document=COLUMN"]),
            ("query,document\nq1,d1\n", ["no column of features", "The first line"]),
            ("query,document,x\n", ["no row of features", "The first line"]),
            ("", ["no row of features", "The first line"]),
            ("query,question,document,x\n", ["query could be", "--columns query=query"]),
        ] {
            let error = read(text).unwrap_err();
            assert!(parts.iter().all(|part| error.contains(part)), "{text:?}: {error}");
        }
    }
}

//! Judgment lists of LETOR and SVMrank: `grade qid:N 1:0.5 2:0.25 # document`.
//!
//! The format is that of SVMrank (Joachims 2006) and of LETOR's files (Qin et al. 2010). LightGBM, XGBoost and
//! scikit-learn read it; the lines of comments above it are those of SVMlight.

use std::io::Write;

use llull_core::Grade;

use crate::DataError;
use crate::trec::output;

/// A query of a judgment list.
#[derive(Debug, Clone, PartialEq)]
pub struct LetorQuery<'a> {
    /// The identifier.
    pub id: &'a str,
    /// The labelled documents.
    pub pairs: Vec<LetorPair<'a>>,
}

/// A labelled document of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct LetorPair<'a> {
    /// The document.
    pub document: &'a str,
    /// The grade.
    pub grade: Grade,
    /// The value of each feature; `None` if it has none, and then the line does not have it.
    pub features: Vec<Option<f64>>,
}

/// Writes a judgment list. Comments above it have the name of each feature and of each query by its number, from 1.
///
/// # Errors
/// Returns an error if an identifier or a name has a line end, a value is not finite, or `out` fails.
pub fn write_letor(
    features: &[String],
    queries: &[LetorQuery<'_>],
    out: &mut dyn Write,
) -> Result<(), DataError> {
    for (at, feature) in features.iter().enumerate() {
        writeln!(out, "# feature {} = {}", at + 1, on_one_line("feature", feature)?).map_err(output)?;
    }
    for (at, query) in queries.iter().enumerate() {
        writeln!(out, "# query {} = {}", at + 1, on_one_line("query", query.id)?).map_err(output)?;
    }
    for (at, query) in queries.iter().enumerate() {
        for pair in &query.pairs {
            write!(out, "{} qid:{}", pair.grade, at + 1).map_err(output)?;
            for (number, value) in pair.features.iter().enumerate() {
                let Some(value) = value else { continue };
                if !value.is_finite() {
                    let what = format!(
                        "the feature {:?} of document {:?} of query {:?}, {value},",
                        features.get(number).map_or("", String::as_str),
                        pair.document,
                        query.id
                    );
                    return Err(DataError::NoForm { what, format: "a judgment list" });
                }
                write!(out, " {}:{value}", number + 1).map_err(output)?;
            }
            writeln!(out, " # {}", on_one_line("document", pair.document)?).map_err(output)?;
        }
    }
    out.flush().map_err(output)
}

/// Returns a name without line ends, which a comment can hold.
fn on_one_line<'a>(what: &'static str, name: &'a str) -> Result<&'a str, DataError> {
    match name.contains(char::is_control) {
        false => Ok(name),
        true => Err(DataError::Name {
            what,
            name: name.to_owned(),
            because: "a control character may end the line",
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(features: &[String], queries: &[LetorQuery<'_>]) -> Result<String, String> {
        let mut bytes = Vec::new();
        write_letor(features, queries, &mut bytes).map_err(|error| error.to_string())?;
        Ok(String::from_utf8(bytes).unwrap())
    }

    fn pair(document: &str, grade: Grade, features: Vec<Option<f64>>) -> LetorPair<'_> {
        LetorPair { document, grade, features }
    }

    /// scikit-learn 1.9.1 reads this file: `load_svmlight_file(file, query_id=True)` has the grades 2, 0, 1, the
    /// queries 1, 1, 2, and the rows (7.5, 1), (0, 0), (0, 0.25).
    #[test]
    fn features_are_numbered_and_a_missing_one_is_absent() {
        let features = ["bm25 score", "bm25 1/rank"].map(str::to_owned);
        let queries = [
            LetorQuery {
                id: "q9",
                pairs: vec![pair("d 1", 2, vec![Some(7.5), Some(1.0)]), pair("d2", 0, vec![None, None])],
            },
            LetorQuery { id: "q1", pairs: vec![pair("d1", 1, vec![None, Some(0.25)])] },
        ];
        assert_eq!(
            written(&features, &queries).unwrap(),
            "# feature 1 = bm25 score\n# feature 2 = bm25 1/rank\n# query 1 = q9\n# query 2 = q1\n\
             2 qid:1 1:7.5 2:1 # d 1\n0 qid:1 # d2\n1 qid:2 2:0.25 # d1\n"
        );
    }

    #[test]
    fn what_breaks_a_line_is_refused() {
        let of = |id, document, value| {
            let query = LetorQuery { id, pairs: vec![pair(document, 1, vec![Some(value)])] };
            written(&["x".to_owned()], &[query])
        };
        assert!(of("q\n1", "d1", 1.0).unwrap_err().contains("the query \"q\\n1\""));
        assert!(of("q1", "d\r1", 1.0).unwrap_err().contains("the document \"d\\r1\""));
        assert!(of("q1", "d1", f64::NEG_INFINITY).unwrap_err().contains("document \"d1\" of query \"q1\""));
    }
}

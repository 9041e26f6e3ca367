//! Labels and runs as `{query: {document: number}}`.
//!
//! pytrec_eval takes it as it is, ranx by `Qrels.from_file` and `Run.from_file`.

use std::io::Write;

use llull_core::{Qrels, Run};
use serde_json::Value;

use super::table::json_number;
use crate::DataError;
use crate::trec::output;

/// Writes labels as `{query: {document: grade}}`, a query on each line. Dropped pairs are not written.
///
/// # Errors
/// Returns an error if `out` fails.
pub fn write_labels_json(labels: &Qrels, out: &mut dyn Write) -> Result<(), DataError> {
    let queries = labels.iter().map(|(query, documents)| {
        (query, documents.iter().map(|(document, grade)| Ok((document, Value::from(*grade)))))
    });
    write(queries, out)
}

/// Writes a run as `{query: {document: score}}`, a query on each line, best documents first.
///
/// # Errors
/// Returns an error if `out` fails, or a score is infinite.
pub fn write_run_json(run: &Run, out: &mut dyn Write) -> Result<(), DataError> {
    let queries = run.iter().map(|(query, ranking)| {
        (query, ranking.iter().map(|hit| Ok((hit.document, json_number(hit.score)?))))
    });
    write(queries, out)
}

fn write<'a, D: Iterator<Item = Result<(&'a str, Value), DataError>>>(
    queries: impl Iterator<Item = (&'a str, D)>,
    out: &mut dyn Write,
) -> Result<(), DataError> {
    let mut before = "{\n";
    for (query, documents) in queries {
        write!(out, "{before}{}: {{", Value::from(query)).map_err(output)?;
        let mut comma = "";
        for entry in documents {
            let (document, value) = entry?;
            write!(out, "{comma}{}: {value}", Value::from(document)).map_err(output)?;
            comma = ", ";
        }
        out.write_all(b"}").map_err(output)?;
        before = ",\n";
    }
    out.write_all(if before == "{\n" { b"{}\n" } else { b"\n}\n" }).map_err(output)?;
    out.flush().map_err(output)
}

#[cfg(test)]
mod tests {
    use llull_core::Ranking;

    use super::*;

    #[test]
    fn a_query_is_a_line() {
        let mut labels = Qrels::default();
        labels.insert("q\"1", "d1", 2);
        labels.insert("q\"1", "d2", -1);
        labels.insert("q2", "d1", 0);
        let mut bytes = Vec::new();
        write_labels_json(&labels, &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(text, "{\n\"q\\\"1\": {\"d1\": 2, \"d2\": -1},\n\"q2\": {\"d1\": 0}\n}\n");
        let mut none = Vec::new();
        write_labels_json(&Qrels::default(), &mut none).unwrap();
        assert_eq!(none, b"{}\n");
    }

    #[test]
    fn a_run_is_in_its_order() {
        let mut run = Run::new("bm25");
        run.insert("q1", Ranking::from_scored([("a", 0.1), ("b", 3.0)]));
        let mut bytes = Vec::new();
        write_run_json(&run, &mut bytes).unwrap();
        assert_eq!(bytes, b"{\n\"q1\": {\"b\": 3.0, \"a\": 0.1}\n}\n");
        run.insert("q2", Ranking::from_scored([("a", f64::INFINITY)]));
        assert!(write_run_json(&run, &mut Vec::new()).is_err());
    }
}

//! One row a figure: JSON lines, CSV, and trec_eval's three columns.

use std::io::{self, Write};

use serde::Serialize;

/// The figures of one system.
pub(super) struct SystemRows<'a> {
    /// The system.
    pub(super) run: &'a str,
    /// What was measured, by column.
    pub(super) columns: Vec<Column>,
    /// A topic with its figures, one a column; `None` where a measure has none there.
    pub(super) topics: Vec<(&'a str, Vec<Option<f64>>)>,
    /// The figures over all topics, one a column; `None` where there is none.
    pub(super) overall: Vec<Option<f64>>,
}

/// A measure as it is called.
pub(super) struct Column {
    /// By llull.
    pub(super) name: String,
    /// By trec_eval, where it has the measure.
    pub(super) trec_eval: Option<String>,
    /// Whether it counts, and so is printed as a whole number.
    pub(super) counts: bool,
    /// Whether it is said of a run only and of none of its topics.
    pub(super) of_run: bool,
}

#[derive(Serialize)]
struct Line<'a> {
    run: &'a str,
    measure: &'a str,
    query: Option<&'a str>,
    value: Option<f64>,
}

impl SystemRows<'_> {
    /// Topics first if they are wanted, then what is over all of them.
    fn lines(&self, per_query: bool) -> impl Iterator<Item = (&Column, Line<'_>)> {
        let topics = self.topics.iter().filter(move |_| per_query);
        let rows = topics.map(|(topic, values)| (Some(*topic), values)).chain([(None, &self.overall)]);
        rows.flat_map(move |(query, values)| {
            let cells = self.columns.iter().zip(values);
            cells.filter(move |(column, _)| query.is_none() || !column.of_run).map(move |(column, value)| {
                (column, Line { run: self.run, measure: &column.name, query, value: *value })
            })
        })
    }
}

/// One object a line: `{"run","measure","query","value"}`.
pub(super) fn jsonl(systems: &[SystemRows<'_>], per_query: bool, out: &mut dyn Write) -> io::Result<()> {
    for (_, line) in systems.iter().flat_map(|system| system.lines(per_query)) {
        serde_json::to_writer(&mut *out, &line)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// The same columns under a header (RFC 4180); what is null there is empty here.
pub(super) fn csv(systems: &[SystemRows<'_>], per_query: bool, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "run,measure,query,value")?;
    for (_, line) in systems.iter().flat_map(|system| system.lines(per_query)) {
        let value = line.value.map(|value| value.to_string()).unwrap_or_default();
        let query = field(line.query.unwrap_or_default());
        writeln!(out, "{},{},{query},{value}", field(line.run), field(line.measure))?;
    }
    Ok(())
}

/// A field as CSV has it: in quotes where it needs them.
fn field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// trec_eval's `%-22s\t%s\t%6.4f`, a run's name first. A figure that is not there has no line.
pub(super) fn trec(systems: &[SystemRows<'_>], per_query: bool, out: &mut dyn Write) -> io::Result<()> {
    for system in systems {
        let mut named = false;
        for (column, line) in system.lines(per_query) {
            if line.query.is_none() && !std::mem::replace(&mut named, true) {
                writeln!(out, "{:<22}\tall\t{}", "runid", system.run)?;
            }
            let Some(value) = line.value else { continue };
            let name = column.trec_eval.as_deref().unwrap_or(line.measure);
            let query = line.query.unwrap_or("all");
            if column.counts {
                writeln!(out, "{name:<22}\t{query}\t{value:.0}")?;
            } else {
                writeln!(out, "{name:<22}\t{query}\t{value:6.4}")?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(run: &str) -> SystemRows<'_> {
        let column = |name: &str, trec_eval: Option<&str>, counts, of_run| Column {
            name: name.into(),
            trec_eval: trec_eval.map(str::to_owned),
            counts,
            of_run,
        };
        SystemRows {
            run,
            columns: vec![
                column("NumQ", Some("num_q"), true, true),
                column("AP", Some("map"), false, false),
                column("nDCG(gains={1:2,2:9})@10", None, false, false),
            ],
            topics: vec![("q,1", vec![Some(1.0), Some(0.5), None])],
            overall: vec![Some(1.0), Some(0.5), None],
        }
    }

    fn written(
        write: impl Fn(&[SystemRows<'_>], bool, &mut dyn Write) -> io::Result<()>,
        per_query: bool,
    ) -> String {
        let mut out = Vec::new();
        write(&[rows("a \"b\"")], per_query, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_name_with_a_comma_or_a_quotation_mark_is_one_field() {
        assert_eq!(
            written(csv, true),
            "run,measure,query,value\n\"a \"\"b\"\"\",AP,\"q,1\",0.5\n\"a \"\"b\"\"\",\"nDCG(gains={1:2,2:9})@10\",\"q,1\",\n\
             \"a \"\"b\"\"\",NumQ,,1\n\"a \"\"b\"\"\",AP,,0.5\n\"a \"\"b\"\"\",\"nDCG(gains={1:2,2:9})@10\",,\n"
        );
    }

    #[test]
    fn json_lines_have_a_null_query_for_the_mean_and_a_null_value_for_none() {
        assert_eq!(
            written(jsonl, false),
            "{\"run\":\"a \\\"b\\\"\",\"measure\":\"NumQ\",\"query\":null,\"value\":1.0}\n\
             {\"run\":\"a \\\"b\\\"\",\"measure\":\"AP\",\"query\":null,\"value\":0.5}\n\
             {\"run\":\"a \\\"b\\\"\",\"measure\":\"nDCG(gains={1:2,2:9})@10\",\"query\":null,\"value\":null}\n"
        );
    }

    #[test]
    fn trec_eval_has_counts_whole_and_no_line_for_what_is_missing() {
        assert_eq!(
            written(trec, true),
            "map                   \tq,1\t0.5000\nrunid                 \tall\ta \"b\"\nnum_q                 \tall\t1\nmap                   \tall\t0.5000\n"
        );
    }
}

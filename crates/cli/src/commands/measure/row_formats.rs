//! Prints one row for each figure: JSON lines, CSV, trec_eval's columns.

use std::io::{self, Write};

use anyhow::Result;
use llull::data::{Cell, SheetFormat, write_row};
use serde::Serialize;

use super::rows::{Column, SystemRows};
use crate::args::{Format, MeasureArgs};
use crate::commands::Context;

/// Groups of measures with which trec_eval prints the run's name, too.
const NICKNAMES: [&str; 5] = ["official", "all_trec", "qrels_jg", "prefs", "all_prefs"];

/// Prints figures in a format with one row for each.
pub(super) fn write_rows(
    context: &Context,
    args: &MeasureArgs,
    format: Format,
    systems: &mut [SystemRows<'_>],
) -> Result<()> {
    write_rows_of(context, &args.measures, args.per_query, format, (systems, None))
}

/// Returns the number of a query's questions that a model made, or of all queries'.
pub(crate) type SyntheticCount<'a> = &'a dyn Fn(Option<&str>) -> usize;

/// Prints figures by these measures, under their written names, in a format with one row for each. If the number of
/// questions by models is known, each row has it.
pub(crate) fn write_rows_of(
    context: &Context,
    measures: &[String],
    per_query: bool,
    format: Format,
    (systems, synthetic): (&mut [SystemRows<'_>], Option<SyntheticCount<'_>>),
) -> Result<()> {
    let nicknamed = measures.is_empty() || measures.iter().any(|name| NICKNAMES.contains(&name.as_str()));
    let with_runid = nicknamed || systems.len() > 1;
    if format == Format::Trec {
        // trec_eval's order: by the bytes of the query's id, whatever the order in the files
        for system in systems.iter_mut() {
            system.topics.sort_by(|a, b| a.topic.cmp(b.topic));
        }
    }
    let one_called_all = systems.iter().flat_map(|system| &system.topics).any(|topic| topic.topic == ALL);
    if per_query && one_called_all && format != Format::Jsonl {
        context.printer.warn(
            "a query is called \"all\", which is also what the rows of means are called; --format jsonl tells them \
             apart",
        );
    }
    context.printer.stream(|out| match format {
        Format::Csv => csv(systems, per_query, synthetic, out),
        Format::Trec => trec(systems, per_query, with_runid, out),
        _ => jsonl(systems, per_query, synthetic, out),
    })?;
    Ok(())
}

#[derive(Serialize)]
struct Line<'a> {
    run: &'a str,
    measure: &'a str,
    query: Option<&'a str>,
    value: Option<f64>,
    /// How many of the questions behind the figure were made by a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    synthetic: Option<usize>,
}

impl SystemRows<'_> {
    /// The figures of each query, if they are wanted, then those over all queries.
    fn lines(&self, per_query: bool) -> impl Iterator<Item = (&Column, Line<'_>)> {
        let topics = self.topics.iter().filter(move |_| per_query).flat_map(move |topic| {
            let cells = self.columns.iter().zip(&topic.values);
            cells.map(move |(column, value)| (column, self.line(column, Some(topic.topic), *value)))
        });
        let overall = self.columns.iter().zip(&self.overall);
        topics.chain(overall.map(|(column, overall)| (column, self.line(column, None, overall.value))))
    }

    fn line<'b>(&'b self, column: &'b Column, query: Option<&'b str>, value: Option<f64>) -> Line<'b> {
        Line { run: self.run, measure: &column.name, query, value, synthetic: None }
    }
}

/// One object a line: `{"run","measure","query","value"}`.
fn jsonl(
    systems: &[SystemRows<'_>],
    per_query: bool,
    synthetic: Option<SyntheticCount<'_>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (_, line) in systems.iter().flat_map(|system| system.lines(per_query)) {
        let line = Line { synthetic: synthetic.map(|of| of(line.query)), ..line };
        serde_json::to_writer(&mut *out, &line)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// The name of the mean over all queries where a column holds the query, as in trec_eval's output. An empty field would
/// make numbers of a column of identifiers: `12` becomes `12.0` wherever one of them is missing.
const ALL: &str = "all";

/// The same columns under a header (RFC 4180). The query of a mean is `all`; a figure that does not exist is empty.
fn csv(
    systems: &[SystemRows<'_>],
    per_query: bool,
    synthetic: Option<SyntheticCount<'_>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut names = vec!["run", "measure", "query", "value"];
    names.extend(synthetic.is_some().then_some("synthetic"));
    let names: Vec<Cell<'_>> = names.into_iter().map(Cell::Value).collect();
    write_row(out, SheetFormat::Commas, &names)?;
    for (_, line) in systems.iter().flat_map(|system| system.lines(per_query)) {
        let value = line.value.map(|value| value.to_string()).unwrap_or_default();
        let synthetic = synthetic.map(|of| of(line.query).to_string());
        let query = line.query.unwrap_or(ALL);
        let mut cells =
            vec![Cell::Text(line.run), Cell::Text(line.measure), Cell::Text(query), Cell::Value(&value)];
        cells.extend(synthetic.as_deref().map(Cell::Value));
        write_row(out, SheetFormat::Commas, &cells)?;
    }
    Ok(())
}

/// trec_eval's `%-22s\t%s\t%6.4f`, with the run's name before the figures over all queries. A missing figure has no
/// line.
fn trec(
    systems: &[SystemRows<'_>],
    per_query: bool,
    with_runid: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    for system in systems {
        let mut named = !with_runid;
        for (column, line) in system.lines(per_query) {
            if line.query.is_none() && !std::mem::replace(&mut named, true) {
                writeln!(out, "{:<22}\tall\t{}", "runid", system.run)?;
                if system.prints_query_count {
                    writeln!(out, "{:<22}\tall\t{}", "num_q", system.topics.len())?;
                }
            }
            let Some(value) = line.value.filter(|_| line.query.is_none() || !column.of_run) else { continue };
            let (name, query) = (&column.trec_eval, line.query.unwrap_or(ALL));
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
    use crate::commands::measure::rows::{Overall, TopicRow};

    fn rows(run: &str) -> SystemRows<'_> {
        let column = |name: &str, trec_eval: &str, counts, of_run| Column {
            name: name.into(),
            trec_eval: trec_eval.into(),
            counts,
            of_run,
            ascending: false,
        };
        let values = [Some(1.0), Some(0.5), None];
        SystemRows {
            run,
            columns: vec![
                column("NumQ", "num_q", true, true),
                column("AP", "map", false, false),
                column("nDCG(gains={1:2,2:9})@10", "nDCG(gains={1:2,2:9})@10", false, false),
            ],
            topics: vec![TopicRow { topic: "q,1", judges: None, values: values.to_vec() }],
            overall: values.map(|value| Overall { value, n: 1, unjudged: None, left_out: None }).into(),
            missing: 0,
            prints_query_count: false,
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
            written(|rows, per_query, out| csv(rows, per_query, None, out), true),
            "run,measure,query,value\n\"a \"\"b\"\"\",NumQ,\"q,1\",1\n\"a \"\"b\"\"\",AP,\"q,1\",0.5\n\
             \"a \"\"b\"\"\",\"nDCG(gains={1:2,2:9})@10\",\"q,1\",\n\
             \"a \"\"b\"\"\",NumQ,all,1\n\"a \"\"b\"\"\",AP,all,0.5\n\
             \"a \"\"b\"\"\",\"nDCG(gains={1:2,2:9})@10\",all,\n"
        );
    }

    #[test]
    fn a_run_or_a_query_that_looks_like_a_formula_is_marked() {
        let mut rows = rows("see;=cmd|' /C calc'!A0");
        rows.topics[0].topic = "=q0";
        let mut out = Vec::new();
        csv(&[rows], true, None, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.starts_with("run,measure,query,value\n\"see;'=cmd|' /C calc'!A0\",NumQ,'=q0,1\n"),
            "{text}"
        );
    }

    #[test]
    fn json_lines_have_a_null_query_for_the_mean_and_a_null_value_for_none() {
        assert_eq!(
            written(|rows, per_query, out| jsonl(rows, per_query, None, out), false),
            "{\"run\":\"a \\\"b\\\"\",\"measure\":\"NumQ\",\"query\":null,\"value\":1.0}\n\
             {\"run\":\"a \\\"b\\\"\",\"measure\":\"AP\",\"query\":null,\"value\":0.5}\n\
             {\"run\":\"a \\\"b\\\"\",\"measure\":\"nDCG(gains={1:2,2:9})@10\",\"query\":null,\"value\":null}\n"
        );
    }

    #[test]
    fn trec_eval_has_counts_whole_and_no_line_for_what_is_missing() {
        assert_eq!(
            written(|rows, per_query, out| trec(rows, per_query, true, out), true),
            "map                   \tq,1\t0.5000\nrunid                 \tall\ta \"b\"\n\
             num_q                 \tall\t1\nmap                   \tall\t0.5000\n"
        );
    }
}

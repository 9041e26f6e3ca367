//! One row a figure: JSON lines, CSV, and trec_eval's three columns.

use std::io::{self, Write};

use anyhow::Result;
use llull::metrics::{
    Aggregation, DiversityScores, JudgesScores, PreferenceScores, Relevant, Scores, TopicFigures,
    TrecEvalMeasure, ZScores,
};
use serde::Serialize;

use crate::args::{MeasureArgs, MeasureFormat};
use crate::commands::Context;

/// The figures of one system.
pub(super) struct SystemRows<'a> {
    /// The system.
    pub(super) run: &'a str,
    /// What was measured, by column.
    pub(super) columns: Vec<Column>,
    /// What it has on each topic.
    pub(super) topics: Vec<TopicRow<'a>>,
    /// What it has over all queries, one a column.
    pub(super) overall: Vec<Overall>,
    /// How many queries it does not answer.
    pub(super) missing: usize,
    /// Whether trec_eval says how many queries there are without being asked.
    says_topics: bool,
}

/// The figures of one topic.
pub(super) struct TopicRow<'a> {
    pub(super) topic: &'a str,
    /// How many judges its figures are means over, where there may be several.
    pub(super) judges: Option<u32>,
    /// One a column; `None` where a measure has none there.
    pub(super) values: Vec<Option<f64>>,
}

/// A figure over all topics.
pub(super) struct Overall {
    /// `None` where there is none.
    pub(super) value: Option<f64>,
    /// Over how many topics.
    pub(super) n: usize,
    /// How many documents the measure looked at, and how many of them have no label, where that is known.
    pub(super) unjudged: Option<(u64, u64)>,
    /// How many queries have no z-score, and are in no mean.
    pub(super) left_out: Option<usize>,
}

/// A measure as it is called.
pub(super) struct Column {
    /// By llull.
    pub(super) name: String,
    /// By trec_eval, or the same.
    pub(super) trec_eval: String,
    /// Whether it counts, and so is printed as a whole number.
    pub(super) counts: bool,
    /// Whether trec_eval has no figure of a query, only of a run.
    pub(super) of_run: bool,
}

impl Column {
    fn new(named: &TrecEvalMeasure) -> Self {
        let TrecEvalMeasure { name, measure } = named;
        Self {
            name: measure.to_string(),
            trec_eval: name.clone(),
            counts: measure.aggregation() == Aggregation::Sum,
            of_run: !measure.has_topic_figures(),
        }
    }
}

impl<'a> SystemRows<'a> {
    /// Under one set of labels.
    pub(super) fn of_scores(scores: &'a Scores, named: &[TrecEvalMeasure], answered_only: bool) -> Self {
        Self::new(scores, named.iter().map(Column::new), |_| None, answered_only)
    }

    /// Under the labels of several judges.
    pub(super) fn of_judges(
        scores: &'a JudgesScores,
        named: &[TrecEvalMeasure],
        level: Relevant,
        answered_only: bool,
    ) -> Self {
        let columns = named.iter().map(|named| {
            let trec_eval = named.measure.trec_eval_name_over_judges(level);
            Column { trec_eval: trec_eval.unwrap_or_else(|| named.name.clone()), ..Column::new(named) }
        });
        Self::new(scores, columns, |topic| Some(topic.judges), answered_only)
            .that_says_topics()
            .with_unjudged(|at| scores.unjudged(at))
    }

    /// Under preferences.
    pub(super) fn of_preferences(scores: &'a PreferenceScores, answered_only: bool) -> Self {
        let columns = scores.measures.iter().map(|measure| Column {
            name: measure.name().to_owned(),
            trec_eval: measure.name().to_owned(),
            counts: measure.aggregation() == Aggregation::Sum,
            of_run: false,
        });
        Self::new(scores, columns, |topic| Some(topic.groups), answered_only).that_says_topics()
    }

    /// Under labels of subtopics.
    pub(super) fn of_diversity(scores: &'a DiversityScores, answered_only: bool) -> Self {
        let columns = scores.measures.iter().map(|measure| {
            let name = measure.to_string();
            Column { trec_eval: name.clone(), name, counts: false, of_run: false }
        });
        Self::new(scores, columns, |_| None, answered_only)
            .that_says_topics()
            .with_unjudged(|at| scores.unjudged(at))
    }

    fn new<T: TopicFigures>(
        scores: &'a Scores<T>,
        columns: impl Iterator<Item = Column>,
        judges: impl Fn(&T) -> Option<u32>,
        answered_only: bool,
    ) -> Self {
        let columns: Vec<Column> = columns.collect();
        let topics = scores.topics.iter().filter(|topic| topic.answered() || !answered_only);
        let topics: Vec<TopicRow<'a>> = topics
            .map(|topic| TopicRow {
                topic: topic.topic(),
                judges: judges(topic),
                values: (0..columns.len()).map(|at| Some(topic.value(at))).collect(),
            })
            .collect();
        let overall = |at| Overall {
            value: if answered_only { scores.mean_of_answered(at) } else { scores.mean(at) },
            n: topics.len(),
            unjudged: None,
            left_out: None,
        };
        Self {
            run: &scores.run,
            overall: (0..columns.len()).map(overall).collect(),
            missing: scores.missing(),
            says_topics: false,
            columns,
            topics,
        }
    }

    fn that_says_topics(self) -> Self {
        Self { says_topics: true, ..self }
    }

    fn with_unjudged(mut self, unjudged: impl Fn(usize) -> (u64, u64)) -> Self {
        for (at, overall) in self.overall.iter_mut().enumerate() {
            overall.unjudged = Some(unjudged(at));
        }
        self
    }

    /// Z-scores. A query without one is not in the mean.
    pub(super) fn of_z_scores(scores: &'a ZScores, named: &[TrecEvalMeasure], answered_only: bool) -> Self {
        let topics = || scores.topics.iter().filter(|topic| topic.answered || !answered_only);
        let rows = topics().map(|topic| {
            let values = topic.cells.iter().map(|cell| cell.value()).collect();
            TopicRow { topic: &topic.topic, judges: None, values }
        });
        let figure = |at| {
            let figure = if answered_only { scores.mean_of_answered(at) } else { scores.mean(at) };
            let topics = topics().count();
            Overall {
                value: figure.map(|figure| figure.value),
                n: figure.map_or(0, |figure| figure.topics),
                unjudged: None,
                left_out: Some(figure.map_or(topics, |figure| figure.missing)),
            }
        };
        let columns = named.iter().map(|named| Column {
            name: format!("Z({})", named.measure),
            // Its own padding: Z goes before a name that is padded already.
            trec_eval: format!("Z{:<22}", named.name),
            counts: false,
            of_run: !named.measure.has_topic_figures(),
        });
        Self {
            run: &scores.run,
            columns: columns.collect(),
            topics: rows.collect(),
            overall: (0..named.len()).map(figure).collect(),
            missing: scores.topics.iter().filter(|topic| !topic.answered).count(),
            says_topics: false,
        }
    }

    /// Queries first if they are wanted, then what is over all of them.
    fn lines(&self, per_query: bool) -> impl Iterator<Item = (&Column, Line<'_>)> {
        let topics = self.topics.iter().filter(move |_| per_query).flat_map(move |topic| {
            let cells = self.columns.iter().zip(&topic.values);
            cells.map(move |(column, value)| (column, self.line(column, Some(topic.topic), *value)))
        });
        let overall = self.columns.iter().zip(&self.overall);
        topics.chain(overall.map(|(column, overall)| (column, self.line(column, None, overall.value))))
    }

    fn line<'b>(&'b self, column: &'b Column, query: Option<&'b str>, value: Option<f64>) -> Line<'b> {
        Line { run: self.run, measure: &column.name, query, value }
    }
}

#[derive(Serialize)]
struct Line<'a> {
    run: &'a str,
    measure: &'a str,
    query: Option<&'a str>,
    value: Option<f64>,
}

/// One object a line: `{"run","measure","query","value"}`.
fn jsonl(systems: &[SystemRows<'_>], per_query: bool, out: &mut dyn Write) -> io::Result<()> {
    for (_, line) in systems.iter().flat_map(|system| system.lines(per_query)) {
        serde_json::to_writer(&mut *out, &line)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// The same columns under a header (RFC 4180); what is null there is empty here.
fn csv(systems: &[SystemRows<'_>], per_query: bool, out: &mut dyn Write) -> io::Result<()> {
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

/// trec_eval's `%-22s\t%s\t%6.4f`, with the name of the run before what is over all topics. A figure that is not
/// there has no line.
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
                if system.says_topics {
                    writeln!(out, "{:<22}\tall\t{}", "num_q", system.topics.len())?;
                }
            }
            let Some(value) = line.value.filter(|_| line.query.is_none() || !column.of_run) else { continue };
            let (name, query) = (&column.trec_eval, line.query.unwrap_or("all"));
            if column.counts {
                writeln!(out, "{name:<22}\t{query}\t{value:.0}")?;
            } else {
                writeln!(out, "{name:<22}\t{query}\t{value:6.4}")?;
            }
        }
    }
    Ok(())
}

/// Nicknames under which trec_eval prints the run's name, too.
const NICKNAMES: [&str; 5] = ["official", "all_trec", "qrels_jg", "prefs", "all_prefs"];

/// The forms that have a row a figure.
pub(super) fn write_rows(
    context: &Context,
    args: &MeasureArgs,
    format: MeasureFormat,
    systems: &mut [SystemRows<'_>],
) -> Result<()> {
    let nicknamed =
        args.measures.is_empty() || args.measures.iter().any(|name| NICKNAMES.contains(&name.as_str()));
    let with_runid = nicknamed || systems.len() > 1;
    if format == MeasureFormat::Trec {
        // trec_eval's order: by the bytes of the query, whatever that in the files is
        for system in systems.iter_mut() {
            system.topics.sort_by(|a, b| a.topic.cmp(b.topic));
        }
    }
    context.printer.stream(|out| match format {
        MeasureFormat::Csv => csv(systems, args.per_query, out),
        MeasureFormat::Trec => trec(systems, args.per_query, with_runid, out),
        _ => jsonl(systems, args.per_query, out),
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(run: &str) -> SystemRows<'_> {
        let column = |name: &str, trec_eval: &str, counts, of_run| Column {
            name: name.into(),
            trec_eval: trec_eval.into(),
            counts,
            of_run,
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
            says_topics: false,
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
            "run,measure,query,value\n\"a \"\"b\"\"\",NumQ,\"q,1\",1\n\"a \"\"b\"\"\",AP,\"q,1\",0.5\n\"a \
             \"\"b\"\"\",\"nDCG(gains={1:2,2:9})@10\",\"q,1\",\n\
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
            written(|rows, per_query, out| trec(rows, per_query, true, out), true),
            "map                   \tq,1\t0.5000\nrunid                 \tall\ta \"b\"\nnum_q                 \
             \tall\t1\nmap                   \tall\t0.5000\n"
        );
    }
}

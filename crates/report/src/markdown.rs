//! The report as Markdown.

use std::io::Write;

use llull_label::TierScheme;
use minijinja::{Environment, Error, Value};
use serde::{Deserialize, Serialize};

use crate::differing::{DifferingPair, HereAndThere, JudgeReason, PairReasons, reason_text};
use crate::error::ReportError;
use crate::export::{Exporter, Markdown};
use crate::gates::gate_table;
use crate::panel::PanelSection;
use crate::reference::ReferenceSection;
use crate::study::is_graded;
use crate::systems::without_interval;
use crate::template::{environment, render};
use crate::text::{ABSENT, count, escape, shorten};
use crate::view::{KeptTopic, Named, ReportView};

const TEMPLATE: &str = include_str!("../templates/report.md.j2");
/// How long a query's text and a document's title may be, in characters.
const NAME: usize = 60;
/// The most characters of a judge's reason where the judges are split.
const REASON: usize = 160;

/// Failed checks and the decision in bold, then the reliability of the labels, then the sections.
impl Exporter<ReportView<'_>> for Markdown<'_> {
    fn export(&self, view: &ReportView<'_>, out: &mut dyn Write) -> Result<(), ReportError> {
        let (limits, tournaments) = (&view.limits, view.tournaments);
        let figure = view.systems.first().and_then(|system| system.figures.first());
        let judges = view.study.judges.iter().enumerate();
        let queries = &view.topics.first;
        let text = Text {
            view,
            gate_table: if view.gates.is_empty() {
                String::new()
            } else {
                gate_table(&view.gates).markdown()
            },
            links: self.charts.iter().map(|chart| Link { title: &chart.title, name: &chart.name }).collect(),
            without_interval: figure.and_then(|figure| without_interval(figure.n, figure.confidence)),
            differing: differing_rows(view.reference, limits.disagreements),
            split: split_rows(view.panel, limits.disagreements),
            under_both_tables: view
                .under_both
                .iter()
                .map(|table| (table.table.markdown(), &*table.note))
                .collect(),
            graders: judges.filter(|(_, judge)| is_graded(&judge.paradigm)).map(|(at, _)| at).collect(),
            on_scale: tournaments.is_none_or(|found| found.setup.labels.parse() == Ok(TierScheme::Anchored)),
            queries: &queries[..queries.len().min(limits.markdown_topics)],
        };
        let rendered = template().and_then(|template| render(&template, "report.md", &text));
        let text = rendered.map_err(ReportError::Template)?;
        out.write_all(text.as_bytes()).map_err(ReportError::Write)
    }
}

/// What the Markdown has and the page has not.
#[derive(Serialize)]
struct Text<'a> {
    #[serde(flatten)]
    view: &'a ReportView<'a>,
    /// The gates as a table.
    gate_table: String,
    /// Files next to this one.
    links: Vec<Link<'a>>,
    /// Why figures have no interval.
    without_interval: Option<String>,
    /// The labels that differ most from the reference's.
    differing: Vec<PairRow>,
    /// The pairs on which the judges of a panel are split.
    split: Vec<PairRow>,
    /// The systems under these labels and under the reference: tables, each with a sentence.
    under_both_tables: Vec<(String, &'a str)>,
    /// The judges that grade one document at a time, by their place in the study.
    graders: Vec<usize>,
    /// Whether the labels are grades of the rubric, and not places in an order.
    on_scale: bool,
    /// The queries that are shown.
    queries: &'a [KeptTopic],
}

#[derive(Serialize)]
struct Link<'a> {
    title: &'a str,
    name: &'a str,
}

/// A pair on which the labels and the reference, or the judges of a panel, differ.
#[derive(Debug, Serialize)]
struct PairRow {
    query: String,
    document: String,
    label: i32,
    /// The grade of the reference; none for judges.
    there: Option<i32>,
    best_rank: Option<usize>,
    /// The judges' answers with their reasons.
    why: String,
}

/// The first pairs on which the labels and the reference differ, with the reasons of the study's judges.
fn differing_rows(reference: Option<&ReferenceSection>, most: usize) -> Vec<PairRow> {
    let pairs = reference.into_iter().flat_map(|reference| &reference.disagreements.listed);
    let said = |judge: &JudgeReason| {
        let grade = judge.grade.map_or_else(String::new, |grade| format!(" {grade}"));
        Some(format!("{}{grade}: {}", judge.judge, reason_text(judge)?))
    };
    let of_pair = |pair: &DifferingPair<HereAndThere>| PairRow {
        there: Some(pair.sides.there.grade),
        ..row(pair, &pair.sides.here, said)
    };
    pairs.take(most).map(of_pair).collect()
}

/// The first pairs on which grades are split.
fn split_rows(panel: Option<&PanelSection>, most: usize) -> Vec<PairRow> {
    let pairs = panel.into_iter().flat_map(|panel| &panel.ambiguous.listed);
    let said = |judge: &JudgeReason| {
        let grade = judge.grade?;
        Some(match reason_text(judge) {
            Some(reason) => format!("{} {grade}: {}", judge.judge, shorten(&reason, REASON)),
            None => format!("{} {grade}", judge.judge),
        })
    };
    pairs.take(most).map(|pair| row(pair, &pair.sides, said)).collect()
}

fn row<S>(
    pair: &DifferingPair<S>,
    label: &PairReasons,
    said: impl Fn(&JudgeReason) -> Option<String>,
) -> PairRow {
    let with = |id: &str, text: Option<&String>| match text {
        Some(text) => format!("{id}: {}", shorten(text, NAME)),
        None => id.to_owned(),
    };
    PairRow {
        query: with(&pair.query, pair.query_text.as_ref()),
        document: with(&pair.document, pair.title.as_ref()),
        label: label.grade,
        there: None,
        best_rank: pair.best_rank,
        why: label.judges.iter().filter_map(said).collect::<Vec<_>>().join(" - "),
    }
}

/// The template. Printed text is [escaped](escape), but for figures, which hold nothing from outside.
fn template() -> Result<Environment<'static>, Error> {
    let figure = Value::from_safe_string;
    let mut environment = environment(figure, escape)?;
    environment.add_filter("grade", move |value: Option<i64>| {
        figure(value.map_or_else(|| ABSENT.to_owned(), |grade| grade.to_string()))
    });
    environment.add_filter("milliseconds", move |value: u64| figure(format!("{} ms", count(value))));
    environment.add_filter("names", |value: Value| Ok(Named::deserialize(value)?.listed()));
    environment.add_filter("listed", |value: Value| Ok(Named::of(&Vec::deserialize(value)?).listed()));
    environment.add_template("report.md", TEMPLATE)?;
    Ok(environment)
}

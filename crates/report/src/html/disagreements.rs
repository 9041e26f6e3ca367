//! The worst disagreements: with the reference, and between judges.

use std::collections::BTreeMap;

use serde::Serialize;

use super::anchors::QueryLinks;
use super::query_section::GradeScale;
use super::template::templates;
use crate::differing::{DifferingPair, JudgeReason};
use crate::error::ReportError;
use crate::report::Report;
use crate::template::render;
use crate::text::{count, counted, shorten};
use crate::view::{Limits, ReportView};

/// How many pairs are listed.
const LISTED: usize = 10;
/// The most characters of a query's text and of a title.
const TEXT: usize = 100;

/// A list of pairs, the largest difference first.
#[derive(Serialize)]
pub(super) struct Disagreements {
    title: String,
    /// Who else graded.
    other: String,
    rows: Vec<Disagreement>,
    /// How many pairs differ.
    count: String,
}

#[derive(Serialize)]
struct Disagreement {
    query: String,
    link: Option<String>,
    document: String,
    grade: i32,
    level: Option<u32>,
    /// The other grades.
    others: String,
}

/// Returns the worst disagreements as HTML that is part of a page; empty without any. `link` is the address of a query.
///
/// # Errors
/// Returns [`ReportError::Html`] if the template fails, which no report should cause.
pub fn disagreements_html(
    report: &Report<()>,
    link: impl Fn(&str) -> Option<String>,
) -> Result<String, ReportError> {
    let view = ReportView::sections(report, Limits::default());
    let view = DisagreementsView { disagreements: lists(&view, &link) };
    let templates = templates().map_err(ReportError::Html)?;
    render(&templates, "disagreements.html", &view).map_err(ReportError::Html)
}

/// The values of the part alone.
#[derive(Serialize)]
struct DisagreementsView {
    disagreements: Vec<Disagreements>,
}

/// Returns the disagreements with the reference and those between judges, with links to queries.
pub(super) fn disagreements(view: &ReportView<'_>, links: &QueryLinks) -> Vec<Disagreements> {
    let numbers: BTreeMap<&str, usize> =
        view.topics.measured.iter().map(|query| (query.id.as_str(), query.number)).collect();
    lists(view, &|query: &str| links.to(*numbers.get(query)?))
}

fn lists(view: &ReportView<'_>, link: &impl Fn(&str) -> Option<String>) -> Vec<Disagreements> {
    let mut lists = Vec::new();
    if let Some(reference) = view.reference {
        let found = &reference.disagreements;
        let rows = found.listed.iter().take(LISTED);
        let other = shorten(&reference.name, TEXT);
        lists.push(Disagreements {
            title: format!("Worst disagreements with {other}"),
            rows: rows
                .map(|pair| row(view, pair, pair.sides.here.grade, pair.sides.there.grade.to_string(), link))
                .collect(),
            count: format!("{} of {} have another grade.", count(found.differ), counted(found.both, "pair")),
            other,
        });
    }
    if let Some(panel) = view.panel {
        let rows = panel.ambiguous.listed.iter().take(LISTED);
        let grade = |judge: &JudgeReason| Some(format!("{} {}", judge.judge, judge.grade?));
        lists.push(Disagreements {
            title: "Worst disagreements between judges".to_owned(),
            other: "judges".to_owned(),
            rows: rows
                .map(|pair| {
                    let others = pair.sides.judges.iter().filter_map(grade).collect::<Vec<_>>().join(", ");
                    row(view, pair, pair.sides.grade, others, link)
                })
                .collect(),
            count: format!(
                "On {} of {} the grades are split: no majority, and half of the scale apart or more.",
                count(panel.ambiguous.pairs),
                counted(panel.pairs, "pair")
            ),
        });
    }
    lists
}

fn row<S>(
    view: &ReportView<'_>,
    pair: &DifferingPair<S>,
    grade: i32,
    others: String,
    link: &impl Fn(&str) -> Option<String>,
) -> Disagreement {
    let named = |text: Option<&String>, id: &str| {
        text.filter(|text| !text.is_empty()).map_or_else(|| id.to_owned(), |text| shorten(text, TEXT))
    };
    Disagreement {
        query: named(pair.query_text.as_ref(), &pair.query),
        link: link(&pair.query),
        document: named(pair.title.as_ref(), &pair.document),
        grade,
        level: GradeScale::of_view(view).level(Some(grade)),
        others,
    }
}

//! The worst disagreements: with the reference, and between judges.

use std::collections::BTreeMap;

use serde::Serialize;

use super::anchors::QueryLinks;
use super::query_section::GradeScale;
use super::render::templates;
use crate::differing::{DifferingPair, JudgeReason};
use crate::error::ReportError;
use crate::panel::{JudgesTogether, PanelSection};
use crate::report::Report;
use crate::template::render;
use crate::text::{brief_figure, brief_percent, count, counted, shorten};
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
    let view = ReportView::new(report, Limits::default());
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

/// The most judges in the table.
const JUDGES: usize = 20;

/// Every two judges once: a row for each judge but the first, a column for each but the last.
#[derive(Serialize)]
pub(super) struct AgreementMatrix<'a> {
    columns: Vec<&'a str>,
    rows: Vec<MatrixRow<'a>>,
    /// How many judges are left out.
    left_out: usize,
}

#[derive(Serialize)]
struct MatrixRow<'a> {
    judge: &'a str,
    cells: Vec<Option<MatrixCell>>,
}

#[derive(Serialize)]
struct MatrixCell {
    kappa: String,
    /// From 0, for no better than chance, to 5 for perfect agreement.
    level: u32,
    details: Vec<String>,
}

/// Returns the table of a panel; `None` without two judges that graded the same pairs.
pub(super) fn agreement_matrix(panel: &PanelSection) -> Option<AgreementMatrix<'_>> {
    let mut judges: Vec<&str> = Vec::new();
    let mut found: BTreeMap<(&str, &str), &JudgesTogether> = BTreeMap::new();
    for together in &panel.agreement {
        for judge in [together.judge.as_str(), together.other.as_str()] {
            if !judges.contains(&judge) {
                judges.push(judge);
            }
        }
        found.insert((&together.judge, &together.other), together);
        found.insert((&together.other, &together.judge), together);
    }
    let all = judges.len();
    judges.truncate(JUDGES);
    let (_, columns) = judges.split_last()?;
    let is_preference = panel.votes.is_some();
    let cells = |at: usize, judge: &str| {
        let cell = |other: &&str| found.get(&(judge, *other)).map(|found| cell(found, is_preference));
        columns.iter().take(at).map(cell).collect()
    };
    let rows = judges.iter().enumerate().skip(1);
    Some(AgreementMatrix {
        rows: rows.map(|(at, judge)| MatrixRow { judge, cells: cells(at, judge) }).collect(),
        columns: columns.to_vec(),
        left_out: all - judges.len(),
    })
}

fn cell(found: &JudgesTogether, is_preference: bool) -> MatrixCell {
    let same = if is_preference { "same preference" } else { "same grade" };
    let quadratic = found.quadratic.map(|value| format!("quadratic {}", brief_figure(value)));
    let exact = format!("{} {same}", brief_percent(found.exact));
    MatrixCell {
        kappa: brief_figure(found.kappa),
        level: found.kappa.map_or(0, |kappa| (kappa.clamp(0.0, 1.0) * 5.0).ceil() as u32),
        details: quadratic.into_iter().chain([exact, counted(found.n, "pair")]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(agreement: &[(&str, &str, Option<f64>)]) -> PanelSection {
        let together = |(judge, other, kappa): &(&str, &str, Option<f64>)| JudgesTogether {
            judge: (*judge).to_owned(),
            other: (*other).to_owned(),
            n: 60,
            exact: Some(0.5),
            kappa: *kappa,
            quadratic: None,
        };
        PanelSection {
            pairs: 60,
            agreement: agreement.iter().map(together).collect(),
            ..PanelSection::default()
        }
    }

    #[test]
    fn every_two_judges_have_one_cell() {
        let panel = panel(&[("a", "b", Some(0.41)), ("a", "c", Some(-0.3)), ("b", "c", None)]);
        let found = agreement_matrix(&panel).unwrap();
        assert_eq!((found.columns, found.left_out), (vec!["a", "b"], 0));
        let cells = |row: &MatrixRow<'_>| {
            row.cells.iter().flatten().map(|cell| (cell.kappa.clone(), cell.level)).collect::<Vec<_>>()
        };
        assert_eq!((found.rows[0].judge, cells(&found.rows[0])), ("b", vec![("0.41".to_owned(), 3)]));
        assert_eq!(cells(&found.rows[1]), [("-0.30".to_owned(), 0), ("n/a".to_owned(), 0)]);
        assert_eq!(found.rows[1].cells[0].as_ref().unwrap().details, ["50% same grade", "60 pairs"]);
    }

    #[test]
    fn nothing_to_compare_has_no_table() {
        assert!(agreement_matrix(&panel(&[])).is_none());
    }
}

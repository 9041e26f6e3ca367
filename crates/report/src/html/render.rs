//! Renders the page.

use std::io::Write;

use serde::Serialize;

use super::chart_rows::{ByQuery, by_query, coverage_chart};
use super::glossary::Glossary;
use super::headline::headline;
use super::query::{QueryView, query_view};
use super::template::templates;
use super::terms;
use crate::charts::{heat_map, share_bar};
use crate::coverage::{GradeCount, JudgeCoverage};
use crate::error::ReportError;
use crate::export::Exporter;
use crate::report::Report;
use crate::template::render;
use crate::topics::TopicDetail;
use crate::view::{Limits, ReportView, is_shown};

/// The report as one page of HTML: no script, nothing loaded, every text from outside
/// [escaped](crate::text::escape_html). Queries are added, the hardest first, while the page has room
/// ([`Limits::bytes`]).
#[derive(Debug, Clone, Copy, Default)]
pub struct Html {
    /// Whether a server shows the page: then its style is the server's, and it links to a page of every query. It is a
    /// file unless changed.
    pub served: bool,
    /// Whether that server has a page for annotators, who label the study.
    pub people_page: bool,
}

impl Exporter<ReportView<'_>> for Html {
    fn export(&self, view: &ReportView<'_>, out: &mut dyn Write) -> Result<(), ReportError> {
        let page = self.page(view).map_err(ReportError::Html)?;
        out.write_all(page.as_bytes()).map_err(ReportError::Write)
    }
}

impl Html {
    fn page(self, view: &ReportView<'_>) -> Result<String, minijinja::Error> {
        let (templates, limits) = (templates()?, &view.limits);
        let mut page = Page {
            view,
            glossary: glossary(view),
            headline: headline(view.decision),
            measure: terms::measure(&view.decision.primary),
            comparisons: view.decision.decisive().count(),
            by_query: by_query(view),
            grades: grade_rows(view),
            coverage_charts: view.coverage.judges.iter().map(of_judge).collect(),
            confusion: view.reference.map(|reference| {
                let found = &reference.agreement.confusion;
                heat_map(
                    "Grades here and in the reference",
                    "these labels",
                    &reference.name,
                    &found.grades,
                    &found.counts,
                )
            }),
            served: self.served,
            people_page: self.people_page,
            queries: Vec::new(),
        };
        let mut room = limits.bytes.saturating_sub(render(&templates, "report.html", &page)?.len());
        for kept in view.topics.hardest.iter().take(limits.html_topics) {
            let view = query_view(view, &kept.topic, |document| is_shown(document, limits));
            let query = render(&templates, "query.html", &OpenQuery { open: false, view })?;
            if query.len() > room {
                break;
            }
            room -= query.len();
            page.queries.push(query);
        }
        render(&templates, "report.html", &page)
    }
}

/// One query as HTML that is part of a page, opened: the same content as in [`Html`], with the whole rankings of every
/// system.
///
/// # Errors
/// Returns [`ReportError::Html`] if the template fails, which no query should cause.
pub fn query_html(report: &Report<()>, topic: &TopicDetail) -> Result<String, ReportError> {
    let limits = Limits { systems: usize::MAX, ranks: u32::MAX, ..Limits::default() };
    let view = query_view(&ReportView::new(report, limits), topic, |_| true);
    let templates = templates().map_err(ReportError::Html)?;
    render(&templates, "query.html", &OpenQuery { open: true, view }).map_err(ReportError::Html)
}

/// The terms in the texts at the top of the page.
fn glossary(view: &ReportView<'_>) -> Glossary {
    let decision = view.decision;
    let gates = decision.check_gates.iter().map(|gate| &gate.sentence);
    let texts = view.raised.iter().chain(&decision.summary).chain(gates).chain(&decision.notes);
    let mut texts: Vec<&str> = texts.map(String::as_str).collect();
    if !decision.check_gates.is_empty() {
        texts.push("gate");
    }
    let figures = view.systems.first().map_or(&[][..], |system| &system.figures);
    Glossary::new(&texts, &decision.primary, figures.iter().map(|figure| figure.measure.as_str()))
}

#[derive(Serialize)]
struct OpenQuery {
    open: bool,
    #[serde(flatten)]
    view: QueryView,
}

/// What the page has and the Markdown has not.
#[derive(Serialize)]
struct Page<'a> {
    #[serde(flatten)]
    view: &'a ReportView<'a>,
    glossary: Glossary,
    headline: String,
    /// The explanation of the measure that decides.
    measure: Option<&'static str>,
    /// How many comparisons there are on the measure that decides.
    comparisons: usize,
    by_query: Vec<ByQuery>,
    grades: Vec<GradeRow>,
    coverage_charts: Vec<OfJudge<'a>>,
    confusion: Option<String>,
    served: bool,
    people_page: bool,
    /// Queries as HTML.
    queries: Vec<String>,
}

#[derive(Serialize)]
struct OfJudge<'a> {
    #[serde(flatten)]
    coverage: &'a JudgeCoverage,
    chart: String,
}

/// A grade, the number and the share of its labels, and its meaning.
#[derive(Serialize)]
struct GradeRow {
    grade: i32,
    pairs: u64,
    share: f64,
    says: &'static str,
    bar: String,
}

fn of_judge(coverage: &JudgeCoverage) -> OfJudge<'_> {
    OfJudge { coverage, chart: coverage_chart(coverage) }
}

fn grade_rows(view: &ReportView<'_>) -> Vec<GradeRow> {
    let labelled = view.coverage.labelled.max(1) as f64;
    let cutoff = view.cutoff;
    let row = |used: &GradeCount| {
        let share = used.pairs as f64 / labelled;
        let relevant = cutoff.is_some_and(|cutoff| used.grade >= cutoff);
        let says = match cutoff {
            Some(_) if relevant => "relevant",
            Some(_) => "not relevant",
            None => "a place in an order",
        };
        let bar = share_bar(&format!("Grade {}", used.grade), share, relevant);
        GradeRow { grade: used.grade, pairs: used.pairs, share, says, bar }
    };
    view.coverage.grades.iter().rev().take(200).map(row).collect()
}

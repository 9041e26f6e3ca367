//! From values to HTML, by the templates of the report and the few of this crate.

use llull::report::{PAGE_STYLE, page_templates};
use llull::{Study, StudyReport};
use minijinja::Environment;
use minijinja::value::Serde;
use serde::Serialize;

use crate::answers::AnswersView;
use crate::error::ServeError;
use crate::query_list::{ListRequest, QueryRow, Show, Sort};

const QUERIES: &str = include_str!("../templates/queries.html.j2");
const QUERY: &str = include_str!("../templates/query_page.html.j2");
const ANSWERS: &str = include_str!("../templates/answers.html.j2");
const STYLE: &str = include_str!("../templates/web.css");

/// The style of every page.
pub(crate) fn style() -> String {
    format!("{PAGE_STYLE}{STYLE}")
}

/// What of a report does not change while its ledger does not.
pub(crate) struct Shown {
    pub(crate) overview: String,
    study: String,
    measure: String,
    systems: Vec<String>,
    rows: Vec<QueryRow>,
}

impl Shown {
    /// Makes the overview, and the list of all queries.
    ///
    /// # Errors
    /// Returns an error if the overview cannot be rendered.
    pub(crate) fn new(report: &StudyReport<'_>) -> Result<Self, ServeError> {
        let summary = report.summary();
        let systems: Vec<String> = summary.systems.iter().map(|system| system.system.clone()).collect();
        let measure = summary.decision.primary.clone();
        let first = summary.systems.first();
        let primary =
            first.and_then(|found| found.figures.iter().position(|figure| figure.measure == measure));
        let cutoff = match &summary.tournaments {
            Some(found) => found.setup.relevant_from,
            None => Some(summary.study.rubric.cutoff),
        };
        let mut rows = Vec::new();
        report.visit_queries(|topic| {
            rows.push(QueryRow::new(rows.len(), topic, &systems, primary.unwrap_or(0), cutoff));
        });
        let study = summary.study.name.clone();
        Ok(Self { overview: report.served_html()?, study, measure, systems, rows })
    }
}

/// The templates.
pub(crate) struct Pages(Environment<'static>);

impl Pages {
    /// Reads the templates.
    ///
    /// # Errors
    /// Returns an error if one is broken, which none is.
    pub(crate) fn new() -> Result<Self, ServeError> {
        let mut templates = page_templates()?;
        templates.add_template("queries.html", QUERIES)?;
        templates.add_template("query_page.html", QUERY)?;
        templates.add_template("answers.html", ANSWERS)?;
        Ok(Self(templates))
    }

    /// A page of the list of queries.
    ///
    /// # Errors
    /// Returns an error if the template fails, which no study should cause.
    pub(crate) fn queries(&self, shown: &Shown, request: &ListRequest) -> Result<String, ServeError> {
        let found = request.page(&shown.rows, &shown.systems);
        let (a, b) = request.two(&shown.systems);
        let row = |row: &&QueryRow| RowView {
            number: row.at + 1,
            id: row.id.clone(),
            text: row.text.clone(),
            pooled: row.pooled,
            labelled: row.labelled,
            relevant: row.relevant,
            a: row.values.get(a).copied().flatten(),
            b: row.values.get(b).copied().flatten(),
            difference: row.difference((a, b)),
        };
        let other = |page: usize| request.address(page);
        let name = |at: usize| shown.systems.get(at).cloned().unwrap_or_default();
        let view = ListView {
            study: &shown.study,
            measure: &shown.measure,
            systems: &shown.systems,
            a: name(a),
            b: name(b),
            find: &request.find,
            show: request.show,
            sort: request.sort,
            rows: found.rows.iter().map(row).collect(),
            found: found.found,
            total: shown.rows.len(),
            page: found.page,
            pages: found.pages,
            previous: (found.page > 1).then(|| other(found.page - 1)),
            next: (found.page < found.pages).then(|| other(found.page + 1)),
        };
        Ok(self.0.get_template("queries.html")?.render(Serde(&view))?)
    }

    /// The page of one query; `None` if there is no such query.
    ///
    /// # Errors
    /// Returns an error if a template fails, which no study should cause.
    pub(crate) fn query(
        &self,
        shown: &Shown,
        report: &StudyReport<'_>,
        at: usize,
    ) -> Result<Option<String>, ServeError> {
        let Some(row) = shown.rows.get(at) else { return Ok(None) };
        let Some(body) = report.query_html(at)? else { return Ok(None) };
        let view = QueryView {
            study: &shown.study,
            id: &row.id,
            number: at + 1,
            total: shown.rows.len(),
            previous: (at > 0).then_some(at),
            next: (at + 1 < shown.rows.len()).then_some(at + 2),
            body,
        };
        Ok(Some(self.0.get_template("query_page.html")?.render(Serde(&view))?))
    }

    /// A page of every answer about one query, word for word; `None` if there is no such query.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read, or a template fails, which no study should cause.
    pub(crate) fn answers(
        &self,
        shown: &Shown,
        study: &Study,
        (at, page): (usize, usize),
    ) -> Result<Option<String>, ServeError> {
        let Some(row) = shown.rows.get(at) else { return Ok(None) };
        let answers = AnswersView::new(&study.attempts_about(&row.id)?, page);
        let view = QueryAnswersView { study: &shown.study, id: &row.id, number: at + 1, answers };
        Ok(Some(self.0.get_template("answers.html")?.render(Serde(&view))?))
    }
}

#[derive(Serialize)]
struct QueryAnswersView<'a> {
    study: &'a str,
    id: &'a str,
    number: usize,
    answers: AnswersView,
}

#[derive(Serialize)]
struct ListView<'a> {
    study: &'a str,
    measure: &'a str,
    systems: &'a [String],
    a: String,
    b: String,
    find: &'a str,
    show: Show,
    sort: Sort,
    rows: Vec<RowView>,
    found: usize,
    total: usize,
    page: usize,
    pages: usize,
    previous: Option<String>,
    next: Option<String>,
}

#[derive(Serialize)]
struct RowView {
    number: usize,
    id: String,
    text: String,
    pooled: usize,
    labelled: usize,
    relevant: Option<usize>,
    a: Option<f64>,
    b: Option<f64>,
    difference: Option<f64>,
}

#[derive(Serialize)]
struct QueryView<'a> {
    study: &'a str,
    id: &'a str,
    number: usize,
    total: usize,
    previous: Option<usize>,
    next: Option<usize>,
    /// HTML of the report's template.
    body: String,
}

//! Renders values as HTML, with templates of the report and this crate.

use llull::core::{FailureKind, Reason};
use llull::report::{PAGE_STYLE, page_templates};
use llull::runner::Workload;
use llull::{Study, StudyEvidence, StudyReport};
use minijinja::Environment;
use minijinja::value::Serde;
use serde::Serialize;
use serde_json::json;

use crate::address::Paging;
use crate::attempts::{AttemptsRequest, LedgerIndex, OneAttempt};
use crate::error::ServeError;
use crate::failure::Failure;
use crate::query_list::{ListRequest, QueryRow, SystemPair};
use crate::query_page::{QueryHead, QueryPageView, document_view};
use crate::shown::Shown;

const TEMPLATES: [(&str, &str); 18] = [
    ("web_parts.html", include_str!("../templates/parts.html.j2")),
    ("document.html", include_str!("../templates/document.html.j2")),
    ("failure.html", include_str!("../templates/failure.html.j2")),
    ("web_base.html", include_str!("../templates/base.html.j2")),
    ("queries.html", include_str!("../templates/queries.html.j2")),
    ("query_page.html", include_str!("../templates/query_page.html.j2")),
    ("attempt_rows.html", include_str!("../templates/attempt_rows.html.j2")),
    ("answers.html", include_str!("../templates/answers.html.j2")),
    ("attempts.html", include_str!("../templates/attempts.html.j2")),
    ("attempt.html", include_str!("../templates/attempt.html.j2")),
    ("judges.html", include_str!("../templates/judges.html.j2")),
    ("ledger.html", include_str!("../templates/ledger.html.j2")),
    ("labels.html", include_str!("../templates/labels.html.j2")),
    ("people.html", include_str!("../templates/people.html.j2")),
    ("tournaments.html", include_str!("../templates/tournaments.html.j2")),
    ("tournament.html", include_str!("../templates/tournament.html.j2")),
    ("live.html", include_str!("../templates/live.html.j2")),
    ("live_figures.html", include_str!("../templates/live_figures.html.j2")),
];
const STYLE: &str = include_str!("../templates/web.css");
/// The one script, of the page that is live.
pub(crate) const LIVE_SCRIPT: &str = include_str!("../templates/live.js");

/// The style of every page.
pub(crate) fn style() -> String {
    format!("{PAGE_STYLE}{STYLE}")
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
        for (name, template) in TEMPLATES {
            templates.add_template(name, template)?;
        }
        Ok(Self(templates))
    }

    /// A page; `current` is the address of the part that it belongs to.
    ///
    /// # Errors
    /// Returns an error if the template fails, which no study should cause.
    pub(crate) fn page(
        &self,
        shown: &Shown,
        (template, current): (&str, &str),
        view: &impl Serialize,
    ) -> Result<String, ServeError> {
        let (compared, people_page) = (shown.compared.is_some(), shown.people);
        let page = PageView { study: &shown.study, compared, people_page, current, view };
        Ok(self.0.get_template(template)?.render(Serde(&page))?)
    }

    /// A page of the list of queries.
    ///
    /// # Errors
    /// Returns an error if the template fails, which no study should cause.
    pub(crate) fn queries(&self, shown: &Shown, request: &ListRequest) -> Result<String, ServeError> {
        let (a, b) = request.two(&shown.systems, shown.usual_pair);
        let (rows, paging) = request.page(&shown.rows, (a, b));
        let name = |at: usize| shown.systems.get(at).cloned().unwrap_or_default();
        let pair = ListRequest { a: name(a), b: name(b), sort: request.order((a, b)), ..request.clone() };
        let row = |row| RowView::new(row, &pair, (a, b));
        let view = ListView {
            measure: &shown.measure,
            systems: &shown.systems,
            rows: rows.into_iter().map(row).collect(),
            total: shown.rows.len(),
            paging,
            request: &pair,
        };
        self.page(shown, ("queries.html", "/queries"), &view)
    }

    /// The page of one query; `None` if there is no such query.
    ///
    /// # Errors
    /// Returns an error if a template fails, which no study should cause.
    pub(crate) fn query(
        &self,
        shown: &Shown,
        report: &StudyReport<'_>,
        (at, request): (usize, &ListRequest),
    ) -> Result<Option<String>, ServeError> {
        let Some(row) = shown.rows.get(at) else { return Ok(None) };
        let Some(topic) = report.query(at) else { return Ok(None) };
        let view = QueryPageView::new((shown, report.summary()), row, &topic, request);
        self.page(shown, ("query_page.html", "/queries"), &view).map(Some)
    }

    /// The page of a document of a query; `None` if there is no such document.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read, or a template fails, which no study should cause.
    pub(crate) fn document(
        &self,
        shown: &Shown,
        ledger: (&Study, &LedgerIndex),
        (report, evidence): (&StudyReport<'_>, &StudyEvidence),
        (at, document): (usize, usize),
    ) -> Result<Option<String>, ServeError> {
        let Some(topic) = report.query(at) else { return Ok(None) };
        let view = document_view(ledger, evidence, report.summary(), (at + 1, &topic), document)?;
        view.map(|view| self.page(shown, ("document.html", "/queries"), &view)).transpose()
    }

    /// The page of a request that failed, with the words of the failure.
    ///
    /// # Errors
    /// Returns an error if the template fails, which no study should cause.
    pub(crate) fn failure(&self, shown: &Shown, failure: &Failure) -> Result<String, ServeError> {
        self.page(shown, ("failure.html", ""), failure)
    }

    /// A page of every answer about one query; `None` if there is no such query.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read, or a template fails, which no study should cause.
    pub(crate) fn answers(
        &self,
        shown: &Shown,
        (study, index): (&Study, &LedgerIndex),
        (at, page): (usize, usize),
    ) -> Result<Option<String>, ServeError> {
        let Some(row) = shown.rows.get(at) else { return Ok(None) };
        let list = AttemptsRequest::about(study, index, (&row.id, at + 1), page)?;
        let query = QueryHead { id: &row.id, number: at + 1 };
        let view = json!({"query": query, "text": row.text, "list": list});
        self.page(shown, ("answers.html", "/queries"), &view).map(Some)
    }

    /// A page of the list of all attempts.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read, or a template fails, which no study should cause.
    pub(crate) fn attempts(
        &self,
        shown: &Shown,
        (study, index): (&Study, &LedgerIndex),
        request: &AttemptsRequest,
    ) -> Result<String, ServeError> {
        let unusable = Reason::ALL.map(|reason| {
            let outcome = if reason.is_refusal() { "refused" } else { "unparsable" };
            (reason.name(), format!("{outcome}: {reason}"))
        });
        // A failure that refuses one text is recorded as a refusal.
        let failed = FailureKind::ALL.iter().filter(|kind| kind.refusal().is_none());
        let failed = failed.map(|kind| (kind.name(), format!("failed: {kind}")));
        let reasons: Vec<_> = unusable.into_iter().chain(failed).collect();
        let list = request.page(study, index)?;
        let view = json!({"total": index.attempts().len(), "reasons": reasons, "list": list});
        self.page(shown, ("attempts.html", "/ledger"), &view)
    }

    /// The page of one attempt; `None` if there is no such attempt.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read, or a template fails, which no study should cause.
    pub(crate) fn attempt(
        &self,
        shown: &Shown,
        (study, index): (&Study, &LedgerIndex),
        pooled: &Workload,
        place: u64,
    ) -> Result<Option<String>, ServeError> {
        let Some(mut one) = OneAttempt::read(study, pooled, index, place)? else { return Ok(None) };
        let query = index.attempt(place).map(|found| index.query_of(found));
        one.query = query.and_then(|id| shown.number_of(id));
        self.page(shown, ("attempt.html", "/ledger"), &json!({"one": one})).map(Some)
    }
}

#[derive(Serialize)]
struct PageView<'a, T> {
    study: &'a str,
    /// Whether the study's judges compare, so that there are tournaments.
    compared: bool,
    /// Whether people label the study.
    people_page: bool,
    current: &'a str,
    #[serde(flatten)]
    view: &'a T,
}

#[derive(Serialize)]
struct ListView<'a> {
    measure: &'a str,
    systems: &'a [String],
    rows: Vec<RowView<'a>>,
    total: usize,
    paging: Paging,
    #[serde(flatten)]
    request: &'a ListRequest,
}

#[derive(Serialize)]
struct RowView<'a> {
    address: String,
    #[serde(flatten)]
    row: &'a QueryRow,
    a: Option<f64>,
    b: Option<f64>,
    difference: Option<f64>,
}

impl<'a> RowView<'a> {
    fn new(row: &'a QueryRow, request: &ListRequest, (a, b): SystemPair) -> Self {
        let value = |system: usize| row.values.get(system).copied().flatten();
        Self {
            address: request.query_address(row.at + 1),
            row,
            a: value(a),
            b: value(b),
            difference: row.difference((a, b)),
        }
    }
}

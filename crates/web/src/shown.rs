//! Values that are computed once for each state of the ledger.
//!
//! Pages are made of these values, so that a page computes only what depends on its address.

use llull::{StudyEvidence, StudyReport};
use rustc_hash::FxHashMap;

use crate::error::ServeError;
use crate::label_list::LabelIndex;
use crate::live_page::RunProgress;
use crate::query_list::QueryRow;
use crate::tournament_pages::TournamentRow;

/// The values of a report that change only with its ledger.
pub(crate) struct Shown {
    pub(crate) overview: String,
    pub(crate) study: String,
    pub(crate) measure: String,
    pub(crate) systems: Vec<String>,
    pub(crate) rows: Vec<QueryRow>,
    /// The number of each query's page.
    numbers: FxHashMap<String, usize>,
    /// The queries' tournaments; none where judges grade.
    pub(crate) tournaments: Vec<TournamentRow>,
    /// The meaning of the labels of tournaments; `None` where judges grade.
    pub(crate) compared: Option<String>,
    /// Whether the study has a sample for people, or answers of them.
    pub(crate) people: bool,
    pub(crate) labels: LabelIndex,
    pub(crate) so_far: RunProgress,
}

impl Shown {
    /// Makes the overview, and the complete lists. `people` is true if annotators label the study. `read_at` is the
    /// time at which the ledger was read, in milliseconds since 1970-01-01 UTC.
    ///
    /// # Errors
    /// Returns an error if the overview cannot be rendered.
    pub(crate) fn new(
        report: &StudyReport<'_>,
        evidence: &StudyEvidence,
        (people, read_at): (bool, i64),
    ) -> Result<Self, ServeError> {
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
        let (mut rows, mut tournaments) = (Vec::new(), Vec::new());
        report.visit_queries(|topic| {
            rows.push(QueryRow::new(rows.len(), topic, &systems, primary.unwrap_or(0), cutoff));
            tournaments.extend(TournamentRow::new(rows.len(), topic));
        });
        Ok(Self {
            overview: report.served_html(people)?,
            study: summary.study.name.clone(),
            measure,
            systems,
            numbers: rows.iter().map(|row| (row.id.clone(), row.at + 1)).collect(),
            rows,
            tournaments,
            compared: summary.tournaments.as_ref().map(|found| found.setup.meaning.clone()),
            people,
            labels: LabelIndex::new(evidence),
            so_far: RunProgress::new(summary, evidence, read_at),
        })
    }

    /// The number of a query's page.
    pub(crate) fn number_of(&self, query: &str) -> Option<usize> {
        self.numbers.get(query).copied()
    }
}

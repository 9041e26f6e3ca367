//! Values that are computed once for each state of the ledger.
//!
//! Pages are made of these values, so that a page computes only what depends on its address.

use llull::{StudyEvidence, StudyReport};
use rustc_hash::FxHashMap;

use crate::error::ServeError;
use crate::label_list::LabelIndex;
use crate::live_page::RunProgress;
use crate::query_list::{QueryRow, SystemPair};
use crate::tournament_pages::TournamentRow;

/// The values of a report that change only with its ledger.
pub(crate) struct Shown {
    pub(crate) overview: String,
    pub(crate) study: String,
    pub(crate) measure: String,
    pub(crate) systems: Vec<String>,
    /// The two systems that are compared unless an address names others: the baseline, and the best of the others.
    pub(crate) usual_pair: SystemPair,
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
            usual_pair: usual_pair(summary, &systems),
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

/// The places of the baseline and of the system with the highest figure beside it. Without a baseline, those of the
/// first two systems; of an only system, its place twice.
fn usual_pair(summary: &llull::Summary, systems: &[String]) -> SystemPair {
    let place = |name: &str| systems.iter().position(|system| system == name);
    let baseline = summary.decision.baseline.as_deref().and_then(place);
    let measure = &summary.decision.primary;
    let mean = |at: &usize| {
        let figures = summary.systems.get(*at).map_or(&[][..], |system| &system.figures);
        figures.iter().find(|figure| figure.measure == *measure).and_then(|figure| figure.mean)
    };
    let others = (0..systems.len()).filter(|at| Some(*at) != baseline);
    let best =
        others.filter_map(|at| Some((at, mean(&at)?))).max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    match (baseline, best) {
        (Some(baseline), Some((best, _))) => (baseline, best),
        _ => (0, usize::from(systems.len() > 1)),
    }
}

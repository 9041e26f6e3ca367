//! Renders the page.

use llull_audit::Alarm;
use serde::Serialize;

use super::chart_rows::{
    ByQuery, by_query, corrected_chart, coverage_chart, differences_chart, systems_chart,
};
use super::gathered::gather;
use super::glossary::Glossary;
use super::headline::headline;
use super::limits::HtmlLimits;
use super::query::{QueryView, query_view};
use super::template::{render, templates};
use super::terms;
use crate::alarms::alarm_sentence;
use crate::charts::{heat_map, share_bar};
use crate::comparison::BaselineComparison;
use crate::conditions::{Incomparability, SinceView};
use crate::corrected_rows::{CorrectedRow, corrected_rows, uncorrected};
use crate::cost::CostSection;
use crate::coverage::{CoverageSection, GradeCount, JudgeCoverage};
use crate::decision::DecisionSection;
use crate::error::ReportError;
use crate::mix::LabelMix;
use crate::panel::PanelSection;
use crate::provenance::ProvenanceSection;
use crate::reference::ReferenceSection;
use crate::report::Report;
use crate::retrieval::{Speed, speed};
use crate::study::StudySection;
use crate::systems::MeasuredSystem;
use crate::topics::{TopicDetail, TopicSource};
use crate::tournament::TournamentSection;

/// The report as one page of HTML: no script, nothing loaded, every text from outside
/// [escaped](crate::text::escape_html). Queries are read once, and added, the hardest first, while the page has
/// room ([`HtmlLimits::bytes`]).
///
/// # Errors
/// Returns [`ReportError::Html`] if the template fails, which no report should cause.
pub fn html<T: TopicSource>(report: &Report<T>, limits: &HtmlLimits) -> Result<String, ReportError> {
    let templates = templates().map_err(ReportError::Html)?;
    let primary = primary_place(report);
    let gathered = gather(&report.topics, primary, limits);
    let comparisons: Vec<&BaselineComparison> = report.decision.decisive().collect();
    let ringing: Vec<String> =
        report.alarms.iter().filter(|alarm| alarm.rings()).map(alarm_sentence).collect();
    let mut view = View {
        glossary: glossary(report, &ringing),
        headline: headline(&report.decision),
        study: &report.study,
        ringing,
        decision: &report.decision,
        measure: terms::measure(&report.decision.primary),
        systems: &report.systems[..report.systems.len().min(limits.rows)],
        systems_left_out: report.systems.len().saturating_sub(limits.rows),
        systems_chart: systems_chart(&report.systems, primary, limits),
        differences_chart: differences_chart(&comparisons, limits),
        by_query: by_query(&comparisons, &report.systems, &gathered.values, limits),
        speed: speed(&report.systems, primary, &report.decision.primary)
            .map(|found| Speed { rows: found.rows.into_iter().take(limits.rows).collect(), ..found }),
        corrected_chart: corrected_chart(&comparisons, limits),
        corrected: corrected_rows(&report.decision, &report.systems),
        uncorrected: uncorrected(&report.decision, &report.systems),
        comparisons,
        unlike: &report.unlike,
        since: report.since.as_ref().map(|since| SinceView { verdict: since.verdict(), since }),
        alarms: report.alarms.iter().map(|alarm| AlarmRow { words: alarm.verdict.words(), alarm }).collect(),
        mix: report.mix.as_ref(),
        escalation: report.escalation_in_sentences(),
        coverage: &report.coverage,
        grades: grade_rows(report),
        coverage_charts: report.coverage.judges.iter().map(of_judge).collect(),
        panel: report.panel.as_ref(),
        reference: report.reference.as_ref(),
        confusion: report.reference.as_ref().map(|reference| {
            let found = &reference.agreement.confusion;
            heat_map(
                "Grades here and in the reference",
                "these labels",
                &reference.name,
                &found.grades,
                &found.counts,
            )
        }),
        panel_circles: report
            .tournaments
            .as_ref()
            .and_then(|found| Some(found.totals.panel.as_ref()?.sentence())),
        people_compared: report.tournaments.as_ref().and_then(|found| Some(found.people.as_ref()?.who())),
        tournaments: report.tournaments.as_ref(),
        cost: &report.cost,
        provenance: &report.provenance,
        texts: !report.texts_left_out,
        served: limits.served,
        people_page: limits.people_page,
        ranks: limits.ranks,
        rankings_left_out: report.systems.len().saturating_sub(limits.systems),
        queries: Vec::new(),
        queries_total: gathered.total,
        queries_left_out: gathered.total,
    };
    let page = render(&templates, "report.html", &view).map_err(ReportError::Html)?;
    let mut room = limits.bytes.saturating_sub(page.len());
    for (_, topic) in gathered.hardest {
        let query = OpenQuery { open: false, view: query_view(report, topic, primary, limits) };
        let query = render(&templates, "query.html", &query).map_err(ReportError::Html)?;
        if query.len() > room {
            break;
        }
        room -= query.len();
        view.queries.push(query);
    }
    view.queries_left_out = gathered.total - view.queries.len();
    render(&templates, "report.html", &view).map_err(ReportError::Html)
}

/// One query as HTML that is part of a page, opened: the same content as in [`html`], within these limits.
///
/// # Errors
/// Returns [`ReportError::Html`] if the template fails, which no query should cause.
pub fn query_html<T>(
    report: &Report<T>,
    topic: TopicDetail,
    limits: &HtmlLimits,
) -> Result<String, ReportError> {
    let view = query_view(report, topic, primary_place(report), limits);
    let templates = templates().map_err(ReportError::Html)?;
    render(&templates, "query.html", &OpenQuery { open: true, view }).map_err(ReportError::Html)
}

/// The terms in the texts at the top of the page.
fn glossary<T>(report: &Report<T>, ringing: &[String]) -> Glossary {
    let decision = &report.decision;
    let gates = decision.alarm_gates.iter().map(|gate| &gate.sentence);
    let texts = ringing.iter().chain(&decision.summary).chain(gates).chain(&decision.notes);
    let mut texts: Vec<&str> = texts.map(String::as_str).collect();
    if !decision.alarm_gates.is_empty() {
        texts.push("gate");
    }
    let figures = report.systems.first().map_or(&[][..], |system| &system.figures);
    Glossary::new(&texts, &decision.primary, figures.iter().map(|figure| figure.measure.as_str()))
}

#[derive(Serialize)]
struct OpenQuery {
    open: bool,
    #[serde(flatten)]
    view: QueryView,
}

/// The place of the measure that decides among a system's figures.
pub(super) fn primary_place<T>(report: &Report<T>) -> usize {
    let system = report.systems.first();
    let place = |system: &MeasuredSystem| {
        system.figures.iter().position(|figure| figure.measure == report.decision.primary)
    };
    system.and_then(place).unwrap_or(0)
}

#[derive(Serialize)]
struct View<'a> {
    glossary: Glossary,
    headline: String,
    study: &'a StudySection,
    /// The failed checks and warnings, a sentence each.
    ringing: Vec<String>,
    decision: &'a DecisionSection,
    /// The explanation of the measure that decides.
    measure: Option<&'static str>,
    systems: &'a [MeasuredSystem],
    systems_left_out: usize,
    systems_chart: String,
    differences_chart: String,
    /// The comparisons on the measure that decides.
    comparisons: Vec<&'a BaselineComparison>,
    by_query: Vec<ByQuery>,
    /// Quality against time, where times are known.
    speed: Option<Speed>,
    /// The corrected differences on the measure that decides.
    corrected_chart: Option<String>,
    corrected: Vec<CorrectedRow<'a>>,
    uncorrected: Vec<String>,
    /// The conditions that the systems do not share.
    unlike: &'a [Incomparability],
    /// The comparison with an earlier report.
    since: Option<SinceView<'a>>,
    /// All checks, passed ones too.
    alarms: Vec<AlarmRow<'a>>,
    mix: Option<&'a LabelMix>,
    /// The sentences about a stronger judge.
    escalation: &'a [String],
    coverage: &'a CoverageSection,
    grades: Vec<GradeRow>,
    coverage_charts: Vec<OfJudge<'a>>,
    panel: Option<&'a PanelSection>,
    reference: Option<&'a ReferenceSection>,
    confusion: Option<String>,
    tournaments: Option<&'a TournamentSection>,
    panel_circles: Option<String>,
    /// Who compared documents side by side.
    people_compared: Option<String>,
    cost: &'a CostSection,
    provenance: &'a ProvenanceSection,
    texts: bool,
    served: bool,
    people_page: bool,
    ranks: u32,
    rankings_left_out: usize,
    /// Queries as HTML.
    queries: Vec<String>,
    queries_total: usize,
    queries_left_out: usize,
}

#[derive(Serialize)]
struct AlarmRow<'a> {
    words: &'static str,
    #[serde(flatten)]
    alarm: &'a Alarm,
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

fn grade_rows<T>(report: &Report<T>) -> Vec<GradeRow> {
    let labelled = report.coverage.labelled.max(1) as f64;
    let cutoff = report
        .tournaments
        .as_ref()
        .map_or(Some(report.study.rubric.cutoff), |found| found.setup.relevant_from);
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
    report.coverage.grades.iter().rev().take(200).map(row).collect()
}

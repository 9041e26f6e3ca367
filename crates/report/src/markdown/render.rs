//! Renders the Markdown.

use llull_audit::Alarm;
use llull_label::TierScheme;
use serde::Serialize;

use super::differing_rows::{DifferingRow, differing_rows};
use super::hardest::{Hardest, hardest};
use super::limits::MarkdownLimits;
use super::panel_rows::{PanelView, panel_view};
use super::template::render;
use crate::alarms::alarm_sentence;
use crate::charts::ChartFile;
use crate::conditions::{Incomparability, SinceView};
use crate::corrected_rows::{CorrectedRow, corrected_rows, uncorrected};
use crate::cost::CostSection;
use crate::coverage::{CoverageSection, DisputedPair};
use crate::decision::DecisionSection;
use crate::error::ReportError;
use crate::mix::LabelMix;
use crate::paradigm::is_graded;
use crate::provenance::ProvenanceSection;
use crate::reference::ReferenceSection;
use crate::report::Report;
use crate::retrieval::{Speed, speed};
use crate::study::StudySection;
use crate::systems::{Figure, MeasuredSystem, without_interval};
use crate::text::confidence;
use crate::topics::TopicSource;
use crate::tournament::TournamentSection;

/// The report as GitHub-flavoured Markdown: failed checks and the decision in bold, then the reliability of the
/// labels, then the sections. Text from outside is [escaped](crate::text::escape). Queries are read once; only those
/// that are shown stay in memory.
///
/// # Errors
/// Returns [`ReportError::Template`] if the template fails, which no report should cause.
pub fn markdown<T: TopicSource>(report: &Report<T>, limits: &MarkdownLimits) -> Result<String, ReportError> {
    markdown_with_charts(report, limits, &[])
}

/// The same with links to charts, which are [files](crate::chart_files) next to it.
///
/// # Errors
/// Returns [`ReportError::Template`] if the template fails, which no report should cause.
pub fn markdown_with_charts<T: TopicSource>(
    report: &Report<T>,
    limits: &MarkdownLimits,
    charts: &[ChartFile],
) -> Result<String, ReportError> {
    let first = report.systems.first();
    let primary = first.and_then(|system| {
        system.figures.iter().position(|figure| figure.measure == report.decision.primary)
    });
    let tournaments = report.tournaments.as_ref();
    let judges = report.study.judges.iter().enumerate();
    let view = View {
        version: report.version,
        study: &report.study,
        ringing: report.alarms.iter().filter(|alarm| alarm.rings()).map(alarm_sentence).collect(),
        unlike: &report.unlike,
        since: report.since.as_ref().map(|since| SinceView { verdict: since.verdict(), since }),
        alarms: report.alarms.iter().map(|alarm| AlarmRow { words: alarm.verdict.words(), alarm }).collect(),
        decision: &report.decision,
        corrected: corrected_rows(&report.decision, &report.systems),
        uncorrected: uncorrected(&report.decision, &report.systems),
        systems: &report.systems,
        charts: charts.iter().map(|chart| Link { title: &chart.title, name: &chart.name }).collect(),
        speed: speed(&report.systems, primary.unwrap_or(0), &report.decision.primary),
        measures: by_measure(&report.systems),
        confidence: first
            .and_then(|system| system.figures.first())
            .map(|figure| confidence(figure.confidence)),
        without_interval: first
            .and_then(|system| system.figures.first())
            .and_then(|figure| without_interval(figure.n, figure.confidence)),
        reference: report.reference.as_ref(),
        differing: differing_rows(report.reference.as_ref(), limits.disagreements),
        mix: report.mix.as_ref(),
        panel_circles: tournaments.and_then(|found| Some(found.totals.panel.as_ref()?.sentence())),
        people_compared: tournaments.and_then(|found| Some(found.people.as_ref()?.who())),
        tournaments,
        graders: judges.filter(|(_, judge)| is_graded(&judge.paradigm)).map(|(at, _)| at).collect(),
        cutoff: tournaments.map_or(Some(report.study.rubric.cutoff), |found| found.setup.relevant_from),
        on_scale: tournaments.is_none_or(|found| found.setup.labels.parse() == Ok(TierScheme::Anchored)),
        coverage: &report.coverage,
        disagreements: disagreements(&report.coverage, limits.disagreements),
        escalation: report.escalation_in_sentences(),
        panel: report.panel.as_ref().map(|panel| panel_view(panel, limits.disagreements)),
        cost: &report.cost,
        topics: hardest(&report.topics, primary.unwrap_or(0), limits),
        texts: !report.texts_left_out,
        provenance: &report.provenance,
    };
    render(&view).map_err(ReportError::Template)
}

#[derive(Serialize)]
struct View<'a> {
    version: u32,
    study: &'a StudySection,
    /// The failed checks and warnings, a sentence each.
    ringing: Vec<String>,
    /// The conditions that the systems do not share.
    unlike: &'a [Incomparability],
    /// The comparison with an earlier report.
    since: Option<SinceView<'a>>,
    /// All checks, passed ones too.
    alarms: Vec<AlarmRow<'a>>,
    decision: &'a DecisionSection,
    /// The figures corrected by human labels.
    corrected: Vec<CorrectedRow<'a>>,
    /// The figures that human labels could not correct, with the reason.
    uncorrected: Vec<String>,
    systems: &'a [MeasuredSystem],
    /// Files next to this one.
    charts: Vec<Link<'a>>,
    /// Quality against time, where times are known.
    speed: Option<Speed>,
    measures: Vec<ByMeasure<'a>>,
    confidence: Option<String>,
    /// Why figures have no interval.
    without_interval: Option<String>,
    reference: Option<&'a ReferenceSection>,
    /// The labels that differ most from the reference's.
    differing: Vec<DifferingRow>,
    mix: Option<&'a LabelMix>,
    tournaments: Option<&'a TournamentSection>,
    /// The cycles of each judge and of their majority.
    panel_circles: Option<String>,
    /// Who compared documents side by side.
    people_compared: Option<String>,
    /// The judges that grade one document at a time, by their place in the study.
    graders: Vec<usize>,
    /// The lowest grade that counts as relevant, if there is one.
    cutoff: Option<i32>,
    /// Whether the labels are grades of the rubric, and not places in an order.
    on_scale: bool,
    coverage: &'a CoverageSection,
    disagreements: &'a [DisputedPair],
    /// The sentences about a stronger judge.
    escalation: &'a [String],
    panel: Option<PanelView<'a>>,
    cost: &'a CostSection,
    topics: Hardest,
    /// Whether the report has the texts of queries and documents.
    texts: bool,
    provenance: &'a ProvenanceSection,
}

#[derive(Serialize)]
struct Link<'a> {
    title: &'a str,
    name: &'a str,
}

#[derive(Serialize)]
struct AlarmRow<'a> {
    words: &'static str,
    #[serde(flatten)]
    alarm: &'a Alarm,
}

/// One measure of every system, since systems are compared within a measure.
#[derive(Serialize)]
struct ByMeasure<'a> {
    measure: &'a str,
    rows: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    system: &'a str,
    figure: &'a Figure,
}

fn by_measure<'a>(systems: &'a [MeasuredSystem]) -> Vec<ByMeasure<'a>> {
    let measures = systems.first().map(|system| system.figures.as_slice()).unwrap_or_default();
    let rows = |at: usize| {
        let row = |system: &'a MeasuredSystem| {
            Some(Row { system: &system.system, figure: system.figures.get(at)? })
        };
        systems.iter().filter_map(row).collect()
    };
    measures
        .iter()
        .enumerate()
        .map(|(at, figure)| ByMeasure { measure: &figure.measure, rows: rows(at) })
        .collect()
}

fn disagreements(coverage: &CoverageSection, most: usize) -> &[DisputedPair] {
    let all = coverage.spread.as_ref().map(|spread| spread.disagreements.as_slice()).unwrap_or_default();
    &all[..most.min(all.len())]
}

//! The values of a report that its exporters share.

use llull_audit::JudgeCheck;
use serde::{Deserialize, Serialize};

use super::decision_table::{DecisionRow, decision_rows};
use super::judge_checks::{CheckRow, JudgeChecks, judge_checks};
use super::largest_differences::{LargestDifferences, explained};
use super::next_steps::next_steps;
use super::slice_table::SliceTable;
use super::topics::Topics;
use crate::charts::{Whisker, whiskers};
use crate::checks::check_sentence;
use crate::comparison::BaselineComparison;
use crate::conditions::{Incomparability, SinceView};
use crate::corrected_figure::{CorrectedFigure, EstimateInterval};
use crate::cost::{CostSection, JudgeCost};
use crate::coverage::{Count, CoverageSection, JudgeCoverage};
use crate::gates::{GateRow, gate_rows};
use crate::mix::LabelMix;
use crate::panel::PanelSection;
use crate::provenance::ProvenanceSection;
use crate::recorded_comparison::{by_judges, track_records};
use crate::reference::ReferenceSection;
use crate::reference_systems::UnderBothTable;
use crate::report::Report;
use crate::retrieval::{Speed, speed};
use crate::study::StudySection;
use crate::study_verdict::{DecisionSection, ONLY_QUERIES};
use crate::systems::{Figure, MeasuredSystem};
use crate::text::{ABSENT, brief_difference, brief_figure, brief_interval, confidence, count, counted};
use crate::topics::TopicSource;
use crate::tournament::{TournamentSection, distance_chart, distance_sentence};

/// A report as people read it: its sections, the sentences and charts that are made of them, and the queries that are
/// shown. An exporter adds what only its format has.
#[derive(Serialize)]
pub struct ReportView<'a> {
    pub(crate) limits: Limits,
    version: u32,
    /// Whether the report has the texts of queries and documents.
    texts: bool,
    pub(crate) study: &'a StudySection,
    pub(crate) decision: &'a DecisionSection,
    /// The place of the measure that decides among a system's figures.
    #[serde(skip)]
    pub(crate) primary: usize,
    /// The sentences of the outcome that are about no single comparison.
    pub(crate) lead: Vec<String>,
    /// The table of the first screen.
    pub(crate) table: Vec<DecisionRow<'a>>,
    /// The gates and the bounds on judges.
    pub(crate) gates: Vec<GateRow>,
    /// The numbers behind the table: queries, labels, intervals, the correction and the cost.
    pub(crate) basis: String,
    /// Of these the queries, labels and intervals, in one line.
    basis_line: String,
    /// The others, a sentence each.
    basis_notes: Vec<String>,
    /// The track records of the verdicts, and what single judges decide, in sentences.
    pub(crate) track_record: Vec<String>,
    /// The judges' checks.
    pub(crate) judges: Vec<JudgeChecks>,
    /// What to do next, a sentence each.
    pub(crate) next: Vec<String>,
    /// The failed checks and warnings, a sentence each.
    pub(crate) raised: Vec<String>,
    /// All checks, failed ones first.
    checks: Vec<CheckRow>,
    /// The tables of slices.
    pub(crate) slices: Vec<SliceTable<'a>>,
    /// The conditions that the systems do not share.
    pub(crate) unlike: &'a [Incomparability],
    /// The comparison with an earlier report.
    pub(crate) since: Option<SinceView<'a>>,
    pub(crate) systems: &'a [MeasuredSystem],
    /// What the figures of the best order are; none without them.
    best_order: Option<String>,
    /// Quality against time, where times are known.
    pub(crate) speed: Option<Speed>,
    pub(crate) charts: Charts,
    /// The figures corrected by human labels.
    corrected: Vec<CorrectedRow<'a>>,
    /// The figures that human labels could not correct, with the reason.
    uncorrected: Vec<String>,
    pub(crate) reference: Option<&'a ReferenceSection>,
    /// The systems under these labels and under the reference.
    pub(crate) under_both: Vec<UnderBothTable>,
    mix: Option<&'a LabelMix>,
    pub(crate) coverage: &'a CoverageSection,
    /// The lowest grade that counts as relevant, if there is one.
    pub(crate) cutoff: Option<i32>,
    pub(crate) panel: Option<&'a PanelSection>,
    /// The sentences about a stronger judge.
    escalation: &'a [String],
    pub(crate) tournaments: Option<&'a TournamentSection>,
    /// The cycles of each judge and of their majority.
    panel_cycles: Option<String>,
    /// Answers against the final order by distance, in words and drawn.
    distances: Option<String>,
    distance_chart: Option<String>,
    comparing_noise: Option<String>,
    /// Who compared documents side by side.
    people_compared: Option<String>,
    pub(crate) cost: &'a CostSection,
    pub(crate) topics: Topics,
    provenance: &'a ProvenanceSection,
}

impl<'a> ReportView<'a> {
    /// Reads the queries once; only those that these limits show stay in memory.
    pub fn new<T: TopicSource>(report: &'a Report<T>, limits: Limits) -> Self {
        Self::with_queries(report, &report.topics, limits)
    }

    /// Does the same as [`new`](Self::new) with queries that the report does not hold.
    pub fn with_queries<T>(report: &'a Report<T>, queries: &impl TopicSource, limits: Limits) -> Self {
        let (decision, systems) = (&report.decision, report.systems.as_slice());
        let figures = systems.first().map(|system| system.figures.as_slice()).unwrap_or_default();
        let primary = figures.iter().position(|figure| figure.measure == decision.primary).unwrap_or(0);
        let tournaments = report.tournaments.as_ref();
        let largest = explained(decision, &limits);
        let largest = largest.into_iter().map(|(_, found)| LargestDifferences::new(found, systems)).collect();
        let mut sorted: Vec<&JudgeCheck> = report.checks.iter().collect();
        sorted.sort_by_key(|check| std::cmp::Reverse(check.outcome));
        let mut view = Self {
            limits,
            version: report.version,
            texts: !report.texts_left_out,
            study: &report.study,
            decision,
            primary,
            lead: decision.lead(),
            table: decision_rows(decision, systems, primary),
            gates: gate_rows(&decision.system_gates, &decision.check_gates),
            basis: String::new(),
            basis_line: String::new(),
            basis_notes: Vec::new(),
            track_record: track_records(decision.decisive())
                .into_iter()
                .chain(by_judges(decision.decisive()))
                .collect(),
            judges: judge_checks(&report.checks),
            next: next_steps(report),
            raised: sorted
                .iter()
                .filter(|check| check.is_raised())
                .map(|check| check_sentence(check))
                .collect(),
            checks: sorted.into_iter().map(CheckRow::of).collect(),
            slices: report.slices.iter().map(SliceTable::new).collect(),
            unlike: &report.unlike,
            since: report.since.as_ref().map(|since| SinceView { verdict: since.verdict(), since }),
            systems,
            best_order: best_order_note(report.provenance.pool_depth, systems),
            speed: speed(systems, primary, &decision.primary),
            charts: Charts::of(decision, systems, primary, &limits),
            corrected: corrected_rows(decision, systems),
            uncorrected: uncorrected(decision, systems),
            reference: report.reference.as_ref(),
            under_both: report.reference.as_ref().map_or_else(Vec::new, ReferenceSection::under_both),
            mix: report.mix.as_ref(),
            coverage: &report.coverage,
            cutoff: tournaments.map_or(Some(report.study.rubric.cutoff), |found| found.setup.relevant_from),
            panel: report.panel.as_ref(),
            escalation: report.escalation_in_sentences(),
            tournaments,
            panel_cycles: tournaments.and_then(|found| Some(found.totals.panel.as_ref()?.sentence())),
            distances: tournaments.and_then(|found| distance_sentence(&found.totals.by_distance)),
            distance_chart: tournaments.and_then(|found| distance_chart(&found.totals.by_distance)),
            comparing_noise: tournaments.and_then(|found| found.totals.noise()),
            people_compared: tournaments.and_then(|found| Some(found.people.as_ref()?.who())),
            cost: &report.cost,
            topics: Topics::read(queries, (&decision.primary, primary), largest, &limits),
            provenance: &report.provenance,
        };
        let sentences = basis_with_cost(&view);
        view.basis = sentences.join(" ");
        view.basis_line = basis(&view, view.not_covered(), None).into_iter().next().unwrap_or_default();
        view.basis_notes = sentences.into_iter().skip(1).collect();
        view
    }

    /// Returns the first system's figure by the measure that decides.
    pub(crate) fn deciding_figure(&self) -> Option<&'a Figure> {
        self.systems.first()?.figures.get(self.primary)
    }

    /// Returns how many of the differences that decide are corrected by human labels, and how many there are.
    pub(crate) fn corrected(&self) -> (usize, usize) {
        let corrected = self.decision.decisive().filter(|found| found.ppi.is_some());
        (corrected.count(), self.decision.decisive().count())
    }

    /// Returns a sentence on the correction of the differences, or of the only figure; `None` without one.
    pub(crate) fn correction(&self) -> Option<String> {
        match self.corrected() {
            (0, 0) => self.deciding_figure()?.ppi.as_ref().map(|_| "Corrected by human labels.".to_owned()),
            (0, _) => None,
            (corrected, all) => Some(format!(
                "{} of {} corrected by human labels, and figures apart from them: these do not subtract to the \
                 differences.",
                count(corrected),
                counted(all, "difference")
            )),
        }
    }

    /// Returns the numbers behind the table in a line, without the cost.
    pub(crate) fn basis_in_brief(&self) -> String {
        let covers = self.not_covered();
        let rest = self.decision.interval_covers.clone().filter(|_| covers.is_empty());
        basis(self, covers, rest).join(" ")
    }

    /// Returns which errors all intervals ignore, in words that follow them.
    fn not_covered(&self) -> &'static str {
        match self.decision.interval_covers.as_deref() {
            Some(ONLY_QUERIES) => ", which do not allow for judge mistakes",
            _ => "",
        }
    }

    /// Returns `Requests: 359 answers, 3 failed, $0.12`, of the judges that are paid; `None` where none is.
    pub(crate) fn requests(&self) -> Option<String> {
        let is_paid = |judge: &&JudgeCost| {
            let is_model = judge.prompt_tokens.known.is_some_and(|tokens| tokens > 0);
            judge.cost_usd.known.is_some_and(|usd| usd > 0.0) || (is_model && judge.cost_usd.unknown > 0)
        };
        let paid: Vec<&str> =
            self.cost.judges.iter().filter(is_paid).map(|judge| judge.judge.as_str()).collect();
        if paid.is_empty() {
            return None;
        }
        let judges = || self.coverage.judges.iter().filter(|judge| paid.contains(&judge.judge.as_str()));
        let sum =
            |of: fn(&JudgeCoverage) -> &[Count]| judges().flat_map(of).map(|lost| lost.count).sum::<u64>();
        let answers = judges().map(|judge| judge.judged).sum::<u64>();
        let lost = [
            (sum(|judge| &judge.failed), "failed"),
            (sum(|judge| &judge.refused), "refused"),
            (sum(|judge| &judge.unusable), "unparsable"),
        ];
        let lost = lost.into_iter().filter(|(number, _)| *number > 0);
        let lost: String = lost.map(|(number, what)| format!(", {} {what}", count(number))).collect();
        Some(format!("Requests: {}{lost}, {}", counted(answers, "answer"), self.cost.total()))
    }

    /// Returns the track records of the verdicts, and what single judges decide, in sentences.
    pub fn track_record(&self) -> &[String] {
        &self.track_record
    }

    /// Returns how many checks are not raised.
    pub(crate) fn not_raised(&self) -> usize {
        self.checks.iter().filter(|check| !check.raised).count()
    }
}

impl<'a, T: TopicSource> From<&'a Report<T>> for ReportView<'a> {
    fn from(report: &'a Report<T>) -> Self {
        Self::new(report, Limits::default())
    }
}

/// Returns `24 queries, all 212 query-document pairs labelled by claude, 95% intervals.`, orders and the correction.
/// `covers` follows the intervals, and `rest` their sentence.
fn basis(view: &ReportView<'_>, covers: &str, rest: Option<String>) -> Vec<String> {
    let coverage = view.coverage;
    let figure = view.deciding_figure();
    let measured = figure.map(|figure| figure.n);
    let queries = match &view.study.queries {
        Some(chosen) if measured == Some(chosen.chosen) => Some(chosen.to_string()),
        Some(chosen) => measured.map(|n| format!("{chosen}, {} with labels", count(n))),
        None => measured.map(|n| counted(n, "query")),
    };
    let pairs = counted(coverage.pairs, "query-document pair");
    // Where the labels of a base are among them, another sentence says whose are whose.
    let by = match view.study.judges.as_slice() {
        [judge] if view.mix.is_none() => format!(" by {}", judge.name),
        [_, _, ..] if view.mix.is_none() => {
            format!(" by a panel of {} judges", count(view.study.judges.len()))
        }
        _ => String::new(),
    };
    let labelled = match coverage.labelled == coverage.pairs && coverage.pairs > 0 {
        true if coverage.pairs == 1 => format!("{pairs} labelled{by}"),
        true => format!("all {pairs} labelled{by}"),
        false => format!("{} of {pairs} labelled{by}", count(coverage.labelled)),
    };
    let shown = view.table.iter().filter_map(|row| row.difference.as_ref());
    let has_intervals = shown.map(|(_, interval)| interval).any(|interval| !interval.is_empty());
    let level = figure.filter(|_| has_intervals).map(|figure| confidence(figure.confidence));
    let intervals = level.map(|level| format!("{level} intervals{covers}"));
    let numbers = queries.into_iter().chain([labelled]).chain(intervals).collect::<Vec<_>>();
    let mut sentences = vec![format!("{}.", numbers.join(", "))];
    sentences.extend(rest.filter(|_| has_intervals));
    if let Some(tournaments) = view.tournaments {
        let totals = &tournaments.totals;
        let cyclic = match totals.triangles {
            0 => String::new(),
            all => format!("; {} of {} cyclic", count(totals.cyclic_triangles), counted(all, "triangle")),
        };
        sentences.push(format!(
            "Orders from {} of documents in {}{cyclic}.",
            counted(totals.calls, "set"),
            counted(totals.waves, "wave")
        ));
    }
    sentences.extend(view.correction());
    sentences
}

/// The same with the cost, for pages.
fn basis_with_cost(view: &ReportView<'_>) -> Vec<String> {
    let cost = view.cost.total();
    let cost = cost.known.is_some_and(|usd| usd > 0.0).then(|| format!("Cost so far: {cost}."));
    let mut sentences = basis(view, "", view.decision.interval_covers.clone());
    sentences.extend(cost);
    sentences
}

/// Explains the figures of the best order; `None` without any.
fn best_order_note(depth: Option<usize>, systems: &[MeasuredSystem]) -> Option<String> {
    let mut figures = systems.iter().flat_map(|system| &system.figures);
    let depth = depth.filter(|_| figures.any(|figure| figure.best_order.is_some()))?;
    Some(format!(
        "Best order of its own results: the mean if the first {} of each query (the pool's depth) stood in the best \
         order: no reranker of these can exceed it by these labels. Documents without a label count as in the mean, by \
         default as not relevant, so it may be higher.",
        counted(depth, "document")
    ))
}

/// A row: a figure, or a difference, corrected by human labels.
#[derive(Serialize)]
struct CorrectedRow<'a> {
    measure: &'a str,
    /// The system, or candidate and baseline.
    what: String,
    ppi: &'a CorrectedFigure,
}

/// Differences first, since they decide.
fn corrected_rows<'a>(decision: &'a DecisionSection, systems: &'a [MeasuredSystem]) -> Vec<CorrectedRow<'a>> {
    let differences = decision.comparisons.iter().filter_map(|comparison| {
        let what = format!("{} - {}", comparison.system, comparison.baseline);
        Some(CorrectedRow { measure: &comparison.measure, what, ppi: comparison.ppi.as_ref()? })
    });
    let figures = systems.iter().flat_map(|system| {
        system.figures.iter().filter_map(|figure| {
            let what = system.system.clone();
            Some(CorrectedRow { measure: &figure.measure, what, ppi: figure.ppi.as_ref()? })
        })
    });
    differences.chain(figures).collect()
}

/// Why figures and differences are not corrected though there is a sample, each reason once.
fn uncorrected(decision: &DecisionSection, systems: &[MeasuredSystem]) -> Vec<String> {
    let of_systems = systems.iter().flat_map(|system| {
        system.figures.iter().filter_map(|figure| {
            let reason = figure.ppi_refused.as_ref()?;
            Some((format!("{} of {}", figure.measure, system.system), reason))
        })
    });
    let of_differences = decision.comparisons.iter().filter_map(|comparison| {
        let reason = comparison.ppi_refused.as_ref()?;
        Some((format!("{} of {} - {}", comparison.measure, comparison.system, comparison.baseline), reason))
    });
    let mut reasons: Vec<(Vec<String>, &String)> = Vec::new();
    for (what, reason) in of_differences.chain(of_systems) {
        match reasons.iter_mut().find(|(_, known)| *known == reason) {
            Some((whats, _)) => whats.push(what),
            None => reasons.push((vec![what], reason)),
        }
    }
    reasons.into_iter().map(|(whats, reason)| format!("{}: {reason}", whats.join(", "))).collect()
}

/// The charts of the measure that decides, each `None` without a row.
#[derive(Default, Serialize)]
pub(crate) struct Charts {
    /// The systems with their intervals.
    pub(crate) systems: Option<String>,
    /// The differences from the baseline.
    pub(crate) differences: Option<String>,
    /// The differences corrected by human labels, each with the figures of the sample and of the judge alone.
    pub(crate) corrected: Option<String>,
}

impl Charts {
    pub(super) fn of(
        decision: &DecisionSection,
        systems: &[MeasuredSystem],
        primary: usize,
        limits: &Limits,
    ) -> Self {
        let most = limits.rows.min(60);
        let of_difference = |name: String, value: Option<f64>, low, high| {
            let text = value.map_or_else(|| ABSENT.to_owned(), brief_difference);
            Whisker { name, figure: beside(text, low, high, brief_interval), value, low, high }
        };
        let alone = |who: &str, found: &EstimateInterval| {
            of_difference(who.to_owned(), Some(found.value), found.low, found.high)
        };
        let of_system = |system: &MeasuredSystem| {
            let found = system.figures.get(primary)?;
            let Figure { mean, low, high, .. } = *found;
            let ends = |low: f64, high: f64| format!("{} to {}", brief_figure(low), brief_figure(high));
            let figure = beside(brief_figure(mean), low, high, ends);
            Some(Whisker { name: system.system.clone(), figure, value: mean, low, high })
        };
        let of_comparison = |found: &BaselineComparison| {
            of_difference(found.system.clone(), found.mean_difference, found.low, found.high)
        };
        let of_corrected = |found: &BaselineComparison| {
            let (name, ppi) = (format!("{}, corrected", found.system), found.ppi.as_ref()?);
            Some([
                of_difference(name, Some(ppi.value), Some(ppi.low), Some(ppi.high)),
                alone("by human labels alone", &ppi.human_only),
                alone("by the judge alone", &ppi.judge_only),
            ])
        };
        let systems = (!systems.is_empty()).then(|| {
            let rows: Vec<Whisker> = systems.iter().take(most).filter_map(of_system).collect();
            whiskers("Systems with their intervals", &rows, false)
        });
        let chart =
            |title: &str, rows: Vec<Whisker>| (!rows.is_empty()).then(|| whiskers(title, &rows, true));
        let differences = decision.decisive().take(most).map(of_comparison).collect();
        let corrected = decision.decisive().filter_map(of_corrected).take(limits.rows.min(20));
        Self {
            systems,
            differences: chart("Differences from the baseline with their intervals", differences),
            corrected: chart("Differences corrected by human labels", corrected.flatten().collect()),
        }
    }
}

/// A value and its interval in the space next to a name.
fn beside(
    value: String,
    low: Option<f64>,
    high: Option<f64>,
    interval: impl Fn(f64, f64) -> String,
) -> String {
    match low.zip(high) {
        Some((low, high)) => format!("{value} ({})", interval(low, high)),
        None => value,
    }
}

/// How much of the detail the Markdown and the page show, so that both stay readable whatever the study. Each counts
/// the omitted rows; the JSON has everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Queries in the Markdown, those with the largest differences first; 50 unless changed.
    pub markdown_topics: usize,
    /// Queries on the page with their rankings, in the same order; 300 unless changed.
    pub html_topics: usize,
    /// Documents of a query in the Markdown, in the report's order; 10 unless changed.
    pub documents: usize,
    /// Disagreements between judges, and with the reference, in the Markdown; 10 unless changed.
    pub disagreements: usize,
    /// How far down a system's ranking the page shows; 10 unless changed.
    pub ranks: u32,
    /// Systems with rankings side by side on the page; 4 by default.
    pub systems: usize,
    /// Rows of a table on the page, and bars of a chart; 400 unless changed.
    pub rows: usize,
    /// Bytes of the page: queries are added while there is room. 4,500,000 unless changed.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            markdown_topics: 50,
            html_topics: 300,
            documents: 10,
            disagreements: 10,
            ranks: 10,
            systems: 4,
            rows: 400,
            bytes: 4_500_000,
        }
    }
}

/// How many queries a list of names gives by name.
const NAMED: usize = 20;

/// Names of queries: how many there are, and the first of them.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Named {
    count: usize,
    names: Vec<String>,
}

impl Named {
    /// Keeps the first of these names.
    pub(crate) fn of(names: &[String]) -> Self {
        Self { count: names.len(), names: names.iter().take(NAMED).cloned().collect() }
    }

    pub(super) fn add(&mut self, name: &str) {
        self.count += 1;
        if self.names.len() < NAMED {
            self.names.push(name.to_owned());
        }
    }

    /// `q1, q2 and 3 more`.
    pub(crate) fn listed(&self) -> String {
        let more = self.count - self.names.len();
        let names = self.names.join(", ");
        if more == 0 { names } else { format!("{names} and {more} more") }
    }
}

//! What CI systems show of a report, or of a comparison.

use crate::checks::CheckGate;
use crate::gate_rows::{GateRow, gate_rows};
use crate::gates::GateResult;
use crate::significance::{ComparisonView, Grid, GridCell, SignificanceTable};
use crate::study_verdict::DecisionSection;
use crate::text::{count, figures, markdown_table, words};
use crate::view::{DecisionRow, ReportView};

/// The state of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CiState {
    /// Every gate holds, and nothing is missing.
    Passed,
    /// A gate failed.
    Failed,
    /// Judgments are missing, or could change a gate.
    Incomplete,
    /// There is no gate.
    NoGates,
}

impl CiState {
    /// Returns the state in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Incomplete => "incomplete",
            Self::NoGates => "no gates",
        }
    }
}

/// The decision, the gates and the systems. [`junit`](Self::junit), [`annotations`](Self::annotations) and
/// [`comment`](Self::comment) are made of them.
#[derive(Debug, Clone)]
pub struct CiResult {
    /// The name of the study; empty without one.
    pub(super) name: String,
    /// The decision, a sentence each.
    pub(super) decision: Vec<String>,
    /// The gates, and the bounds on judges.
    pub(super) gates: Vec<GateRow>,
    /// Whether no command adds the labels that are missing, since they are those of plain files.
    pub(super) of_files: bool,
    /// Why judgments are missing; empty if the result is complete.
    pub(super) missing: Vec<String>,
    /// The table of systems in Markdown, a line each: heading, rule, rows.
    pub(super) systems: Vec<String>,
    /// The numbers behind the table.
    pub(super) basis: Vec<String>,
}

impl CiResult {
    /// The result of a study. `complete` is false if judgments are missing.
    pub fn of_report(view: &ReportView<'_>, complete: bool) -> Self {
        let coverage = view.coverage;
        let missing = (!complete).then(|| {
            format!(
                "Judgments are missing: {} of {} query-document pairs have a label. {} continues.",
                count(coverage.labelled),
                count(coverage.pairs),
                view.decision.run()
            )
        });
        let baseline = view.decision.baseline.as_deref().unwrap_or("the baseline");
        let columns = [
            words("system"),
            figures(view.decision.primary.clone()),
            words(format!("difference from {baseline}")),
            words("verdict"),
            figures("unjudged"),
        ];
        let row = |row: &DecisionRow<'_>| {
            vec![
                row.system.to_owned(),
                row.figure.clone(),
                row.difference_text().unwrap_or_default(),
                row.verdict.to_owned(),
                format!("{} of {}", count(row.unjudged.0), count(row.unjudged.1)),
            ]
        };
        let table = markdown_table(columns, view.table.iter().map(row));
        let ignored = (view.decision.checks_ignored && !view.decision.unreliable_judges.is_empty())
            .then(|| format!("Failed checks of {} are ignored.", view.decision.unreliable_judges.join(", ")));
        let sentences = view.raised.iter().chain(&view.decision.summary).chain(&view.track_record);
        Self {
            name: view.study.name.clone(),
            decision: ignored.into_iter().chain(sentences.cloned()).collect(),
            gates: view.gates.clone(),
            of_files: false,
            missing: missing.into_iter().collect(),
            systems: table.lines().map(str::to_owned).collect(),
            basis: vec![view.basis.clone()],
        }
    }

    /// The result of a comparison of a study's systems, with the bounds on its judges, or of plain files, which have
    /// no `name`. `complete` is false if judgments of the study are missing.
    pub fn of_comparison(
        name: Option<&str>,
        tables: &[SignificanceTable],
        (gates, checks): (&[GateResult], &[CheckGate]),
        complete: bool,
    ) -> Self {
        let view = ComparisonView::new(tables, &[]);
        let missing = "Judgments are missing. The same command, or llull run in a study, continues.";
        Self {
            name: name.unwrap_or_default().to_owned(),
            decision: view.sentences,
            gates: gate_rows(gates, checks),
            of_files: name.is_none(),
            missing: (!complete).then(|| missing.to_owned()).into_iter().collect(),
            systems: lines(&view.systems),
            basis: view.legend,
        }
    }

    /// Returns the state of the build.
    pub fn state(&self) -> CiState {
        build_state(&self.gates, !self.missing.is_empty(), self.of_files)
    }

    /// Whether another run could change the result of a gate.
    pub(super) fn is_open(&self, gate: &GateRow) -> bool {
        is_open(gate, !self.missing.is_empty(), self.of_files)
    }
}

impl DecisionSection {
    /// Returns the state of a build under this decision. `complete` is false if judgments are missing.
    pub fn build_state(&self, complete: bool) -> CiState {
        build_state(&gate_rows(&self.system_gates, &self.check_gates), !complete, false)
    }
}

fn build_state(gates: &[GateRow], missing: bool, of_files: bool) -> CiState {
    if gates.iter().any(|gate| !gate.passed && !is_open(gate, missing, of_files)) {
        CiState::Failed
    } else if missing || gates.iter().any(|gate| !gate.passed) {
        CiState::Incomplete
    } else if gates.is_empty() {
        CiState::NoGates
    } else {
        CiState::Passed
    }
}

/// Whether labels that another run adds could change the result of a gate.
fn is_open(gate: &GateRow, missing: bool, of_files: bool) -> bool {
    !of_files && (gate.incomplete || (gate.unmeasured && !gate.is_judge && missing))
}

fn lines(grid: &Grid) -> Vec<String> {
    let cell = |cell: &GridCell| match cell {
        GridCell::Name(text) | GridCell::Figure(text) => text.clone(),
        GridCell::Lettered { figure, letters } if letters.is_empty() => figure.clone(),
        GridCell::Lettered { figure, letters } => format!("{figure} ({letters})"),
    };
    let columns = grid.columns.iter().map(|column| match column.left {
        true => words(cell(&column.heading)),
        false => figures(cell(&column.heading)),
    });
    let rows = grid.rows.iter().map(|row| row.iter().map(cell).collect());
    markdown_table(columns, rows).lines().map(str::to_owned).collect()
}

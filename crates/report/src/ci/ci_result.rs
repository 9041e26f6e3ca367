//! What CI systems show of a report, or of a comparison.

use crate::checks::CheckGate;
use crate::gates::{GateResult, GateRow, gate_rows};
use crate::significance::{ComparisonView, SignificanceTable};
use crate::study_verdict::DecisionSection;
use crate::text::{Table, TableCell, TableColumn, count, counted, figures, words};
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
        let table = Table::new(columns, view.table.iter().map(row));
        let ignored = (view.decision.checks_ignored && !view.decision.unreliable_judges.is_empty())
            .then(|| format!("Failed checks of {} are ignored.", view.decision.unreliable_judges.join(", ")));
        let sentences = view.raised.iter().chain(&view.decision.summary).chain(&view.track_record);
        Self {
            name: view.study.name.clone(),
            decision: ignored.into_iter().chain(sentences.cloned()).collect(),
            gates: view.gates.clone(),
            of_files: false,
            missing: missing.into_iter().collect(),
            systems: lines(table),
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
            systems: lines(with_letters_in_brackets(view.systems)),
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

fn lines(table: Table) -> Vec<String> {
    table.markdown().lines().map(str::to_owned).collect()
}

/// Without superscript: the same lines are the text of a JUnit report.
fn with_letters_in_brackets(Table { columns, rows }: Table) -> Table {
    let cell = |cell: TableCell| match cell {
        TableCell::Name(text) | TableCell::Figure(text) => text,
        TableCell::Lettered { figure, letters } if letters.is_empty() => figure,
        TableCell::Lettered { figure, letters } => format!("{figure} ({letters})"),
    };
    let columns = columns.into_iter().map(|TableColumn { heading, left }| match left {
        true => words(cell(heading)),
        false => figures(cell(heading)),
    });
    Table::new(columns, rows.into_iter().map(|row| row.into_iter().map(cell).collect()))
}

impl CiResult {
    /// Returns the annotations, a line each: an error for each failed gate, and a notice with the decision. GitHub
    /// shows ten of each kind in a step.
    ///
    /// Source: docs.github.com, "Workflow commands for GitHub Actions"; the escapes are those of `actions/toolkit`,
    /// `packages/core/src/command.ts`.
    pub fn annotations(&self) -> Vec<String> {
        let mut lines: Vec<String> =
            self.missing.iter().map(|why| command("error", "llull: incomplete", why)).collect();
        for gate in self.gates.iter().filter(|gate| !gate.passed) {
            lines.push(command("error", &format!("Gate {}: {}", gate.result, gate.gate), &gate.sentence));
        }
        let passed = self.gates.iter().filter(|gate| gate.passed).count();
        if passed > 0 {
            lines.push(command("notice", "llull: gates", &format!("{} passed.", counted(passed, "gate"))));
        }
        if !self.decision.is_empty() {
            lines.push(command("notice", "llull: decision", &self.decision.join("\n")));
        }
        lines
    }
}

fn command(kind: &str, title: &str, message: &str) -> String {
    let title = data(title).replace(':', "%3A").replace(',', "%2C");
    format!("::{kind} title={title}::{}", data(message))
}

/// A text on one line, which the runner decodes.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_begins_a_command_of_its_own() {
        assert_eq!(
            command("error", "Gate failed: a,b 5%", "100% of x\r\n::stop-commands::y"),
            "::error title=Gate failed%3A a%2Cb 5%25::100%25 of x%0D%0A::stop-commands::y"
        );
    }
}

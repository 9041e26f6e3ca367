//! The end of a run on a terminal: the judges and their checks, one table, and what to do next.

use std::io::Write;

use crate::comparison::{BaselineComparison, ComparisonFinding};
use crate::error::ReportError;
use crate::export::Exporter;
use crate::gates::gate_table;
use crate::html::headline;
use crate::significance::Terminal;
use crate::study::ReportJudgeKind;
use crate::study_verdict::StudyVerdict;
use crate::text::{count, counted, figures, text_table, words, wrapped};
use crate::view::{CheckRow, DecisionRow, JudgeChecks, ReportView, SliceTable};

/// The longest line.
const WIDTH: usize = 100;

/// The most systems in the table.
const SYSTEMS: usize = 20;

/// The most rows of a table of slices.
const SLICES: usize = 24;

impl Exporter<ReportView<'_>> for Terminal {
    fn export(&self, view: &ReportView<'_>, out: &mut dyn Write) -> Result<(), ReportError> {
        let judges = self.judges(view);
        let judges = if view.judges.len() < 2 { judges } else { format!("Judges\n{judges}") };
        let slices = view.slices.iter().map(slices);
        let parts: Vec<String> = [judges, result(view)]
            .into_iter()
            .chain(slices)
            .chain([next(view)])
            .chain(view.requests())
            .collect();
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        out.write_all(parts.join("\n\n").as_bytes()).map_err(ReportError::Write)
    }
}

impl Terminal {
    /// Returns the judges with their checks, and their agreement with the reference; empty if nothing was checked.
    pub fn judges(&self, view: &ReportView<'_>) -> String {
        let mut lines = Vec::new();
        for judge in &view.judges {
            let is_baseline = judge.failed.is_empty()
                && view.study.judges.iter().any(|known| {
                    known.name == judge.judge && known.kind == ReportJudgeKind::SimilarityBaseline
                });
            let caution =
                if is_baseline { "; it counts shared words and is no judge of relevance" } else { "" };
            lines.push(format!("  {}: {}{caution}", judge.judge, judge.in_brief()));
            lines.extend(checks(judge));
        }
        if let Some(reference) = view.reference {
            lines.extend(reference.in_brief(true).map(|text| wrapped(&text, WIDTH, "  ", "  ")));
            lines.extend(reference.not_compared.as_ref().map(|why| wrapped(why, WIDTH, "  ", "  ")));
        }
        lines.join("\n")
    }
}

fn checks(judge: &JudgeChecks) -> Vec<String> {
    let line = |outcome: &str, check: &CheckRow| {
        let text = format!("{}: {}", check.title, check.text);
        wrapped(&text, WIDTH, &format!("    {outcome}  "), "             ")
    };
    let failed = judge.failed.iter().map(|check| line("FAILED ", check));
    failed.chain(judge.warnings.iter().map(|check| line(&format!("{:<7}", check.words), check))).collect()
}

fn result(view: &ReportView<'_>) -> String {
    let decision = view.decision;
    let sentence = |text: &String| wrapped(text, WIDTH, "", "");
    let mut parts: Vec<String> = view.unlike.iter().map(|condition| sentence(&condition.line())).collect();
    if let Some(since) = view.since.as_ref().filter(|since| !since.since.unlike.is_empty()) {
        parts.push(sentence(&since.verdict));
    }
    parts.extend(view.lead.iter().map(sentence));
    // The lead has any other outcome.
    if matches!(decision.verdict, StudyVerdict::Compared) {
        parts.push(sentence(&headline(decision)));
    }
    if !parts.is_empty() && !view.table.is_empty() {
        parts.push(String::new());
    }
    if !view.table.is_empty() {
        parts.push(table(view));
        parts.push(sentence(&view.basis_in_brief()));
        parts.extend(reasons(view).iter().map(sentence));
    }
    parts.extend(decision.notes.iter().map(sentence));
    if let Some(without) = &decision.without {
        parts.extend(without.sentences.iter().map(sentence));
    }
    if !view.gates.is_empty() {
        parts.extend([String::new(), gate_table(&view.gates).text()]);
        parts.extend(view.gates.iter().filter(|gate| !gate.passed).map(|gate| sentence(&gate.sentence)));
    }
    parts.join("\n")
}

fn table(view: &ReportView<'_>) -> String {
    let baseline = view.decision.baseline.as_deref().unwrap_or("the baseline");
    let shown = &view.table[..view.table.len().min(SYSTEMS)];
    let compared = shown.iter().any(|row| row.difference.is_some());
    let unjudged = shown.iter().any(|row| row.unjudged.0 > 0);
    let mut columns = vec![words("system"), figures(view.decision.primary.clone())];
    if compared {
        columns.extend([words(format!("difference from {baseline}")), words("verdict")]);
    }
    if unjudged {
        columns.push(figures("unjudged"));
    }
    let cells = |row: &DecisionRow<'_>| {
        let mut cells = vec![row.system.to_owned(), row.figure.clone()];
        if compared {
            cells.extend([row.difference_text().unwrap_or_default(), row.verdict.to_owned()]);
        }
        if unjudged {
            cells.push(format!("{} of {}", count(row.unjudged.0), count(row.unjudged.1)));
        }
        cells
    };
    let table = text_table(columns, shown.iter().map(cells));
    match view.table.len() - shown.len() {
        0 => table,
        more => format!("{table}\n{} more in the report", counted(more, "system")),
    }
}

fn slices(table: &SliceTable<'_>) -> String {
    let cells = table.cells(SLICES);
    let more = match table.len() - cells.rows.len() {
        0 => String::new(),
        more => format!("\n{} in the report", counted(more, "more row")),
    };
    format!("{}{more}\n{}", cells.text(), wrapped(&table.note, WIDTH, "", ""))
}

/// Why comparisons could not be decided by any figures on these queries, each reason once.
fn reasons(view: &ReportView<'_>) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in view.table.iter().take(SYSTEMS) {
        let Some(reason) =
            row.comparison.filter(|found| has_reason(found)).and_then(|found| found.undecidable.as_deref())
        else {
            continue;
        };
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, systems)) => systems.push(row.system),
            None => reasons.push((reason, vec![row.system])),
        }
    }
    reasons.into_iter().map(|(reason, systems)| format!("{}: {reason}.", systems.join(", "))).collect()
}

/// The lead has the reason of decisions that were withdrawn, and the table that of equal systems.
fn has_reason(found: &BaselineComparison) -> bool {
    matches!(found.decision, ComparisonFinding::Inconclusive | ComparisonFinding::Unmeasured)
}

fn next(view: &ReportView<'_>) -> String {
    match view.next.as_slice() {
        [] => String::new(),
        [step] => wrapped(step, WIDTH, "Next: ", "      "),
        steps => {
            let steps: Vec<String> = steps.iter().map(|step| wrapped(step, WIDTH, "  ", "  ")).collect();
            format!("Next\n{}", steps.join("\n"))
        }
    }
}

//! The end of a run on a terminal: the judges and their checks, one table, and what to do next.

use std::io::Write;

use crate::decision::StudyVerdict;
use crate::error::ReportError;
use crate::export::Exporter;
use crate::significance::Terminal;
use crate::text::{
    brief_figure, brief_percent, confidence, count, counted, dollars, figures, text_table, words, wrapped,
};
use crate::view::{CheckRow, DecisionRow, JudgeChecks, ReportView};

/// The longest line.
const WIDTH: usize = 100;

/// The most systems in the table.
const SYSTEMS: usize = 20;

impl Exporter<ReportView<'_>> for Terminal {
    fn export(&self, view: &ReportView<'_>, out: &mut dyn Write) -> Result<(), ReportError> {
        let judges = self.judges(view);
        let judges = if judges.is_empty() { judges } else { format!("Judges\n{judges}") };
        let parts = [judges, result(view), next(view)];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        out.write_all(parts.join("\n\n").as_bytes()).map_err(ReportError::Write)
    }
}

impl Terminal {
    /// Returns the judges with their checks, and their agreement with the reference; empty if nothing was checked.
    pub fn judges(&self, view: &ReportView<'_>) -> String {
        let mut lines = Vec::new();
        for judge in &view.judges {
            lines.push(format!("  {}: {}", judge.judge, judge.counts()));
            lines.extend(checks(judge));
        }
        if let Some(reference) = &view.reference {
            match (&reference.not_compared, reference.agreement.exact) {
                (None, Some(exact)) => lines.push(format!(
                    "  Same grade as {} on {} of {} (kappa {}).",
                    reference.name,
                    brief_percent(exact),
                    counted(reference.agreement.both, "pair"),
                    brief_figure(reference.agreement.kappa)
                )),
                (Some(why), _) => lines.push(wrapped(why, WIDTH, "  ", "  ")),
                (None, None) => {}
            }
        }
        lines.join("\n")
    }
}

fn checks(judge: &JudgeChecks<'_>) -> Vec<String> {
    let line = |outcome: &str, check: &CheckRow<'_>| {
        let text = format!("{}: {}", check.title, check.text);
        wrapped(&text, WIDTH, &format!("    {outcome}  "), "             ")
    };
    let failed = judge.failed.iter().map(|check| line("FAILED ", check));
    failed.chain(judge.warnings.iter().map(|check| line("warning", check))).collect()
}

fn result(view: &ReportView<'_>) -> String {
    let decision = view.decision;
    let sentence = |text: &String| wrapped(text, WIDTH, "", "");
    let mut parts: Vec<String> = view.unlike.iter().map(|condition| sentence(&condition.line())).collect();
    if let Some(since) = view.since.as_ref().filter(|since| !since.since.unlike.is_empty()) {
        parts.push(sentence(&since.verdict));
    }
    if decision.verdict != StudyVerdict::Compared {
        parts.extend(decision.summary.iter().map(sentence));
    }
    if !parts.is_empty() && !view.table.is_empty() {
        parts.push(String::new());
    }
    if !view.table.is_empty() {
        parts.push(table(view));
        parts.push(sentence(&basis(view)));
    }
    if let Some(without) = &decision.without {
        parts.extend(without.sentences.iter().map(sentence));
    }
    parts.extend(decision.check_gates.iter().map(|gate| sentence(&gate.sentence)));
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
            let difference = row.difference.as_ref().map_or_else(String::new, |(value, interval)| {
                if interval.is_empty() { value.clone() } else { format!("{value}  ({interval})") }
            });
            cells.extend([difference, row.verdict.to_owned()]);
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

/// The numbers behind the table: queries, labels, intervals and the correction.
fn basis(view: &ReportView<'_>) -> String {
    let coverage = view.coverage;
    let figure = view.systems.first().and_then(|system| system.figures.get(view.primary));
    let mut text = figure.map_or_else(String::new, |figure| format!("{}, ", counted(figure.n, "query")));
    text.push_str(&format!(
        "{} of {} labelled",
        count(coverage.labelled),
        counted(coverage.pairs, "pooled pair")
    ));
    let shown =
        |row: &DecisionRow<'_>| row.difference.as_ref().is_some_and(|(_, interval)| !interval.is_empty());
    if let Some(figure) = figure.filter(|_| view.table.iter().any(shown)) {
        text.push_str(&format!(", {} intervals", confidence(figure.confidence)));
    }
    text.push('.');
    if let Some(tournaments) = view.tournaments {
        let totals = &tournaments.totals;
        text.push_str(&format!(
            " Orders from {} in {}; {} of {} cyclic.",
            counted(totals.calls, "request"),
            counted(totals.waves, "wave"),
            count(totals.cyclic_triangles),
            counted(totals.triangles, "triangle")
        ));
    }
    if view.table.iter().any(|row| row.corrected) {
        text.push_str(" Corrected by human labels.");
    }
    let comparisons = view.table.iter().filter(|row| row.difference.is_some()).count();
    if comparisons > 1 {
        text.push_str(&format!(" {comparisons} comparisons, not adjusted for multiple testing."));
    }
    let spent: f64 = view.cost.judges.iter().filter_map(|judge| judge.cost_usd.known).sum();
    if spent > 0.0 {
        text.push_str(&format!(" Cost so far: ${}.", dollars(spent)));
    }
    text
}

fn next(view: &ReportView<'_>) -> String {
    if view.next.is_empty() {
        return String::new();
    }
    let steps: Vec<String> = view.next.iter().map(|step| wrapped(step, WIDTH, "  ", "  ")).collect();
    format!("Next\n{}", steps.join("\n"))
}

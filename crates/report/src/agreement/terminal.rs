//! The report on agreement as text for a terminal.

use super::report::{AgreementReport, ComparedLabels, OtherLabels};
use super::{label_sentences, label_tables, panel_tables, system_sentences, system_tables};
use crate::differing::{differing_text, shown};
use crate::text::{count, counted};

/// The report as tables and sentences: of several label sets a table of all, the panel's, and then a block for each.
pub fn agreement_text(report: &AgreementReport) -> String {
    let mut parts = Vec::new();
    if let ComparedLabels::Several { others, panel } = &report.compared {
        parts.push(panel_tables::side_by_side(others));
        if let Some(panel) = panel {
            let table = panel_tables::panels(panel, report.bootstrap.confidence);
            let lines = std::iter::once(table).chain(panel_tables::stray_lines(others));
            parts.push(lines.collect::<Vec<_>>().join("\n"));
        }
    }
    parts.extend(report.compared.others().iter().map(|other| of_one(report, other)));
    parts.join("\n\n")
}

/// All about one label set: tables, and then sentences.
fn of_one(report: &AgreementReport, other: &OtherLabels) -> String {
    let mut parts = label_tables::tables(report, other);
    parts.extend(disagreements(other));
    parts.extend(other.by_measure.iter().flat_map(|systems| system_tables::tables(report, other, systems)));
    let about_systems =
        other.by_measure.iter().flat_map(|systems| system_sentences::sentences(report, other, systems));
    let sentences: Vec<String> =
        label_sentences::sentences(report, other).into_iter().chain(about_systems).collect();
    if !sentences.is_empty() {
        parts.push(sentences.join("\n"));
    }
    parts.join("\n\n")
}

/// The pairs on which the label set and the truth differ most.
fn disagreements(other: &OtherLabels) -> Option<String> {
    let pairs = other.disagreements.as_ref().filter(|pairs| !pairs.listed.is_empty())?;
    Some(format!(
        "{} of {} differ, the other higher on {} and lower on {}; {}\n{}",
        count(pairs.differ),
        counted(pairs.both, "label"),
        count(pairs.higher),
        count(pairs.lower),
        shown(pairs),
        differing_text(pairs, "truth", "other")
    ))
}

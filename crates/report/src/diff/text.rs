//! The difference of two label sets as text for a terminal.

use super::report::{DiffSide, LabelDiff};
use super::systems::{DiffSystems, VerdictUnderBoth};
use crate::differing::{differing_text, shown};
use crate::text::{
    confidence, count, counted, difference, difference_interval, figure, interval, percent, percent_interval,
    text_table,
};

/// So many grades fit a table.
const GRADES: usize = 12;

/// The difference as sentences and tables: changes, agreement, systems and verdicts, and the pairs.
pub fn diff_text(diff: &LabelDiff) -> String {
    let mut parts = vec![summary(diff), agreement(diff)];
    if diff.agreement.grades.len() <= GRADES {
        parts.push(matrix(diff));
    }
    for systems in &diff.systems {
        parts.push(figures(systems));
        parts.extend(verdicts(systems));
    }
    if !diff.pairs.listed.is_empty() {
        let list = differing_text(&diff.pairs, "A", "B");
        parts.push(format!("labels that change, {}\n{list}", shown(&diff.pairs)));
    }
    parts.join("\n\n")
}

fn summary(diff: &LabelDiff) -> String {
    let side = |letter: &str, side: &DiffSide| {
        let source = if side.source == side.name { String::new() } else { format!(" ({})", side.source) };
        format!(
            "{letter}: {}{source}, {}, {} of them not in the other",
            side.name,
            counted(side.labels, "label"),
            count(side.alone)
        )
    };
    let pairs = &diff.pairs;
    let interval =
        diff.share_interval().map_or_else(String::new, |ends| format!(" {}", percent_interval(Some(ends))));
    let bias = diff.agreement.figures.bias;
    let ends = diff.agreement.ci.as_ref().and_then(|ci| ci.labels.bias);
    let bias_interval = ends
        .map_or_else(String::new, |[low, high]| format!(" {}", difference_interval(Some(low), Some(high))));
    let changed = match diff.changed.as_slice() {
        [] => String::new(),
        changed => format!("from A to B: {}\n", changed.join("; ")),
    };
    format!(
        "{}\n{}\n{changed}{} of {} change, {}{interval}: B is higher on {} and lower on {}; B less A is {} on average\
         {bias_interval}",
        side("A", &diff.a),
        side("B", &diff.b),
        count(pairs.differ),
        counted(pairs.both, "label"),
        percent(pairs.share()),
        count(pairs.higher),
        count(pairs.lower),
        difference(bias),
    )
}

fn agreement(diff: &LabelDiff) -> String {
    let (figures, ci) = (&diff.agreement.figures, diff.agreement.ci.as_ref().map(|ci| &ci.labels));
    let rows = [
        ("kappa", figures.kappa.plain, ci.and_then(|ci| ci.kappa.plain)),
        ("kappa, quadratic", figures.kappa.quadratic, ci.and_then(|ci| ci.kappa.quadratic)),
        ("alpha, ordinal", figures.alpha.ordinal, ci.and_then(|ci| ci.alpha.ordinal)),
        ("exact", figures.exact, ci.and_then(|ci| ci.exact)),
        ("within one", figures.within_one, ci.and_then(|ci| ci.within_one)),
    ];
    let pairs = count(diff.agreement.n);
    let rows = rows.map(|(name, value, ends)| {
        let [low, high] = ends.map_or([None, None], |ends| ends.map(Some));
        vec![name.to_owned(), figure(value), interval(low, high), pairs.clone()]
    });
    let interval = format!("{} interval", confidence(diff.bootstrap.confidence));
    text_table(["agreement", "value", &interval, "pairs"], rows)
}

fn matrix(diff: &LabelDiff) -> String {
    let mut headings = vec!["A \\ B".to_owned()];
    headings.extend(diff.agreement.grades.iter().map(ToString::to_string));
    let rows = diff.agreement.grades.iter().zip(&diff.agreement.confusion);
    let rows = rows.map(|(grade, row)| {
        std::iter::once(grade.to_string()).chain(row.iter().copied().map(count)).collect()
    });
    text_table(headings, rows)
}

fn figures(systems: &DiffSystems) -> String {
    let rows = systems.systems.iter().map(|system| {
        let moved = system.a.zip(system.b).map(|(a, b)| b - a);
        let ranks = match system.a_rank == system.b_rank {
            true => system.a_rank.to_string(),
            false => format!("{} to {}", system.a_rank, system.b_rank),
        };
        vec![system.system.clone(), figure(system.a), figure(system.b), difference(moved), ranks]
    });
    let tau = match systems.kendall_tau {
        Some(tau) => format!("; tau-b of the two rankings {}", figure(tau)),
        None => String::new(),
    };
    format!(
        "{}\n{} over {} that both have labelled{tau}",
        text_table([systems.measure.as_str(), "A", "B", "B less A", "rank"], rows),
        counted(systems.systems.len(), "system"),
        counted(systems.queries, "query")
    )
}

/// The verdicts that change in full, and how many do not.
fn verdicts(systems: &DiffSystems) -> Option<String> {
    if systems.verdicts.is_empty() {
        return None;
    }
    let changed: Vec<&VerdictUnderBoth> = systems.verdicts.iter().filter(|found| found.changed).collect();
    let mut lines = vec![format!(
        "verdicts by {} that change: {} of {}",
        systems.measure,
        count(changed.len()),
        count(systems.verdicts.len())
    )];
    for found in changed {
        lines.push(format!("  A: {}", found.a.sentence));
        lines.push(format!("  B: {}", found.b.sentence));
    }
    Some(lines.join("\n"))
}

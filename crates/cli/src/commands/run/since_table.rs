//! Compares a report with an earlier one, on the terminal.

use llull::report::SinceSection;
use llull::report::text::{difference, figure, text_table};

/// Describes the differences of the two settings, other changes, and the figures of both.
pub(super) fn since_table(since: &SinceSection) -> String {
    let mut lines = vec![match since.unlike.is_empty() {
        true => format!("since {}: {}", since.name, since.verdict()),
        false => format!("since {}:", since.name),
    }];
    lines.extend(
        since.unlike.iter().map(|condition| format!("  {}: {}", condition.of.name(), condition.sentence)),
    );
    lines.extend(since.changed.iter().chain(&since.decisions).map(|line| format!("  {line}")));
    if !since.figures.is_empty() {
        let rows = since.figures.iter().map(|moved| {
            let measure = moved.measure.clone();
            let [then, now] = [moved.before, moved.now].map(figure);
            vec![moved.system.clone(), measure, then, now, difference(moved.difference)]
        });
        lines.push(text_table(vec!["system", "measure", "then", "now", "difference"], rows));
    }
    lines.join("\n")
}

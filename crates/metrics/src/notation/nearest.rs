//! The measure that a mistyped name probably means.

use super::parts::Parts;
use crate::measure::Measure;
use crate::measures::definitions;

/// The measure that a mistyped name probably means, with the parameters that were written.
///
/// A typing error hardly ever hits the first letter, and names of two letters are too close to everything.
pub(super) fn nearest(parts: &Parts<'_>) -> Option<String> {
    let lower = parts.name.to_lowercase();
    let allowed = if lower.len() <= 4 { 1 } else { 2 };
    let names = definitions().flat_map(|definition| {
        std::iter::once(definition.name.to_lowercase()).chain(definition.aliases().map(str::to_lowercase))
    });
    let (_, name) = names
        .filter(|name| name.len() >= 3 && name.chars().next() == lower.chars().next())
        .map(|name| (distance(&lower, &name), name))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)?;
    let arguments = parts.arguments.as_ref().map_or_else(String::new, |arguments| format!("({arguments})"));
    let suffix = parts.suffix.map_or_else(String::new, |suffix| format!("@{suffix}"));
    let meant: Result<Measure, _> = format!("{name}{arguments}{suffix}").parse();
    Some(meant.map_or(name, |measure| measure.to_string()))
}

/// Edit distance where exchanging two neighbours is one edit (optimal string alignment; Damerau 1964).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for (i, from) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, to) in b.iter().enumerate() {
            let mut least = (rows[i][j] + usize::from(from != to)).min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i - 1] == *to && b[j - 1] == *from {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

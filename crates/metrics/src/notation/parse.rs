//! Parses the name of a measure.

use std::str::FromStr;

use super::arguments::Arguments;
use super::error::MeasureError;
use super::parts::Parts;
use crate::definition::Meaning;
use crate::measure::Measure;
use crate::measures::{definitions, named};

impl FromStr for Measure {
    type Err = MeasureError;

    fn from_str(text: &str) -> Result<Self, MeasureError> {
        parsed(text).map(|(measure, _)| measure)
    }
}

/// Reads a measure, and returns whether its text sets the relevant grades. A name that implies them (`num_rel_ret`)
/// does not set them.
pub(super) fn parsed(text: &str) -> Result<(Measure, bool), MeasureError> {
    let (head, level) = split_level(text);
    let parts = Parts::split(head).map_err(|error| error.quoting(text))?;
    let Some((definition, meaning, alias)) = named(parts.name) else {
        return Err(MeasureError::Unknown { name: parts.name.to_owned(), nearest: nearest(&parts) });
    };
    // `recall_100` is trec_eval's way to write it, and its names are not echoed.
    let alias = alias.filter(|_| parts.suffix.is_none() || head.contains('@'));
    let mut arguments = Arguments::new(text, definition);
    if let Meaning::With(implied) | Meaning::ExactCase(implied) = meaning {
        arguments.read(implied)?;
        arguments.names_level = false;
    }
    if let Some(written) = &parts.arguments {
        arguments.read(written)?;
    }
    if let Some(suffix) = parts.suffix {
        arguments.set_suffix(suffix)?;
    }
    if let Some(level) = level {
        arguments.set_level(level)?;
    }
    let Arguments { parameters, names_level, .. } = arguments;
    let measure = match (meaning, parameters.cutoff) {
        (Meaning::NeedsCutoff, None) => Err(definition.needs_cutoff(text)),
        (Meaning::WithoutCutoff(name), None) => {
            let other = named(name).map_or(definition, |(other, ..)| other);
            other.complete(text, parameters)
        }
        _ => definition.complete(text, parameters).map(|measure| measure.called(alias)),
    }?;
    Ok((measure, names_level))
}

/// Splits off ranx's way to write the lowest relevant grade, behind all else: `map@10-l2`.
fn split_level(text: &str) -> (&str, Option<&str>) {
    let is_level = |level: &str| !level.is_empty() && level.bytes().all(|byte| byte.is_ascii_digit());
    match text.trim().rsplit_once("-l") {
        Some((head, level)) if !head.contains('(') && is_level(level) => (head, Some(level)),
        _ => (text, None),
    }
}

/// The measure that a mistyped name probably means, with the parameters that were written.
///
/// A typing error hardly ever hits the first letter, and names of two letters are too close to everything.
fn nearest(parts: &Parts<'_>) -> Option<String> {
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

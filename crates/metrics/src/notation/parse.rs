//! Parses the name of a measure.

use std::borrow::Cow;
use std::str::FromStr;

use super::arguments::Arguments;
use super::error::MeasureError;
use crate::definition::{Meaning, WrittenBehind};
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

/// The text of a measure in its three parts.
pub(crate) struct Parts<'a> {
    pub(crate) name: &'a str,
    /// The text in the parentheses.
    pub(crate) arguments: Option<Cow<'a, str>>,
    /// The text after the `@`.
    pub(crate) suffix: Option<&'a str>,
}

impl<'a> Parts<'a> {
    /// Splits a text in the notation of ir_measures, trec_eval or ranx.
    pub(crate) fn split(text: &'a str) -> Result<Self, MeasureError> {
        let malformed = || MeasureError::Malformed { text: text.to_owned() };
        let (head, suffix) = match text.rsplit_once('@') {
            Some((head, suffix)) => (head.trim(), Some(suffix.trim())),
            None => (text.trim(), None),
        };
        let parts = match head.split_once('(') {
            Some((name, arguments)) => {
                let arguments = arguments.strip_suffix(')').ok_or_else(malformed)?;
                Self { name: name.trim(), arguments: Some(arguments.into()), suffix }
            }
            None => match (parameter_behind(head), suffix) {
                (Some((name, arguments)), _) => Self { name, arguments: Some(arguments.into()), suffix },
                (None, Some(_)) => Self { name: head, arguments: None, suffix },
                (None, None) => {
                    let (name, suffix) = cutoff_behind(head);
                    Self { name, arguments: None, suffix }
                }
            },
        };
        let is_plain = parts.name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
        if parts.name.is_empty() || !is_plain { Err(malformed()) } else { Ok(parts) }
    }
}

/// trec_eval's and ranx's way to write a parameter that is not a cutoff: the longest such name with which `head`
/// begins, and the arguments that the rest stands for.
fn parameter_behind(head: &str) -> Option<(&str, String)> {
    let read = |form: &WrittenBehind| {
        let behind = head.strip_prefix(form.name).filter(|rest| rest.starts_with(['_', '.']))?;
        Some((&head[..form.name.len()], (form.arguments)(behind)?))
    };
    let forms = definitions().flat_map(|definition| definition.written_behind);
    forms.filter_map(read).max_by_key(|(name, _)| name.len())
}

/// trec_eval's way to write a cutoff: `ndcg_cut_10`, `P.10`, and `P.5,10` or `P.2.5`, which are refused later with a
/// reason; and a recall level, `iprec_at_recall_0.10`.
fn cutoff_behind(head: &str) -> (&str, Option<&str>) {
    let measured_at_recall = definitions().filter(|definition| definition.takes_recall_level());
    for name in measured_at_recall.flat_map(|definition| definition.aliases()) {
        if let (Some(start), Some(rest)) = (head.get(..name.len()), head.get(name.len()..))
            && start.eq_ignore_ascii_case(name)
            && let Some(level) = rest.strip_prefix(['_', '.'])
        {
            return (start, Some(level));
        }
    }
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, ',' | '.' | '-' | '+');
    let name = head.trim_end_matches(is_number);
    let number = &head[name.len()..];
    // The separator is `_`, or the first `.` of the number: the cutoff of `ndcg_cut.23.4` is invalid.
    let split = match name.strip_suffix('_') {
        Some(shorter) => Some((shorter, number)),
        None => number.strip_prefix('.').map(|number| (name, number)),
    };
    match split {
        Some((name, number)) if !number.is_empty() => (name, Some(number)),
        _ => (head, None),
    }
}

//! The text of a measure in its parts.

use std::borrow::Cow;

use super::error::MeasureError;
use crate::definition::WrittenBehind;
use crate::measures::definitions;

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

//! A measure's text in its parts.

use std::borrow::Cow;
use std::str::FromStr;

use super::MeasureError;
use super::names::look_up;
use super::nearest::nearest;
use super::parameters::{cutoff_from, told};
use crate::kind::{At, Kind};
use crate::measure::Measure;

impl FromStr for Measure {
    type Err = MeasureError;

    fn from_str(text: &str) -> Result<Self, MeasureError> {
        let (head, level) = level_behind(text);
        let parts = Parts::split(head).map_err(|error| error.quoting(text))?;
        let Some((mut kind, besides)) = look_up(parts.name) else {
            return Err(MeasureError::Unknown { name: parts.name.to_owned(), nearest: nearest(&parts) });
        };
        let mut told = told(text, kind, besides, parts.arguments.as_deref())?;
        match (parts.at, kind.at()) {
            (None, _) => {}
            (Some(at), At::Recall) => told.recall_at(text, at)?,
            (Some(_), At::Nothing) => {
                return Err(MeasureError::NoCutoff {
                    text: text.to_owned(),
                    family: kind.name(),
                    example: kind.example(),
                });
            }
            (Some(_), _) if told.cutoff.is_some() => {
                return Err(MeasureError::Repeated { text: text.to_owned(), parameter: "cutoff".to_owned() });
            }
            (Some(at), _) => told.cutoff = Some(cutoff_from(text, at)?),
        }
        if let Some(level) = level {
            told.level(text, kind, level)?;
        }
        // ranx's `precision` alone looks at the whole list.
        if kind == Kind::Precision && told.cutoff.is_none() && parts.name.eq_ignore_ascii_case("precision") {
            kind = Kind::SetP;
        }
        // trec_eval's `map_cut` alone stands for a list of cutoffs, not for the whole list.
        if told.cutoff.is_none() && parts.name.to_lowercase().ends_with("_cut") {
            return Err(MeasureError::CutoffNeeded { text: text.to_owned(), example: kind.example() });
        }
        told.measure(text, kind)
    }
}

/// A measure's text in its three parts.
pub(crate) struct Parts<'a> {
    pub(crate) name: &'a str,
    pub(crate) arguments: Option<Cow<'a, str>>,
    pub(crate) at: Option<&'a str>,
}

impl<'a> Parts<'a> {
    pub(crate) fn split(text: &'a str) -> Result<Self, MeasureError> {
        let malformed = || MeasureError::Malformed { text: text.to_owned() };
        let (head, at) = match text.rsplit_once('@') {
            Some((head, at)) => (head.trim(), Some(at.trim())),
            None => (text.trim(), None),
        };
        let parts = match (head.split_once('('), at) {
            (Some((name, arguments)), _) => {
                let arguments = arguments.strip_suffix(')').ok_or_else(malformed)?;
                Self { name: name.trim(), arguments: Some(arguments.into()), at }
            }
            (None, Some(_)) => {
                let (name, arguments) = number_inside(head);
                Self { name, arguments: arguments.map(Cow::Owned), at }
            }
            (None, None) => match number_inside(head) {
                (name, Some(arguments)) => Self { name, arguments: Some(arguments.into()), at: None },
                (head, None) => {
                    let (name, at) = number_behind(head);
                    Self { name, arguments: None, at }
                }
            },
        };
        let plain = parts.name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
        if parts.name.is_empty() || !plain { Err(malformed()) } else { Ok(parts) }
    }
}

/// ranx's way to write the lowest relevant grade, behind all else: `map@10-l2`.
fn level_behind(text: &str) -> (&str, Option<&str>) {
    match text.trim().rsplit_once("-l") {
        Some((head, level))
            if !head.contains('(')
                && !level.is_empty()
                && level.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            (head, Some(level))
        }
        _ => (text, None),
    }
}

/// trec_eval's and ranx's way to write a parameter that is no cutoff: `Rprec_mult_0.20`, `set_F.0.5`, `utility.1,-1,0,0`, `ndcg_1=3,2=9`, `rbp.p=0.8`, and `rbp.95`,
/// whose point is the decimal one.
fn number_inside(head: &str) -> (&str, Option<String>) {
    let behind = |name: &str| head.strip_prefix(name).and_then(|rest| rest.strip_prefix(['_', '.']));
    // Also as `set_f`, which would otherwise be SetF with a cutoff.
    if let Some(weight) = behind("set_F").or_else(|| behind("set_f")) {
        return ("set_F", Some(format!("beta={}", beta_of(weight))));
    }
    if let Some(multiple) = behind("Rprec_mult") {
        return ("Rprec", Some(format!("mult={multiple}")));
    }
    if let Some(weights) = behind("utility") {
        return ("utility", Some(format!("weights={{{weights}}}")));
    }
    for name in ["ndcg_rel", "ndcg", "Rndcg", "G"] {
        if let Some(pairs) = behind(name).filter(|rest| rest.contains('=')) {
            return (name, Some(format!("gains={{{}}}", pairs.replace('=', ":"))));
        }
    }
    if let Some(told) = behind("rbp").filter(|rest| rest.starts_with("p=")) {
        return ("rbp", Some(told.to_owned()));
    }
    match head.strip_prefix("rbp").filter(|rest| rest.starts_with('.')) {
        Some(decimals) => ("rbp", Some(format!("p={decimals}"))),
        None => (head, None),
    }
}

/// trec_eval's x of `set_F_x` is the square of beta. What is no number above 0 stays as it is, and is refused later with a reason.
fn beta_of(weight: &str) -> String {
    match weight.parse::<f64>() {
        Ok(x) if x > 0.0 => x.sqrt().to_string(),
        _ => weight.to_owned(),
    }
}

/// trec_eval's way to write a cutoff: `ndcg_cut_10`, `P.10`, and `P.5,10` or `P.2.5`, which are refused later with a reason; and a recall
/// level, `iprec_at_recall_0.10`.
fn number_behind(head: &str) -> (&str, Option<&str>) {
    const RECALL: &str = "iprec_at_recall";
    if let (Some(name), Some(rest)) = (head.get(..RECALL.len()), head.get(RECALL.len()..))
        && name.eq_ignore_ascii_case(RECALL)
        && let Some(level) = rest.strip_prefix(['_', '.'])
    {
        return (name, Some(level));
    }
    let name = head.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | '.' | '-' | '+'));
    // The separator is `_`, or the first `.` of what was taken for the number: `ndcg_cut.23.4` has a cutoff that is none.
    let split = match name.strip_suffix('_') {
        Some(shorter) => Some((shorter, &head[name.len()..])),
        None => head[name.len()..].strip_prefix('.').map(|number| (name, number)),
    };
    match split {
        Some((name, number)) if !number.is_empty() => (name, Some(number)),
        _ => (head, None),
    }
}

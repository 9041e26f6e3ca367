//! From a name to a measure: ir_measures' notation, and the names of trec_eval and ranx.

use std::str::FromStr;

use crate::measure::{Cutoff, Gain, Measure, Persistence, Relevant};

/// Why a text names no measure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MeasureError {
    /// The name is not one of the accepted ones.
    #[error(
        "no measure is called {name:?}{} Accepted are nDCG, AP and RR with or without a cutoff (nDCG@10), \
         P, R, Success and Judged with one (P@5), and Compat without one (Compat(p=0.9))",
        suggestion(nearest)
    )]
    Unknown {
        /// The name without its parameters.
        name: String,
        /// The accepted measure that was probably meant.
        nearest: Option<String>,
    },
    /// The measure is defined only down to a cutoff.
    #[error("{text:?} needs a cutoff: write {family}@10, for example")]
    CutoffNeeded {
        /// What was written.
        text: String,
        /// The measure's name.
        family: &'static str,
    },
    /// What should be a cutoff is not one.
    #[error(
        "the cutoff {cutoff:?} of {text:?} is not a rank: write a whole number from 1 to 4294967295, one a measure"
    )]
    Cutoff {
        /// What was written.
        text: String,
        /// The part that should be a cutoff.
        cutoff: String,
    },
    /// The measure has no such parameter.
    #[error("{family} has no parameter {parameter:?} (in {text:?}); it takes {accepted}")]
    Parameter {
        /// What was written.
        text: String,
        /// The measure's name.
        family: &'static str,
        /// The parameter that it has not.
        parameter: String,
        /// The ones that it has.
        accepted: &'static str,
    },
    /// The measure has its own depth.
    #[error(
        "{text:?} cannot have a cutoff: {family} looks at the whole list; write {family}(p=0.9), where p says how fast weight falls with the rank"
    )]
    NoCutoff {
        /// What was written.
        text: String,
        /// The measure's name.
        family: &'static str,
    },
    /// A parameter has a value that it cannot have.
    #[error("{parameter}={value} in {text:?} cannot be: {parameter} is {expected}")]
    Value {
        /// What was written.
        text: String,
        /// The parameter.
        parameter: &'static str,
        /// Its value.
        value: String,
        /// What values it can have.
        expected: &'static str,
    },
    /// A parameter is given more than once, so that one of them would go unheard.
    #[error("{parameter} is written twice in {text:?}: write it once")]
    Repeated {
        /// What was written.
        text: String,
        /// The parameter.
        parameter: String,
    },
    /// The text is not of the form of a measure.
    #[error(
        "{text:?} is not written as a measure: expected a name, then parameters, then a cutoff, as in P(rel=2)@5"
    )]
    Malformed {
        /// What was written.
        text: String,
    },
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(|| ".".to_owned(), |nearest| format!(", did you mean {nearest}?"))
}

/// What a name stands for before its parameters are known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Ndcg,
    /// ranx's `ndcg_burges`: nDCG with exponential gain.
    NdcgBurges,
    Ap,
    Rr,
    Precision,
    Recall,
    Success,
    Judged,
    Compat,
}

impl Family {
    fn name(self) -> &'static str {
        match self {
            Self::Ndcg | Self::NdcgBurges => "nDCG",
            Self::Ap => "AP",
            Self::Rr => "RR",
            Self::Precision => "P",
            Self::Recall => "R",
            Self::Success => "Success",
            Self::Judged => "Judged",
            Self::Compat => "Compat",
        }
    }

    fn parameters(self) -> &'static str {
        match self {
            Self::Ndcg | Self::NdcgBurges => "dcg='log2' or dcg='exp-log2'",
            Self::Judged => "only a cutoff",
            Self::Compat => "p, as in p=0.9, and normalize=True or normalize=False",
            _ => "rel, the lowest relevant grade, as in rel=2",
        }
    }
}

/// Every accepted name in lower case; upper and lower case are not told apart.
const NAMES: [(&str, Family); 21] = [
    ("ndcg", Family::Ndcg),
    ("ap", Family::Ap),
    ("rr", Family::Rr),
    ("p", Family::Precision),
    ("r", Family::Recall),
    ("success", Family::Success),
    ("judged", Family::Judged),
    ("compat", Family::Compat),
    ("compatibility", Family::Compat),
    // trec_eval
    ("ndcg_cut", Family::Ndcg),
    ("map", Family::Ap),
    ("map_cut", Family::Ap),
    ("recip_rank", Family::Rr),
    ("recip_rank_cut", Family::Rr),
    ("recall", Family::Recall),
    // ranx, and what people say
    ("ndcg_burges", Family::NdcgBurges),
    ("mrr", Family::Rr),
    ("precision", Family::Precision),
    ("hit_rate", Family::Success),
    ("hitrate", Family::Success),
    ("hit", Family::Success),
];

impl FromStr for Measure {
    type Err = MeasureError;

    fn from_str(text: &str) -> Result<Self, MeasureError> {
        let parts = Parts::split(text)?;
        let lower = parts.name.to_lowercase();
        let Some((_, family)) = NAMES.iter().find(|(name, _)| *name == lower) else {
            return Err(MeasureError::Unknown {
                name: parts.name.to_owned(),
                nearest: nearest(&parts, &lower),
            });
        };
        let mut parameters = Parameters::read(text, *family, parts.arguments)?;
        if let Some(cutoff) = parts.cutoff {
            if parameters.cutoff.is_some() {
                return Err(MeasureError::Repeated { text: text.to_owned(), parameter: "cutoff".to_owned() });
            }
            parameters.cutoff = Some(cutoff_from(text, cutoff)?);
        }
        // trec_eval's `map_cut` alone stands for a list of cutoffs, not for the whole list.
        if parameters.cutoff.is_none() && lower.ends_with("_cut") {
            return Err(MeasureError::CutoffNeeded { text: text.to_owned(), family: family.name() });
        }
        parameters.measure(text, *family)
    }
}

/// A measure's text in its three parts.
struct Parts<'a> {
    name: &'a str,
    arguments: Option<&'a str>,
    cutoff: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn split(text: &'a str) -> Result<Self, MeasureError> {
        let malformed = || MeasureError::Malformed { text: text.to_owned() };
        let (head, cutoff) = match text.rsplit_once('@') {
            Some((head, cutoff)) => (head.trim(), Some(cutoff.trim())),
            None => (text.trim(), None),
        };
        let parts = match (head.split_once('('), cutoff) {
            (Some((name, arguments)), _) => {
                let arguments = arguments.strip_suffix(')').ok_or_else(malformed)?;
                Self { name: name.trim(), arguments: Some(arguments), cutoff }
            }
            (None, Some(_)) => Self { name: head, arguments: None, cutoff },
            (None, None) => {
                let (name, cutoff) = trec_cutoff(head);
                Self { name, arguments: None, cutoff }
            }
        };
        let plain = parts.name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
        if parts.name.is_empty() || !plain { Err(malformed()) } else { Ok(parts) }
    }
}

/// trec_eval's way to write a cutoff: `ndcg_cut_10`, `P.10`, and `P.5,10`, which is refused later with a reason.
fn trec_cutoff(head: &str) -> (&str, Option<&str>) {
    let name = head.trim_end_matches(|c: char| c.is_ascii_digit() || c == ',');
    match name.strip_suffix(['_', '.']) {
        Some(shorter) if name.len() < head.len() => (shorter, Some(&head[name.len()..])),
        _ => (head, None),
    }
}

fn cutoff_from(text: &str, cutoff: &str) -> Result<Cutoff, MeasureError> {
    digits(cutoff)
        .and_then(|digits| digits.parse().ok())
        .and_then(Cutoff::new)
        .ok_or_else(|| MeasureError::Cutoff { text: text.to_owned(), cutoff: cutoff.to_owned() })
}

/// The text if it is all digits: `parse` alone would take a sign too.
fn digits(text: &str) -> Option<&str> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then_some(text)
}

#[derive(Default)]
struct Parameters {
    rel: Relevant,
    gain: Gain,
    p: Persistence,
    unnormalized: bool,
    cutoff: Option<Cutoff>,
}

impl Parameters {
    fn read(text: &str, family: Family, arguments: Option<&str>) -> Result<Self, MeasureError> {
        let mut parameters = Self::default();
        if family == Family::NdcgBurges {
            parameters.gain = Gain::Exponential;
        }
        let mut names = Vec::new();
        for argument in arguments.into_iter().flat_map(|all| all.split(',')) {
            let Some((name, value)) = argument.split_once('=') else {
                return Err(MeasureError::Malformed { text: text.to_owned() });
            };
            let name = name.trim();
            parameters.set(text, family, name, value.trim())?;
            if names.contains(&name) {
                return Err(MeasureError::Repeated { text: text.to_owned(), parameter: name.to_owned() });
            }
            names.push(name);
        }
        Ok(parameters)
    }

    fn set(&mut self, text: &str, family: Family, name: &str, value: &str) -> Result<(), MeasureError> {
        match (name, family) {
            ("cutoff", _) => self.cutoff = Some(cutoff_from(text, value)?),
            ("dcg", Family::Ndcg) => self.gain = gain_from(text, value)?,
            ("p", Family::Compat) => self.p = persistence_from(text, value)?,
            ("normalize", Family::Compat) => self.unnormalized = !truth_from(text, value)?,
            ("rel", Family::Ap | Family::Rr | Family::Precision | Family::Recall | Family::Success) => {
                self.rel = relevant_from(text, value)?;
            }
            _ => {
                return Err(MeasureError::Parameter {
                    text: text.to_owned(),
                    family: family.name(),
                    parameter: name.to_owned(),
                    accepted: family.parameters(),
                });
            }
        }
        Ok(())
    }

    fn measure(self, text: &str, family: Family) -> Result<Measure, MeasureError> {
        let Self { rel, gain, p, unnormalized, cutoff } = self;
        let needed = || {
            cutoff.ok_or_else(|| MeasureError::CutoffNeeded { text: text.to_owned(), family: family.name() })
        };
        Ok(match family {
            Family::Ndcg | Family::NdcgBurges => Measure::Ndcg { gain, cutoff },
            Family::Ap => Measure::Ap { rel, cutoff },
            Family::Rr => Measure::Rr { rel, cutoff },
            Family::Precision => Measure::Precision { rel, cutoff: needed()? },
            Family::Recall => Measure::Recall { rel, cutoff: needed()? },
            Family::Success => Measure::Success { rel, cutoff: needed()? },
            Family::Judged => Measure::Judged { cutoff: needed()? },
            Family::Compat if cutoff.is_some() => {
                return Err(MeasureError::NoCutoff { text: text.to_owned(), family: family.name() });
            }
            Family::Compat => Measure::Compat { p, normalize: !unnormalized },
        })
    }
}

fn gain_from(text: &str, value: &str) -> Result<Gain, MeasureError> {
    match value.trim_matches(['\'', '"']) {
        "log2" => Ok(Gain::Linear),
        "exp-log2" => Ok(Gain::Exponential),
        _ => Err(MeasureError::Value {
            text: text.to_owned(),
            parameter: "dcg",
            value: value.to_owned(),
            expected: "'log2' (gain is the grade) or 'exp-log2' (gain is 2^grade - 1)",
        }),
    }
}

fn relevant_from(text: &str, value: &str) -> Result<Relevant, MeasureError> {
    digits(value).and_then(|digits| digits.parse().ok()).and_then(Relevant::from_grade).ok_or_else(|| {
        MeasureError::Value {
            text: text.to_owned(),
            parameter: "rel",
            value: value.to_owned(),
            expected: "the lowest relevant grade, a whole number from 1",
        }
    })
}

fn persistence_from(text: &str, value: &str) -> Result<Persistence, MeasureError> {
    value.parse().ok().and_then(Persistence::new).ok_or_else(|| MeasureError::Value {
        text: text.to_owned(),
        parameter: "p",
        value: value.to_owned(),
        expected: "how likely a reader goes on to the next rank, from 0.01 to 0.99",
    })
}

fn truth_from(text: &str, value: &str) -> Result<bool, MeasureError> {
    match value {
        "True" | "true" => Ok(true),
        "False" | "false" => Ok(false),
        _ => Err(MeasureError::Value {
            text: text.to_owned(),
            parameter: "normalize",
            value: value.to_owned(),
            expected: "True or False",
        }),
    }
}

/// The measure that was probably meant by a mistyped name, with the parameters that were written.
///
/// A slip hardly ever hits the first letter, and names of two letters are too close to everything.
fn nearest(parts: &Parts<'_>, lower: &str) -> Option<String> {
    let allowed = if lower.len() <= 4 { 1 } else { 2 };
    let (_, name) = NAMES
        .iter()
        .filter(|(name, _)| name.len() >= 3 && name.chars().next() == lower.chars().next())
        .map(|(name, _)| (distance(lower, name), *name))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)?;
    let arguments = parts.arguments.map_or_else(String::new, |arguments| format!("({arguments})"));
    let cutoff = parts.cutoff.map_or_else(String::new, |cutoff| format!("@{cutoff}"));
    let meant: Result<Measure, _> = format!("{name}{arguments}{cutoff}").parse();
    Some(meant.map_or_else(|_| name.to_owned(), |measure| measure.to_string()))
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

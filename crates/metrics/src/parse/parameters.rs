//! What stands in the parentheses of a measure, and the measure that it makes.

use std::str::FromStr;

use super::MeasureError;
use crate::gain::{Gain, Gains};
use crate::kind::{At, Kind, Parameter};
use crate::measure::{Measure, Worth};
use crate::parameter::{
    Beta, Cutoff, MaxGrade, Multiple, Persistence, RecallLevel, Relevant, Rounding, Target, Unjudged, Weights,
};
use crate::told::Told;

/// What the name says besides the measure, overwritten by what the parentheses say.
pub(super) fn told(
    text: &str,
    kind: Kind,
    besides: &str,
    arguments: Option<&str>,
) -> Result<Told, MeasureError> {
    let mut told = Told::default();
    if let Some((name, value)) = besides.split_once('=') {
        told.set(text, kind, name, value)?;
    }
    let mut names: Vec<&str> = Vec::new();
    for argument in arguments.map(split).into_iter().flatten() {
        let Some((name, value)) = argument.split_once('=') else {
            return Err(MeasureError::Malformed { text: text.to_owned() });
        };
        let name = name.trim();
        told.set(text, kind, name, value.trim())?;
        if names.contains(&name) {
            return Err(MeasureError::Repeated { text: text.to_owned(), parameter: name.to_owned() });
        }
        names.push(name);
    }
    for (first, second) in [("dcg", "gains"), ("judged_only", "unjudged"), ("rel", "max_rel")] {
        if names.contains(&first) && names.contains(&second) {
            return Err(MeasureError::Together { text: text.to_owned(), first, second });
        }
    }
    Ok(told)
}

/// The arguments between their commas, those between braces aside.
fn split(arguments: &str) -> Vec<&str> {
    let mut depth = 0usize;
    let mut parts = Vec::new();
    let mut start = 0;
    for (place, character) in arguments.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&arguments[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&arguments[start..]);
    parts
}

const LOWEST: &str = "the lowest relevant grade, a whole number from 1";

impl Told {
    /// What stands behind the `@` of a measure at a recall level.
    pub(super) fn recall_at(&mut self, text: &str, at: &str) -> Result<(), MeasureError> {
        let expected = "a share of the relevant documents, from 0 to 1";
        self.recall = Some(number(text, "recall", at, RecallLevel::new, expected)?);
        Ok(())
    }

    /// ranx's `-l`. Under nDCG and DCG it makes lower grades worth nothing, and leaves the others as they are.
    pub(super) fn level(&mut self, text: &str, kind: Kind, level: &str) -> Result<(), MeasureError> {
        if !matches!(kind, Kind::Ndcg | Kind::Dcg) {
            return self.set(text, kind, "rel", level);
        }
        let lowest = whole(text, "rel", level, Relevant::from_grade, LOWEST)?;
        if lowest == Relevant::default() {
            return Ok(());
        }
        if self.gain.is_some() {
            let expected =
                "1 where the gain is not the grade; write what each grade gains, as in gains={1:0,2:3,3:7}";
            return Err(refused(text, "rel", level, expected));
        }
        let worthless = (1..lowest.grade()).take(Gains::LIMIT + 1).map(|grade| (grade, 0.0));
        let gain =
            Gain::table(worthless).map_err(|source| MeasureError::Gains { text: text.to_owned(), source })?;
        self.gain = Some(gain);
        Ok(())
    }

    fn set(&mut self, text: &str, kind: Kind, name: &str, value: &str) -> Result<(), MeasureError> {
        if name == "cutoff" && matches!(kind.at(), At::Optional | At::Rank) {
            self.cutoff = Some(cutoff_from(text, value)?);
            return Ok(());
        }
        if name == "cutoff" && kind.at() == At::Nothing {
            return Err(MeasureError::NoCutoff {
                text: text.to_owned(),
                family: kind.name(),
                example: kind.example(),
            });
        }
        if name == "recall" && kind.at() == At::Recall {
            return self.recall_at(text, value);
        }
        let known = Parameter::ALL.into_iter().find(|parameter| parameter.name() == name);
        let Some(parameter) = known.filter(|parameter| kind.takes(*parameter)) else {
            return Err(MeasureError::Parameter {
                text: text.to_owned(),
                family: kind.name(),
                parameter: name.to_owned(),
                accepted: kind.accepted(),
            });
        };
        self.take(text, parameter, value)
    }

    fn take(&mut self, text: &str, parameter: Parameter, value: &str) -> Result<(), MeasureError> {
        let name = parameter.name();
        match parameter {
            Parameter::Dcg => self.gain = Some(gain_from(text, value)?),
            Parameter::Gains => self.gain = Some(table_from(text, value)?),
            Parameter::Rel => {
                self.rel = Some(whole(text, name, value, Relevant::from_grade, LOWEST)?);
            }
            Parameter::MaxRel => {
                let expected = "the highest grade, a whole number from 1";
                self.max_rel = Some(whole(text, name, value, MaxGrade::from_grade, expected)?);
            }
            Parameter::P => {
                let expected = "how likely a reader goes on to the next rank, from 0.01 to 0.99";
                self.p = Some(number(text, name, value, Persistence::new, expected)?);
            }
            Parameter::Target => {
                let expected = "how many documents of the best grade a reader is after, from 0.5 to 1000";
                self.target = Some(number(text, name, value, Target::new, expected)?);
            }
            Parameter::Mult => {
                let expected = "how often R, a number above 0, up to 1000";
                self.mult = Some(number(text, name, value, Multiple::new, expected)?);
            }
            Parameter::Beta => {
                let expected =
                    "how many times as important recall is as precision, a number above 0, up to 1000";
                self.beta = Some(number(text, name, value, Beta::new, expected)?);
            }
            Parameter::Normalize => self.normalize = Some(truth_from(text, name, value)?),
            Parameter::Relative => self.relative = Some(truth_from(text, name, value)?),
            Parameter::Rounding => self.rounding = Some(rounding_from(text, value)?),
            Parameter::Weights => self.weights = Some(weights_from(text, value)?),
            Parameter::JudgedOnly => {
                let excluded = truth_from(text, name, value)?;
                self.unjudged = Some(if excluded { Unjudged::Excluded } else { Unjudged::NotRelevant });
            }
            Parameter::Unjudged => self.unjudged = Some(unjudged_from(text, value)?),
        }
        Ok(())
    }

    pub(super) fn measure(self, text: &str, kind: Kind) -> Result<Measure, MeasureError> {
        let Self { cutoff, .. } = self;
        let needed = || {
            cutoff
                .ok_or_else(|| MeasureError::CutoffNeeded { text: text.to_owned(), example: kind.example() })
        };
        let missing =
            |parameter| MeasureError::Needed { text: text.to_owned(), parameter, example: kind.example() };
        let rel = self.rel.unwrap_or_default();
        let gain = self.gain.unwrap_or_default();
        let unjudged = self.unjudged.unwrap_or_default();
        let judged_only = unjudged == Unjudged::Excluded;
        let relative = self.relative.unwrap_or_default();
        let max_rel = self.max_rel.unwrap_or(MaxGrade::GDEVAL);
        let target = self.target.unwrap_or_default();
        Ok(match kind {
            Kind::Ndcg => Measure::Ndcg { gain, cutoff, unjudged },
            Kind::Dcg => Measure::Dcg { gain, cutoff, unjudged },
            Kind::Ap => Measure::Ap { rel, cutoff, unjudged },
            Kind::Gmap => Measure::Gmap { rel },
            Kind::Rr => Measure::Rr { rel, cutoff, unjudged },
            Kind::Precision => Measure::Precision { rel, cutoff: needed()?, unjudged, relative },
            Kind::Recall => Measure::Recall { rel, cutoff: needed()?, unjudged },
            Kind::Rprec => Measure::Rprec { rel, mult: self.mult.unwrap_or_default(), judged_only },
            Kind::IPrec => {
                let recall = self.recall.ok_or_else(|| missing("a recall level"))?;
                Measure::IPrec { rel, recall, rounding: self.rounding.unwrap_or(Rounding::Up), judged_only }
            }
            Kind::ElevenPoint => {
                let rounding = self.rounding.unwrap_or(Rounding::Nearest);
                Measure::ElevenPoint { rel, rounding, judged_only }
            }
            Kind::Success => Measure::Success { rel, cutoff, unjudged },
            Kind::Judged => Measure::Judged { cutoff: needed()? },
            Kind::Unj => Measure::Unj { cutoff: needed()? },
            Kind::Bpref => Measure::Bpref { rel },
            Kind::GmBpref => Measure::GmBpref { rel },
            Kind::InfAp => Measure::InfAp { rel },
            Kind::SetP => Measure::SetP { rel, relative, unjudged },
            Kind::SetR => Measure::SetR { rel },
            Kind::SetF => Measure::SetF { rel, beta: self.beta.unwrap_or_default(), cutoff, unjudged },
            Kind::SetAp => Measure::SetAp { rel, unjudged },
            Kind::Err => Measure::Err { max_rel, cutoff, unjudged },
            Kind::Nerr => Measure::Nerr { max_rel, cutoff, unjudged },
            Kind::Rbp => {
                let worth = self.max_rel.map_or(Worth::Binary(rel), Worth::Graded);
                Measure::Rbp { p: self.p.unwrap_or(Persistence::RBP), worth, cutoff, unjudged }
            }
            Kind::RbpResidual => Measure::RbpResidual { p: self.p.unwrap_or(Persistence::RBP), cutoff },
            Kind::Insq => Measure::Insq { target, max_rel: self.max_rel.ok_or_else(|| missing("max_rel"))? },
            Kind::Inst => Measure::Inst { target, max_rel: self.max_rel.ok_or_else(|| missing("max_rel"))? },
            Kind::Compat => {
                Measure::Compat { p: self.p.unwrap_or_default(), normalize: self.normalize.unwrap_or(true) }
            }
            Kind::Utility => Measure::Utility { rel, weights: self.weights.unwrap_or_default() },
            Kind::BinG => Measure::BinG { rel },
            Kind::G => Measure::G { gain },
            Kind::NdcgRel => Measure::NdcgRel { gain },
            Kind::Rndcg => Measure::Rndcg { gain },
            Kind::NumQ => Measure::NumQ,
            Kind::NumRet => Measure::NumRet { rel: self.rel, cutoff },
            Kind::NumRel => Measure::NumRel { rel },
            Kind::NumNonrelRet => Measure::NumNonrelRet { rel },
        })
    }
}

pub(crate) fn cutoff_from(text: &str, cutoff: &str) -> Result<Cutoff, MeasureError> {
    digits(cutoff)
        .and_then(|digits| digits.parse().ok())
        .and_then(Cutoff::new)
        .ok_or_else(|| MeasureError::Cutoff { text: text.to_owned(), cutoff: cutoff.to_owned() })
}

/// The text if it is all digits: `parse` alone would take a sign too.
fn digits(text: &str) -> Option<&str> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then_some(text)
}

fn refused(text: &str, parameter: &'static str, value: &str, expected: &'static str) -> MeasureError {
    MeasureError::Value { text: text.to_owned(), parameter, value: value.to_owned(), expected }
}

pub(crate) fn number<T>(
    text: &str,
    parameter: &'static str,
    value: &str,
    within: impl Fn(f64) -> Option<T>,
    expected: &'static str,
) -> Result<T, MeasureError> {
    value.parse().ok().and_then(within).ok_or_else(|| refused(text, parameter, value, expected))
}

pub(crate) fn whole<N: FromStr, T>(
    text: &str,
    parameter: &'static str,
    value: &str,
    within: impl Fn(N) -> Option<T>,
    expected: &'static str,
) -> Result<T, MeasureError> {
    let parsed = digits(value).and_then(|digits| digits.parse().ok());
    parsed.and_then(within).ok_or_else(|| refused(text, parameter, value, expected))
}

fn gain_from(text: &str, value: &str) -> Result<Gain, MeasureError> {
    match value.trim_matches(['\'', '"']) {
        "log2" => Ok(Gain::Linear),
        "exp-log2" => Ok(Gain::Exponential),
        _ => {
            let expected = "'log2' (gain is the grade) or 'exp-log2' (gain is 2^grade - 1)";
            Err(refused(text, "dcg", value, expected))
        }
    }
}

fn table_from(text: &str, value: &str) -> Result<Gain, MeasureError> {
    let malformed =
        || refused(text, "gains", value, "a table of grades and what each is worth, as in {1:1,2:10}");
    let inside = value.strip_prefix('{').and_then(|value| value.strip_suffix('}')).ok_or_else(malformed)?;
    let mut pairs = Vec::new();
    for pair in inside.split(',').filter(|_| !inside.trim().is_empty()) {
        let (grade, gain) = pair.split_once(':').ok_or_else(malformed)?;
        let grade = grade.trim().parse().map_err(|_| malformed())?;
        pairs.push((grade, gain.trim().parse().map_err(|_| malformed())?));
    }
    Gain::table(pairs).map_err(|source| MeasureError::Gains { text: text.to_owned(), source })
}

fn unjudged_from(text: &str, value: &str) -> Result<Unjudged, MeasureError> {
    match value.trim_matches(['\'', '"']) {
        "zero" => Ok(Unjudged::NotRelevant),
        "excluded" => Ok(Unjudged::Excluded),
        "best" => Ok(Unjudged::Best),
        _ => {
            let expected =
                "'zero' (not relevant), 'excluded' (as judged_only=True) or 'best' (an upper bound)";
            Err(refused(text, "unjudged", value, expected))
        }
    }
}

fn rounding_from(text: &str, value: &str) -> Result<Rounding, MeasureError> {
    match value.trim_matches(['\'', '"']) {
        "up" => Ok(Rounding::Up),
        "nearest" => Ok(Rounding::Nearest),
        _ => {
            let expected = "'up' (trec_eval up to 9.0.7, ir_measures) or 'nearest' (trec_eval from 9.0.8 on)";
            Err(refused(text, "rounding", value, expected))
        }
    }
}

fn weights_from(text: &str, value: &str) -> Result<Weights, MeasureError> {
    let expected = "three numbers from -1000 to 1000 in braces, what a relevant document retrieved, another one retrieved \
                    and a relevant one missed are worth; a fourth, trec_eval's, must be 0";
    let weights = || {
        let inside = value.strip_prefix('{')?.strip_suffix('}')?;
        let numbers: Vec<f64> =
            inside.split(',').map(|weight| weight.trim().parse().ok()).collect::<Option<_>>()?;
        match numbers[..] {
            [found, others, missed] => Weights::new(found, others, missed),
            [found, others, missed, 0.0] => Weights::new(found, others, missed),
            _ => None,
        }
    };
    weights().ok_or_else(|| refused(text, "weights", value, expected))
}

fn truth_from(text: &str, parameter: &'static str, value: &str) -> Result<bool, MeasureError> {
    match value {
        "True" | "true" => Ok(true),
        "False" | "false" => Ok(false),
        _ => Err(refused(text, parameter, value, "True or False")),
    }
}

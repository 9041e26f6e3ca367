//! The notation of parameters in the parentheses of a measure.

use std::str::FromStr;

use super::{
    Beta, Gain, GainsError, MaxGrade, Multiple, Parameters, Persistence, Relevant, Rounding, Target,
    Unjudged, Weights,
};

/// A parameter that is written in parentheses, `rel=2`.
#[derive(Clone, Copy)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    /// The parameter with an example, for messages.
    pub(crate) example: &'static str,
    /// Which values are valid, for messages.
    pub(crate) values: &'static str,
    /// Whether the measure is undefined without it.
    pub(crate) needed: bool,
    /// Whether it is printed at its default, too.
    pub(crate) always_printed: bool,
    read: fn(&mut Parameters, &str) -> Result<(), InvalidValue>,
    written: fn(&Parameters) -> Option<String>,
}

/// Why the value of a parameter is invalid.
pub(crate) enum InvalidValue {
    /// It is not one of [`Parameter::values`].
    Other,
    /// It is a table of gains that is invalid.
    Gains(GainsError),
}

impl Parameter {
    /// Reads a value into `parameters`.
    pub(crate) fn read(&self, parameters: &mut Parameters, value: &str) -> Result<(), InvalidValue> {
        (self.read)(parameters, value)
    }

    /// The value as written; `None` if it is unset, or set by another parameter (gains by `dcg`).
    pub(crate) fn written(&self, parameters: &Parameters) -> Option<String> {
        (self.written)(parameters)
    }

    /// The parameter of a measure that is undefined without it.
    pub(crate) const fn needed(self) -> Self {
        Self { needed: true, ..self }
    }

    /// The parameter of a measure that prints it even at its default.
    pub(crate) const fn always_printed(self) -> Self {
        Self { always_printed: true, ..self }
    }

    const fn new(
        name: &'static str,
        example: &'static str,
        values: &'static str,
        read: fn(&mut Parameters, &str) -> Result<(), InvalidValue>,
        written: fn(&Parameters) -> Option<String>,
    ) -> Self {
        Self { name, example, values, needed: false, always_printed: false, read, written }
    }
}

/// Every parameter.
pub(crate) const ALL_PARAMETERS: [Parameter; 15] = [
    DCG,
    GAINS,
    REL,
    P,
    NORMALIZE,
    TARGET,
    MAX_REL,
    MIN_REL,
    MULT,
    BETA,
    RELATIVE,
    ROUNDING,
    WEIGHTS,
    JUDGED_ONLY,
    UNJUDGED,
];

/// Pairs of parameters that give one value in two ways, so that only one of them can be written.
pub(crate) const EXCLUSIVE: [(&str, &str); 5] = [
    (DCG.name, GAINS.name),
    (GAINS.name, MIN_REL.name),
    (JUDGED_ONLY.name, UNJUDGED.name),
    (REL.name, MAX_REL.name),
    (REL.name, MIN_REL.name),
];

pub(crate) const DCG: Parameter = Parameter::new(
    "dcg",
    "dcg='log2' or dcg='exp-log2'",
    "'log2' (gain is the grade) or 'exp-log2' (gain is 2^grade - 1)",
    |parameters, value| {
        let gains = [("log2", Gain::Linear), ("exp-log2", Gain::Exponential)];
        set(&mut parameters.gain, one_of(value, gains))
    },
    |parameters| match parameters.gain {
        Gain::Linear => Some("'log2'".to_owned()),
        Gain::Exponential => Some("'exp-log2'".to_owned()),
        Gain::Custom(_) => None,
    },
);

pub(crate) const GAINS: Parameter = Parameter::new(
    "gains",
    "gains, as in gains={1:1,2:10}",
    "a table of grades and what each is worth, as in {1:1,2:10}",
    |parameters, value| {
        let pairs = pairs(value).ok_or(InvalidValue::Other)?;
        parameters.gain = Gain::table(pairs).map_err(InvalidValue::Gains)?;
        Ok(())
    },
    |parameters| match parameters.gain {
        Gain::Custom(gains) => Some(gains.to_string()),
        Gain::Linear | Gain::Exponential => None,
    },
);

/// In a measure that can have it in place of `max_rel`, it takes the place of that.
pub(crate) const REL: Parameter = Parameter::new(
    "rel",
    "rel, the lowest relevant grade, as in rel=2",
    "the lowest relevant grade, a whole number from 1",
    |parameters, value| {
        set(&mut parameters.rel, whole(value, Relevant::from_grade).map(Some))?;
        parameters.max_rel = None;
        Ok(())
    },
    |parameters| parameters.rel.map(|rel| rel.grade().to_string()),
);

/// In a measure that can have it in place of `rel`, it takes the place of that.
pub(crate) const MAX_REL: Parameter = Parameter::new(
    "max_rel",
    "max_rel, the highest grade, as in max_rel=3",
    "the highest grade, a whole number from 1",
    |parameters, value| {
        set(&mut parameters.max_rel, whole(value, MaxGrade::from_grade).map(Some))?;
        parameters.rel = None;
        Ok(())
    },
    |parameters| parameters.max_rel.map(|max_rel| max_rel.grade().to_string()),
);

pub(crate) const MIN_REL: Parameter = Parameter::new(
    "min_rel",
    "min_rel, the lowest grade, as in min_rel=1",
    "the lowest grade, a whole number from 1, below the highest",
    |parameters, value| {
        set(&mut parameters.min_rel, whole(value, |grade: i32| (grade >= 1).then_some(grade)))
    },
    |parameters| (parameters.min_rel > 0).then(|| parameters.min_rel.to_string()),
);

pub(crate) const P: Parameter = Parameter::new(
    "p",
    "p, as in p=0.9",
    "how likely a reader goes on to the next rank, from 0.01 to 0.99",
    |parameters, value| set(&mut parameters.p, number(value, Persistence::new)),
    |parameters| Some(parameters.p.get().to_string()),
);

pub(crate) const NORMALIZE: Parameter = Parameter::new(
    "normalize",
    "normalize=True or normalize=False",
    TRUE_OR_FALSE,
    |parameters, value| set(&mut parameters.normalize, truth(value)),
    |parameters| Some(written_truth(parameters.normalize)),
);

pub(crate) const TARGET: Parameter = Parameter::new(
    "T",
    "T, as in T=2",
    "how many documents of the best grade a reader looks for, from 0.5 to 1000",
    |parameters, value| set(&mut parameters.target, number(value, Target::new)),
    |parameters| Some(parameters.target.get().to_string()),
);

pub(crate) const MULT: Parameter = Parameter::new(
    "mult",
    "mult, as in mult=0.5",
    "a multiple of R, a number above 0, up to 1000",
    |parameters, value| set(&mut parameters.mult, number(value, Multiple::new)),
    |parameters| Some(parameters.mult.get().to_string()),
);

pub(crate) const BETA: Parameter = Parameter::new(
    "beta",
    "beta, as in beta=2",
    "how many times as important recall is as precision, a number above 0, up to 1000",
    |parameters, value| set(&mut parameters.beta, number(value, Beta::new)),
    |parameters| Some(parameters.beta.get().to_string()),
);

pub(crate) const RELATIVE: Parameter = Parameter::new(
    "relative",
    "relative=True",
    TRUE_OR_FALSE,
    |parameters, value| set(&mut parameters.relative, truth(value)),
    |parameters| Some(written_truth(parameters.relative)),
);

pub(crate) const ROUNDING: Parameter = Parameter::new(
    "rounding",
    "rounding='up' or rounding='nearest'",
    "'up' (trec_eval up to 9.0.7, ir_measures) or 'nearest' (trec_eval from 9.0.8 on)",
    |parameters, value| {
        let ways = [("up", Rounding::Up), ("nearest", Rounding::Nearest)];
        set(&mut parameters.rounding, one_of(value, ways))
    },
    |parameters| match parameters.rounding {
        Rounding::Up => Some("'up'".to_owned()),
        Rounding::Nearest => Some("'nearest'".to_owned()),
    },
);

pub(crate) const WEIGHTS: Parameter = Parameter::new(
    "weights",
    "weights={found,others,missed}, as in weights={1,-1,0}",
    "three numbers from -1000 to 1000 in braces, what a relevant document retrieved, another one retrieved \
     and a relevant one missed are worth; a fourth, trec_eval's, must be 0",
    |parameters, value| set(&mut parameters.weights, weights(value)),
    |parameters| Some(format!("{{{}}}", parameters.weights)),
);

pub(crate) const JUDGED_ONLY: Parameter = Parameter::new(
    "judged_only",
    "judged_only=True",
    TRUE_OR_FALSE,
    |parameters, value| {
        let unjudged = |excluded| if excluded { Unjudged::Excluded } else { Unjudged::NotRelevant };
        set(&mut parameters.unjudged, truth(value).map(unjudged))
    },
    |parameters| match parameters.unjudged {
        Unjudged::NotRelevant => Some(written_truth(false)),
        Unjudged::Excluded => Some(written_truth(true)),
        Unjudged::Best => None,
    },
);

pub(crate) const UNJUDGED: Parameter = Parameter::new(
    "unjudged",
    "unjudged='best'",
    "'zero' (not relevant), 'excluded' (as judged_only=True) or 'best' (an upper bound)",
    |parameters, value| {
        let ways =
            [("zero", Unjudged::NotRelevant), ("excluded", Unjudged::Excluded), ("best", Unjudged::Best)];
        set(&mut parameters.unjudged, one_of(value, ways))
    },
    |parameters| (parameters.unjudged == Unjudged::Best).then(|| "'best'".to_owned()),
);

const TRUE_OR_FALSE: &str = "True or False";

fn set<T>(place: &mut T, value: Option<T>) -> Result<(), InvalidValue> {
    *place = value.ok_or(InvalidValue::Other)?;
    Ok(())
}

/// The number that is written; `None` if it is not one or `within` refuses it.
pub(crate) fn number<T>(value: &str, within: impl Fn(f64) -> Option<T>) -> Option<T> {
    value.parse().ok().and_then(within)
}

/// The whole number that is written without a sign; `None` if it is not one or `within` refuses it.
pub(crate) fn whole<N: FromStr, T>(value: &str, within: impl Fn(N) -> Option<T>) -> Option<T> {
    // `parse` alone would accept a sign
    let digits = value.bytes().all(|byte| byte.is_ascii_digit());
    value.parse().ok().filter(|_| digits).and_then(within)
}

fn truth(value: &str) -> Option<bool> {
    match value {
        "True" | "true" => Some(true),
        "False" | "false" => Some(false),
        _ => None,
    }
}

fn written_truth(value: bool) -> String {
    if value { "True" } else { "False" }.to_owned()
}

/// The value of a word, in quotes or not.
fn one_of<T, const N: usize>(value: &str, words: [(&str, T); N]) -> Option<T> {
    let word = value.trim_matches(['\'', '"']);
    words.into_iter().find(|(known, _)| *known == word).map(|(_, value)| value)
}

/// The pairs of `{1:1,2:10}`.
fn pairs(value: &str) -> Option<Vec<(i32, f64)>> {
    let inside = value.strip_prefix('{')?.strip_suffix('}')?;
    let written = inside.split(',').filter(|_| !inside.trim().is_empty());
    let pair = |pair: &str| {
        let (grade, gain) = pair.split_once(':')?;
        Some((grade.trim().parse().ok()?, gain.trim().parse().ok()?))
    };
    written.map(pair).collect()
}

fn weights(value: &str) -> Option<Weights> {
    let inside = value.strip_prefix('{')?.strip_suffix('}')?;
    let numbers: Option<Vec<f64>> = inside.split(',').map(|weight| weight.trim().parse().ok()).collect();
    match numbers?[..] {
        [found, others, missed] | [found, others, missed, 0.0] => Weights::new(found, others, missed),
        _ => None,
    }
}

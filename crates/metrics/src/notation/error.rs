//! Errors of parsing the name of a measure.

use crate::parameters::GainsError;

/// Why a text is not the name of a measure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MeasureError {
    /// The name is unknown.
    #[error(
        "no measure is called {name:?}{} Accepted are nDCG, AP and RR with or without a cutoff (nDCG@10), \
         P, R, Success and Judged with one (P@5), Compat, RBP, ERR, Bpref, Rprec and others; \
         docs/reference/measures.md lists them",
        suggestion(nearest)
    )]
    Unknown {
        /// The name without its parameters.
        name: String,
        /// The accepted measure that was probably meant.
        nearest: Option<String>,
    },
    /// The measure is defined only down to a cutoff.
    #[error("{text:?} needs a cutoff: write {example}, for example")]
    CutoffNeeded {
        /// The text of the measure.
        text: String,
        /// The measure with one.
        example: &'static str,
    },
    /// The cutoff is not a rank.
    #[error(
        "the cutoff {cutoff:?} of {text:?} is not a rank: write a whole number from 1 to 4294967295, one a measure, \
         as in nDCG@10"
    )]
    Cutoff {
        /// The text of the measure.
        text: String,
        /// The invalid cutoff.
        cutoff: String,
    },
    /// The measure cannot have a cutoff.
    #[error("{text:?} cannot have a cutoff: {family} looks at the whole list; write {example}")]
    NoCutoff {
        /// The text of the measure.
        text: String,
        /// The measure's name.
        family: &'static str,
        /// How it is written.
        example: &'static str,
    },
    /// The measure has no such parameter.
    #[error("{family} has no parameter {parameter:?} (in {text:?}); it takes {accepted}")]
    Parameter {
        /// The text of the measure.
        text: String,
        /// The measure's name.
        family: &'static str,
        /// The unknown parameter.
        parameter: String,
        /// The parameters that it has.
        accepted: String,
    },
    /// The value of a parameter is invalid.
    #[error("{parameter}={value} in {text:?} is invalid: {parameter} is {expected}")]
    Value {
        /// The text of the measure.
        text: String,
        /// The parameter.
        parameter: &'static str,
        /// Its value.
        value: String,
        /// The valid values.
        expected: &'static str,
    },
    /// A table of gains is invalid.
    #[error("the gains of {text:?} are invalid: {source}")]
    Gains {
        /// The text of the measure.
        text: String,
        /// The error.
        source: GainsError,
    },
    /// A parameter is missing without which the measure is undefined.
    #[error("{text:?} needs {parameter}: write {example}, for example")]
    Needed {
        /// The text of the measure.
        text: String,
        /// The parameter.
        parameter: &'static str,
        /// The measure with it.
        example: &'static str,
    },
    /// A parameter is given more than once.
    #[error("{parameter} is written twice in {text:?}: write it once")]
    Repeated {
        /// The text of the measure.
        text: String,
        /// The parameter.
        parameter: String,
    },
    /// Two parameters give one value in two ways.
    #[error("{first} and {second} exclude each other (in {text:?}): write one of them")]
    Together {
        /// The text of the measure.
        text: String,
        /// One of them.
        first: &'static str,
        /// The other one.
        second: &'static str,
    },
    /// The text does not have the form of a measure.
    #[error(
        "{text:?} is not written as a measure: expected a name, then parameters, then a cutoff, as in \
         P(rel=2)@5"
    )]
    Malformed {
        /// The text of the measure.
        text: String,
    },
}

impl MeasureError {
    /// The error with the text that was typed, if only a part of it was parsed.
    pub(crate) fn quoting(mut self, typed: &str) -> Self {
        match &mut self {
            Self::Unknown { .. } => {}
            Self::CutoffNeeded { text, .. }
            | Self::Cutoff { text, .. }
            | Self::NoCutoff { text, .. }
            | Self::Parameter { text, .. }
            | Self::Value { text, .. }
            | Self::Gains { text, .. }
            | Self::Needed { text, .. }
            | Self::Repeated { text, .. }
            | Self::Together { text, .. }
            | Self::Malformed { text } => typed.clone_into(text),
        }
        self
    }
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(|| ".".to_owned(), |nearest| format!(", did you mean {nearest}?"))
}

//! Reads the arguments in the parentheses of a measure.

use super::error::MeasureError;
use crate::definition::{Definition, Suffix};
use crate::parameters::{
    Cutoff, EXCLUSIVE, GAINS, Gain, Gains, InvalidValue, Parameters, REL, RecallLevel, Relevant, number,
    whole,
};

/// The names and values that are written between the commas, except for commas in braces.
///
/// # Errors
/// Returns an error if an argument is no `name=value`, or if a name is written twice.
pub(crate) fn split_arguments<'a>(
    text: &str,
    arguments: &'a str,
) -> Result<Vec<(&'a str, &'a str)>, MeasureError> {
    let mut depth = 0usize;
    let pieces = arguments.split(|character| {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    });
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for piece in pieces {
        let Some((name, value)) = piece.split_once('=') else {
            return Err(MeasureError::Malformed { text: text.to_owned() });
        };
        let name = name.trim();
        if pairs.iter().any(|(other, _)| *other == name) {
            return Err(MeasureError::Repeated { text: text.to_owned(), parameter: name.to_owned() });
        }
        pairs.push((name, value.trim()));
    }
    Ok(pairs)
}

/// The parameters of a measure while its text is read.
pub(super) struct Arguments<'a> {
    text: &'a str,
    definition: &'static Definition,
    pub(super) parameters: Parameters,
    /// Whether the lowest relevant grade is written.
    pub(super) names_level: bool,
}

impl<'a> Arguments<'a> {
    /// The defaults of the measure that `text` names.
    pub(super) fn new(text: &'a str, definition: &'static Definition) -> Self {
        Self { text, definition, parameters: definition.defaults, names_level: false }
    }

    /// Reads the text in the parentheses.
    pub(super) fn read(&mut self, arguments: &str) -> Result<(), MeasureError> {
        let pairs = split_arguments(self.text, arguments)?;
        for (name, value) in &pairs {
            self.set(name, value)?;
        }
        let is_given = |name: &str| pairs.iter().any(|(given, _)| *given == name);
        let both = EXCLUSIVE.into_iter().find(|(first, second)| is_given(first) && is_given(second));
        match both {
            Some((first, second)) => {
                Err(MeasureError::Together { text: self.text.to_owned(), first, second })
            }
            None => Ok(()),
        }
    }

    /// Sets one parameter; `cutoff` and `recall`, which are usually behind the `@`, among them.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), MeasureError> {
        match (name, self.definition.suffix) {
            ("cutoff", Suffix::OptionalCutoff | Suffix::Cutoff) => {
                self.parameters.cutoff = Some(cutoff_from(self.text, value)?);
                return Ok(());
            }
            ("cutoff", Suffix::None) => return Err(self.definition.no_cutoff(self.text)),
            ("recall", Suffix::RecallLevel) => {
                let expected = "a share of the relevant documents, from 0 to 1";
                let recall = number(value, RecallLevel::new);
                let recall = recall.ok_or_else(|| refused(self.text, "recall", value, expected))?;
                self.parameters.recall = Some(recall);
                return Ok(());
            }
            _ => {}
        }
        let Some(parameter) = self.definition.parameter(name) else {
            return Err(self.definition.no_parameter(self.text, name));
        };
        self.names_level |= parameter.name == REL.name;
        parameter.read(&mut self.parameters, value).map_err(|invalid| match invalid {
            InvalidValue::Other => refused(self.text, parameter.name, value, parameter.values),
            InvalidValue::Gains(source) => MeasureError::Gains { text: self.text.to_owned(), source },
        })
    }

    /// Sets the text after the `@`.
    pub(super) fn set_suffix(&mut self, suffix: &str) -> Result<(), MeasureError> {
        match self.definition.suffix {
            Suffix::RecallLevel => self.set("recall", suffix),
            _ if self.parameters.cutoff.is_some() => {
                Err(MeasureError::Repeated { text: self.text.to_owned(), parameter: "cutoff".to_owned() })
            }
            _ => self.set("cutoff", suffix),
        }
    }

    /// Sets ranx's `-l`. Of gains it makes those of lower grades 0, and leaves the others as they are.
    pub(super) fn set_level(&mut self, level: &str) -> Result<(), MeasureError> {
        if self.definition.parameter(GAINS.name).is_none() {
            return self.set(REL.name, level);
        }
        let lowest = whole(level, Relevant::from_grade);
        let lowest = lowest.ok_or_else(|| refused(self.text, REL.name, level, REL.values))?;
        if lowest == Relevant::default() {
            return Ok(());
        }
        if self.parameters.gain != Gain::Linear {
            let expected = "1 unless the gain is the grade; write what each grade gains, as in \
                            gains={1:0,2:3,3:7}";
            return Err(refused(self.text, REL.name, level, expected));
        }
        let worthless = (1..lowest.grade()).take(Gains::LIMIT + 1).map(|grade| (grade, 0.0));
        self.parameters.gain = Gain::table(worthless)
            .map_err(|source| MeasureError::Gains { text: self.text.to_owned(), source })?;
        Ok(())
    }
}

/// The cutoff that `text` gives.
pub(crate) fn cutoff_from(text: &str, cutoff: &str) -> Result<Cutoff, MeasureError> {
    whole(cutoff, Cutoff::new)
        .ok_or_else(|| MeasureError::Cutoff { text: text.to_owned(), cutoff: cutoff.to_owned() })
}

/// The error of a parameter whose value is not an `expected` one.
pub(crate) fn refused(
    text: &str,
    parameter: &'static str,
    value: &str,
    expected: &'static str,
) -> MeasureError {
    MeasureError::Value { text: text.to_owned(), parameter, value: value.to_owned(), expected }
}

//! A measure as written, with or without its relevance level.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::error::MeasureError;
use super::parse::parsed;
use crate::measure::Measure;
use crate::parameters::{REL, Relevant};

/// A measure as written, which may leave open from which grade on a document is relevant. If another source decides
/// that, such as a rubric's cutoff, `RR@10` takes it from there, and `RR(rel=1)@10` does not.
///
/// ```
/// use llull_metrics::{Measure, Relevant, WrittenMeasure};
///
/// let level = Relevant::from_grade(3).unwrap();
/// for (written, at_level) in [
///     ("RR@10", "RR(rel=3)@10"),
///     ("RR(rel=1)@10", "RR@10"),
///     ("map@10-l2", "AP(rel=2)@10"),
///     ("num_rel_ret", "NumRet(rel=3)"),
///     ("nDCG@10", "nDCG@10"),
/// ] {
///     let measure: WrittenMeasure = written.parse()?;
///     assert_eq!((measure.to_string().as_str(), measure.at_level(level).to_string().as_str()), (written, at_level));
/// }
/// let exact = WrittenMeasure::from("P@5".parse::<Measure>()?);
/// assert_eq!((exact.to_string(), exact.at_level(level).to_string()), ("P(rel=1)@5".into(), "P@5".into()));
/// # Ok::<(), llull_metrics::MeasureError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WrittenMeasure {
    measure: Measure,
    names_level: bool,
    text: String,
}

impl WrittenMeasure {
    /// Returns the measure; a document is relevant from grade 1 on by default.
    pub fn measure(&self) -> Measure {
        self.measure
    }

    /// Returns whether it leaves open from which grade on a document is relevant.
    pub fn is_open(&self) -> bool {
        !self.names_level && self.measure.relevant().is_some()
    }

    /// Returns the measure with `level` as the lowest relevant grade, where it leaves that open.
    pub fn at_level(&self, level: Relevant) -> Measure {
        if self.is_open() { self.measure.at_level(level) } else { self.measure }
    }
}

/// The measure and no other: its lowest relevant grade is written, even if it is 1.
impl From<Measure> for WrittenMeasure {
    fn from(measure: Measure) -> Self {
        Self { measure, names_level: true, text: printed(&measure, true) }
    }
}

impl FromStr for WrittenMeasure {
    type Err = MeasureError;

    fn from_str(text: &str) -> Result<Self, MeasureError> {
        let (measure, names_level) = parsed(text)?;
        Ok(Self { measure, names_level, text: text.trim().to_owned() })
    }
}

impl fmt::Display for WrittenMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&printed(self, false))
    }
}

/// The name in full; `with_level` also with a lowest relevant grade of 1, where the measure has one.
pub(super) fn printed(measure: &Measure, with_level: bool) -> String {
    let (definition, parameters) = (measure.definition(), measure.parameters());
    let mut name = measure.alias.unwrap_or(definition.name).to_owned();
    let mut opening = '(';
    for parameter in definition.parameters {
        let Some(value) = parameter.written(parameters) else { continue };
        let is_default = parameter.written(&definition.defaults).is_some_and(|default| default == value);
        if parameter.always_printed || !is_default || (with_level && parameter.name == REL.name) {
            name.push_str(&format!("{opening}{}={value}", parameter.name));
            opening = ',';
        }
    }
    if opening == ',' {
        name.push(')');
    }
    if let Some(cutoff) = parameters.cutoff {
        name.push_str(&format!("@{cutoff}"));
    }
    if let Some(recall) = parameters.recall {
        name.push_str(&format!("@{}", recall.get()));
    }
    name
}

impl Serialize for Measure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Measure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

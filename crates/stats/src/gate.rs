//! Gates: conditions that a comparison must meet for a change to pass.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::descriptive::difference;

/// The subject of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GateSubject {
    /// The difference of candidate and baseline: `low(nDCG@10) >= -0.01`.
    Difference,
    /// The candidate's own figure: `value(nDCG@10) > 0.7`.
    Value,
}

/// Which figure of its subject a gate tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The mean: `nDCG@10 >= 0`.
    Mean,
    /// The lower end of its interval: `low(nDCG@10) >= -0.01`.
    Low,
    /// The upper end of its interval: `high(nDCG@10) > 0`.
    High,
}

/// How the figure is compared with the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparator {
    /// `>=`
    AtLeast,
    /// `>`
    Above,
    /// `<=`
    AtMost,
    /// `<`
    Below,
}

impl Comparator {
    /// All of them, those of two characters first so that `>=` is not read as `>`.
    const ALL: [Self; 4] = [Self::AtLeast, Self::AtMost, Self::Above, Self::Below];

    fn sign(self) -> &'static str {
        match self {
            Self::AtLeast => ">=",
            Self::Above => ">",
            Self::AtMost => "<=",
            Self::Below => "<",
        }
    }

    fn holds(self, figure: f64, threshold: f64) -> bool {
        let above = difference(threshold, figure);
        match self {
            Self::AtLeast => above >= 0.0,
            Self::Above => above > 0.0,
            Self::AtMost => above <= 0.0,
            Self::Below => above < 0.0,
        }
    }
}

/// A condition on candidate minus baseline, written as `low(nDCG@10) >= -0.01`, or on the candidate's own figure,
/// written as `value(nDCG@10) > 0.7`.
///
/// The plain form tests the mean, `low(...)` and `high(...)` the ends of its interval; `low(value(...))` is the lower
/// end of the figure's own. The name of the measure stays as written and is not parsed here.
///
/// ```
/// use llull_stats::{Bound, Gate, GateSubject};
///
/// let gate: Gate = "low(AP(rel=2)) > 0".parse()?;
/// assert_eq!((gate.measure(), gate.bound(), gate.threshold()), ("AP(rel=2)", Bound::Low, 0.0));
/// assert_eq!((gate.subject(), gate.to_string().as_str()), (GateSubject::Difference, "low(AP(rel=2)) > 0"));
/// let absolute: Gate = "value(nDCG@10) > 0.7".parse()?;
/// assert_eq!((absolute.subject(), absolute.bound()), (GateSubject::Value, Bound::Mean));
/// # Ok::<(), llull_stats::GateError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    subject: GateSubject,
    bound: Bound,
    measure: String,
    comparator: Comparator,
    threshold: f64,
}

impl Gate {
    /// Returns the name of the measure, as written.
    pub fn measure(&self) -> &str {
        &self.measure
    }

    /// Returns the same condition on another measure.
    #[must_use]
    pub fn on_measure(self, measure: impl Into<String>) -> Self {
        Self { measure: measure.into(), ..self }
    }

    /// Returns whether the difference from the baseline is tested, or the figure itself.
    pub fn subject(&self) -> GateSubject {
        self.subject
    }

    /// Returns which figure of the subject is tested.
    pub fn bound(&self) -> Bound {
        self.bound
    }

    /// Returns how that figure is compared with the threshold.
    pub fn comparator(&self) -> Comparator {
        self.comparator
    }

    /// Returns the threshold.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Returns whether a figure, which must be the [`bound`](Self::bound) of the gate's subject, passes. A figure
    /// equal to the threshold to 12 significant digits is neither above nor below it.
    pub fn holds(&self, figure: f64) -> bool {
        self.comparator.holds(figure, self.threshold)
    }

    /// Returns the same condition on another bound.
    pub fn on(&self, bound: Bound) -> Self {
        Self { bound, ..self.clone() }
    }

    /// Returns the same condition on another subject.
    pub fn about(&self, subject: GateSubject) -> Self {
        Self { subject, ..self.clone() }
    }
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = match self.bound {
            Bound::Mean => None,
            Bound::Low => Some("low"),
            Bound::High => Some("high"),
        };
        let value = (self.subject == GateSubject::Value).then_some("value");
        let around = || bound.iter().chain(&value);
        around().try_for_each(|name| write!(f, "{name}("))?;
        f.write_str(&self.measure)?;
        around().try_for_each(|_| f.write_str(")"))?;
        write!(f, " {} {}", self.comparator.sign(), self.threshold)
    }
}

/// Why a text is not a valid gate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GateError {
    /// The text contains no comparison.
    #[error(
        "the gate {0:?} has no comparison: write a measure, then >=, >, <= or < (not =>), then a number, \
         as in 'low(nDCG@10) >= -0.01'"
    )]
    NoComparator(String),
    /// There is no measure before the comparison.
    #[error("the gate {0:?} has no measure: write one before the comparison, as in 'low(nDCG@10) >= -0.01'")]
    NoMeasure(String),
    /// The text after the comparison is not a finite number.
    #[error(
        "{threshold:?} in the gate {gate:?} is not a number: write the difference from the baseline to allow, as in \
         'low(nDCG@10) >= -0.01', or the figure to reach, as in 'value(nDCG@10) > 0.7'"
    )]
    Threshold {
        /// The whole gate.
        gate: String,
        /// The text after the comparison.
        threshold: String,
    },
}

impl FromStr for Gate {
    type Err = GateError;

    fn from_str(text: &str) -> Result<Self, GateError> {
        // No name of a measure contains `<` or `>`, so the first of them is the comparison.
        let at = text.find(['<', '>']).ok_or_else(|| GateError::NoComparator(text.to_owned()))?;
        let (subject, rest) = text.split_at(at);
        if subject.trim_end().ends_with('=') {
            return Err(GateError::NoComparator(text.to_owned()));
        }
        let (comparator, threshold) = Comparator::ALL
            .into_iter()
            .find_map(|comparator| Some((comparator, rest.strip_prefix(comparator.sign())?.trim())))
            .ok_or_else(|| GateError::NoComparator(text.to_owned()))?;
        let finite = threshold.parse().ok().filter(|threshold: &f64| threshold.is_finite());
        let threshold = finite
            .ok_or_else(|| GateError::Threshold { gate: text.to_owned(), threshold: threshold.to_owned() })?;
        let (subject, bound, measure) = taken_apart(subject.trim());
        if measure.is_empty() {
            return Err(GateError::NoMeasure(text.to_owned()));
        }
        Ok(Self { subject, bound, measure: measure.to_owned(), comparator, threshold })
    }
}

/// The subject of a gate, its bound, and the measure: `low`, `mean` or `high` and `value` may enclose the measure, each
/// once.
fn taken_apart(written: &str) -> (GateSubject, Bound, &str) {
    const BOUNDS: [(&str, Bound); 3] = [("low", Bound::Low), ("high", Bound::High), ("mean", Bound::Mean)];
    let (mut subject, mut bound, mut rest) = (GateSubject::Difference, None, written);
    loop {
        let found = BOUNDS.iter().find_map(|(name, bound)| Some((*bound, inside(name, rest)?)));
        if let (None, Some((of, measure))) = (bound, found) {
            (bound, rest) = (Some(of), measure);
        } else if let (GateSubject::Difference, Some(measure)) = (subject, inside("value", rest)) {
            (subject, rest) = (GateSubject::Value, measure);
        } else {
            return (subject, bound.unwrap_or(Bound::Mean), rest);
        }
    }
}

/// The text in the parentheses of `name(...)`.
fn inside<'a>(name: &str, text: &'a str) -> Option<&'a str> {
    Some(text.strip_prefix(name)?.trim_start().strip_prefix('(')?.strip_suffix(')')?.trim())
}

impl Serialize for Gate {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Gate {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        std::borrow::Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

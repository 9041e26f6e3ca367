//! Gates: conditions that a comparison must meet for a change to pass.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::bootstrap::PairedDifference;
use crate::rounding::difference;

/// Which figure of a difference a gate tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The mean difference: `nDCG@10 >= 0`.
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

/// A condition on candidate minus baseline, written as `nDCG@10 >= -0.01` or `low(nDCG@10) >= -0.01`.
///
/// The plain form tests the mean difference, `low(...)` and `high(...)` the ends of its interval. The name of the
/// measure is kept as written and is not parsed here.
///
/// ```
/// use llull_stats::{Bound, Gate};
///
/// let gate: Gate = "low(AP(rel=2)) > 0".parse()?;
/// assert_eq!((gate.measure(), gate.bound(), gate.threshold()), ("AP(rel=2)", Bound::Low, 0.0));
/// assert_eq!(gate.to_string(), "low(AP(rel=2)) > 0");
/// # Ok::<(), llull_stats::GateError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
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

    /// Returns which figure of the difference is tested.
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

    /// Returns the figure of `difference` that is tested.
    pub fn figure(&self, difference: &PairedDifference) -> f64 {
        match self.bound {
            Bound::Mean => difference.mean,
            Bound::Low => difference.low,
            Bound::High => difference.high,
        }
    }

    /// Returns whether the difference, which must be one of [`measure`](Self::measure), passes. A figure equal to the
    /// threshold to 12 significant digits is neither above nor below it.
    pub fn holds(&self, difference: &PairedDifference) -> bool {
        self.comparator.holds(self.figure(difference), self.threshold)
    }
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { measure, threshold, .. } = self;
        let sign = self.comparator.sign();
        match self.bound {
            Bound::Mean => write!(f, "{measure} {sign} {threshold}"),
            Bound::Low => write!(f, "low({measure}) {sign} {threshold}"),
            Bound::High => write!(f, "high({measure}) {sign} {threshold}"),
        }
    }
}

/// Why a text is not a valid gate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GateError {
    /// The text contains no comparison.
    #[error(
        "the gate {0:?} has no comparison: write a measure, then >=, >, <= or <, then a number, \
         as in 'nDCG@10 >= -0.01'"
    )]
    NoComparator(String),
    /// There is no measure before the comparison.
    #[error("the gate {0:?} has no measure: write one before the comparison, as in 'nDCG@10 >= -0.01'")]
    NoMeasure(String),
    /// The text after the comparison is not a finite number.
    #[error(
        "{threshold:?} in the gate {gate:?} is not a number: write the difference to allow, \
         as in 'nDCG@10 >= -0.01'"
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
        let (comparator, threshold) = Comparator::ALL
            .into_iter()
            .find_map(|comparator| Some((comparator, rest.strip_prefix(comparator.sign())?.trim())))
            .ok_or_else(|| GateError::NoComparator(text.to_owned()))?;
        let finite = threshold.parse().ok().filter(|threshold: &f64| threshold.is_finite());
        let threshold = finite
            .ok_or_else(|| GateError::Threshold { gate: text.to_owned(), threshold: threshold.to_owned() })?;
        let (bound, measure) = bound_of(subject.trim());
        if measure.is_empty() {
            return Err(GateError::NoMeasure(text.to_owned()));
        }
        Ok(Self { bound, measure: measure.to_owned(), comparator, threshold })
    }
}

fn bound_of(subject: &str) -> (Bound, &str) {
    let inside = |name| subject.strip_prefix(name)?.trim_start().strip_prefix('(')?.strip_suffix(')');
    if let Some(measure) = inside("low") {
        (Bound::Low, measure.trim())
    } else if let Some(measure) = inside("high") {
        (Bound::High, measure.trim())
    } else if let Some(measure) = inside("mean") {
        (Bound::Mean, measure.trim())
    } else {
        (Bound::Mean, subject)
    }
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

//! How a judge's grades come to the scale of labels that were there.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::calibration::CalibrationMethod;

/// How many pairs both have to have labelled before a scale is fitted to them.
pub const LEAST_OVERLAP: usize = 30;

/// How a judge's grades come to the scale of labels that were there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BaseCalibration {
    /// By a fit to the pairs that both labelled.
    Fitted(CalibrationMethod),
    /// Not at all: they stand as they are, as the user chose.
    None,
}

impl Default for BaseCalibration {
    /// Labels are whole grades, and means of grades, rounded, lie nearer to the middle than the grades do: on TREC Deep
    /// Learning 2019 that alone moves a ranking of systems more than a judge's own scale does. The map with the highest
    /// kappa keeps their spread.
    fn default() -> Self {
        Self::Fitted(CalibrationMethod::Kappa)
    }
}

impl BaseCalibration {
    /// The name in `llull.toml` and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fitted(method) => method.name(),
            Self::None => "none",
        }
    }
}

impl fmt::Display for BaseCalibration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for BaseCalibration {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if name == "none" {
            return Ok(Self::None);
        }
        name.parse().map(Self::Fitted).map_err(|error| format!("{error}, or none"))
    }
}

impl Serialize for BaseCalibration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back() {
        let methods = CalibrationMethod::ALL.map(BaseCalibration::Fitted);
        for calibration in methods.into_iter().chain([BaseCalibration::None]) {
            assert_eq!(calibration.name().parse(), Ok(calibration));
        }
        assert!("mean".parse::<BaseCalibration>().is_err_and(|error| error.contains("isotonic")));
    }
}

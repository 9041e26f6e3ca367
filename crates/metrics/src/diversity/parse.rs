//! Parses measures of diversity: ir_measures' notation, and ndeval's names.

use std::str::FromStr;

use super::measure::DiversityMeasure;
use crate::notation::{MeasureError, Parts, cutoff_from, refused, split_arguments};
use crate::parameters::{Alpha, Cutoff, REL, Relevant, number, whole};

/// Why a text is not the name of a measure of diversity.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiversityMeasureError {
    /// The name is unknown.
    #[error(
        "no measure of diversity is called {name:?}. There are alpha_nDCG(alpha=0.5)@20, ERR_IA@20 and StRecall@20"
    )]
    Unknown {
        /// The name without its parameters.
        name: String,
    },
    /// The parameters are invalid.
    #[error(transparent)]
    Parameters(#[from] MeasureError),
}

#[derive(Clone, Copy)]
enum Family {
    AlphaNdcg,
    ErrIa,
    StRecall,
}

impl Family {
    /// Upper and lower case, `_` and `-`, `alpha` and `α` are the same.
    fn look_up(name: &str) -> Option<Self> {
        match name.to_lowercase().replace('-', "_").replace('α', "alpha").as_str() {
            "alpha_ndcg" => Some(Self::AlphaNdcg),
            "err_ia" => Some(Self::ErrIa),
            "strecall" | "strec" => Some(Self::StRecall),
            _ => None,
        }
    }

    fn no_parameter(self, text: &str, parameter: &str) -> MeasureError {
        let (family, accepted) = match self {
            Self::AlphaNdcg => ("alpha_nDCG", format!("alpha, as in alpha=0.5, and {}", REL.example)),
            Self::ErrIa => ("ERR_IA", REL.example.to_owned()),
            Self::StRecall => ("StRecall", REL.example.to_owned()),
        };
        MeasureError::Parameter { text: text.to_owned(), family, parameter: parameter.to_owned(), accepted }
    }
}

/// The values in the parentheses and behind the `@`.
#[derive(Default)]
struct Given {
    alpha: Option<Alpha>,
    rel: Option<Relevant>,
    cutoff: Option<Cutoff>,
}

impl Given {
    fn set(&mut self, text: &str, family: Family, name: &str, value: &str) -> Result<(), MeasureError> {
        match (name, family) {
            ("alpha", Family::AlphaNdcg) => {
                let expected = "how much less a subtopic is worth each time that it was seen, from 0 to 1";
                let alpha = number(value, Alpha::new);
                self.alpha = Some(alpha.ok_or_else(|| refused(text, "alpha", value, expected))?);
            }
            ("rel", _) => {
                let rel = whole(value, Relevant::from_grade);
                self.rel = Some(rel.ok_or_else(|| refused(text, REL.name, value, REL.values))?);
            }
            ("cutoff", _) => self.cutoff = Some(cutoff_from(text, value)?),
            _ => return Err(family.no_parameter(text, name)),
        }
        Ok(())
    }
}

impl FromStr for DiversityMeasure {
    type Err = DiversityMeasureError;

    fn from_str(text: &str) -> Result<Self, DiversityMeasureError> {
        let parts = Parts::split(text)?;
        let Some(family) = Family::look_up(parts.name) else {
            return Err(DiversityMeasureError::Unknown { name: parts.name.to_owned() });
        };
        let mut given = Given::default();
        if let Some(arguments) = &parts.arguments {
            for (name, value) in split_arguments(text, arguments)? {
                given.set(text, family, name, value)?;
            }
        }
        if let Some(suffix) = parts.suffix
            && given.cutoff.replace(cutoff_from(text, suffix)?).is_some()
        {
            let twice = MeasureError::Repeated { text: text.to_owned(), parameter: "cutoff".to_owned() };
            return Err(twice.into());
        }
        let Given { alpha, rel, cutoff } = given;
        let rel = rel.unwrap_or_default();
        Ok(match family {
            Family::AlphaNdcg => Self::AlphaNdcg { alpha: alpha.unwrap_or_default(), rel, cutoff },
            Family::ErrIa => {
                let needed = || MeasureError::CutoffNeeded { text: text.to_owned(), example: "ERR_IA@20" };
                Self::ErrIa { rel, cutoff: cutoff.ok_or_else(needed)? }
            }
            Family::StRecall => Self::StRecall { rel, cutoff },
        })
    }
}

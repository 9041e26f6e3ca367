//! From a text to a measure of diversity: ir_measures' notation, and ndeval's names.

use std::str::FromStr;

use super::DiversityMeasure;
use crate::parameter::{Alpha, Cutoff, Relevant};
use crate::parse::{MeasureError, Parts, cutoff_from, number, whole};

/// Why a text names no measure of diversity.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiversityMeasureError {
    /// The name is not one of the accepted ones.
    #[error(
        "no measure of diversity is called {name:?}. There are alpha_nDCG(alpha=0.5)@20, ERR_IA@20 and StRecall@20"
    )]
    Unknown {
        /// The name without its parameters.
        name: String,
    },
    /// The measure cannot be told what it is told.
    #[error(transparent)]
    Told(#[from] MeasureError),
}

#[derive(Clone, Copy)]
enum Family {
    AlphaNdcg,
    ErrIa,
    StRecall,
}

impl Family {
    /// Upper and lower case, `_` and `-`, `alpha` and `α` are not told apart.
    fn look_up(name: &str) -> Option<Self> {
        match name.to_lowercase().replace('-', "_").replace('α', "alpha").as_str() {
            "alpha_ndcg" => Some(Self::AlphaNdcg),
            "err_ia" => Some(Self::ErrIa),
            "strecall" | "strec" => Some(Self::StRecall),
            _ => None,
        }
    }

    fn refuse(self, text: &str, parameter: &str) -> MeasureError {
        let rel = "rel, the lowest relevant grade, as in rel=2";
        let (family, accepted) = match self {
            Self::AlphaNdcg => ("alpha_nDCG", format!("alpha, as in alpha=0.5, and {rel}")),
            Self::ErrIa => ("ERR_IA", rel.to_owned()),
            Self::StRecall => ("StRecall", rel.to_owned()),
        };
        MeasureError::Parameter { text: text.to_owned(), family, parameter: parameter.to_owned(), accepted }
    }
}

/// What stands in the parentheses and behind the `@`.
#[derive(Default)]
struct Told {
    alpha: Option<Alpha>,
    rel: Option<Relevant>,
    cutoff: Option<Cutoff>,
}

impl Told {
    fn set(&mut self, text: &str, family: Family, argument: &str) -> Result<(), MeasureError> {
        let Some((name, value)) = argument.split_once('=') else {
            return Err(MeasureError::Malformed { text: text.to_owned() });
        };
        let (name, value) = (name.trim(), value.trim());
        let before = match (name, family) {
            ("alpha", Family::AlphaNdcg) => {
                let expected = "how much less a subtopic is worth each time that it was seen, from 0 to 1";
                self.alpha.replace(number(text, "alpha", value, Alpha::new, expected)?).is_some()
            }
            ("rel", _) => {
                let expected = "the lowest relevant grade, a whole number from 1";
                self.rel.replace(whole(text, "rel", value, Relevant::from_grade, expected)?).is_some()
            }
            ("cutoff", _) => self.cutoff.replace(cutoff_from(text, value)?).is_some(),
            _ => return Err(family.refuse(text, name)),
        };
        if before { Err(repeated(text, name)) } else { Ok(()) }
    }
}

fn repeated(text: &str, parameter: &str) -> MeasureError {
    MeasureError::Repeated { text: text.to_owned(), parameter: parameter.to_owned() }
}

impl FromStr for DiversityMeasure {
    type Err = DiversityMeasureError;

    fn from_str(text: &str) -> Result<Self, DiversityMeasureError> {
        let parts = Parts::split(text)?;
        let Some(family) = Family::look_up(parts.name) else {
            return Err(DiversityMeasureError::Unknown { name: parts.name.to_owned() });
        };
        let mut told = Told::default();
        for argument in parts.arguments.as_deref().into_iter().flat_map(|arguments| arguments.split(',')) {
            told.set(text, family, argument)?;
        }
        if let Some(at) = parts.at
            && told.cutoff.replace(cutoff_from(text, at)?).is_some()
        {
            return Err(repeated(text, "cutoff").into());
        }
        let Told { alpha, rel, cutoff } = told;
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

//! The measures of diversity.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::notation::{MeasureError, Parts, cutoff_from, refused, split_arguments};
use crate::parameters::{Alpha, Cutoff, REL, Relevant, number, whole};

/// A measure of diversity. It prints in ir_measures' notation, `alpha_nDCG(alpha=0.6,rel=2)@20`, without the parameters
/// that are at their defaults.
///
/// ```
/// use llull_metrics::DiversityMeasure;
///
/// let printed = |text: &str| text.parse().map(|measure: DiversityMeasure| measure.to_string());
/// assert_eq!(printed("alpha_nDCG(alpha=0.5,rel=1)@20")?, "alpha_nDCG@20");
/// assert_eq!(printed("alpha-nDCG@20")?, "alpha_nDCG@20", "ndeval's name");
/// assert_eq!(printed("strec@10")?, "StRecall@10");
/// # Ok::<(), llull_metrics::DiversityMeasureError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DiversityMeasure {
    /// α-nDCG: nDCG where a document gains (1 - α)^n for each subtopic to which it is relevant, n being the number of
    /// documents ahead of it that are relevant to it, too. `alpha_nDCG(alpha=0.5)@20`; Clarke et al., Novelty and
    /// diversity in information retrieval evaluation, SIGIR 2008.
    ///
    /// Finding the best list is NP-hard, so it is built greedily, as in the paper and in ndeval: at each rank from the
    /// document that gains the most there, of several the one with the greatest identifier. So a list can be better
    /// than it: the value is from 0 to e / (e - 1), which is 1.58 (the bound of Nemhauser, Wolsey and Fisher 1978), and
    /// above 1 only if documents are relevant to several subtopics.
    AlphaNdcg {
        /// How much less a subtopic is worth each time that it was seen.
        alpha: Alpha,
        /// The lowest grade that counts as relevant.
        rel: Relevant,
        /// Ranks that count; `None` for the whole list.
        cutoff: Option<Cutoff>,
    },
    /// ERR-IA: the mean over subtopics of ERR for a reader who stops at a relevant document half of the time, divided
    /// by that of a list in which every document is relevant to all of them; from 0 to 1. `ERR_IA@20`; Chapelle et al.,
    /// Expected reciprocal rank for graded relevance, CIKM 2009, as in ndeval.
    ///
    /// At cutoff 1 ndeval does not divide, and exceeds 1; here it is divided as at every other cutoff.
    ErrIa {
        /// The lowest grade that counts as relevant.
        rel: Relevant,
        /// Ranks that count.
        cutoff: Cutoff,
    },
    /// Subtopic recall: the share of subtopics to which a document of the list is relevant; from 0 to 1.
    /// `StRecall@10`, ndeval's `strec@10`; Zhai, Cohen and Lafferty, Beyond independent relevance, SIGIR 2003.
    StRecall {
        /// The lowest grade that counts as relevant.
        rel: Relevant,
        /// Ranks that count; `None` for the whole list.
        cutoff: Option<Cutoff>,
    },
}

impl DiversityMeasure {
    /// The measure with `level` as the lowest grade that counts as relevant. A measure whose name gives another grade
    /// than 1 keeps that, as in [`Measure::at_level`](crate::Measure::at_level).
    #[must_use]
    pub fn at_level(mut self, level: Relevant) -> Self {
        let (Self::AlphaNdcg { rel, .. } | Self::ErrIa { rel, .. } | Self::StRecall { rel, .. }) = &mut self;
        if *rel == Relevant::default() {
            *rel = level;
        }
        self
    }

    /// The name without parameters and cutoff.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::AlphaNdcg { .. } => "alpha_nDCG",
            Self::ErrIa { .. } => "ERR_IA",
            Self::StRecall { .. } => "StRecall",
        }
    }

    /// The lowest grade that counts as relevant.
    pub fn rel(&self) -> Relevant {
        match *self {
            Self::AlphaNdcg { rel, .. } | Self::ErrIa { rel, .. } | Self::StRecall { rel, .. } => rel,
        }
    }

    /// The rank down to which the measure looks; `None` for the whole list.
    pub fn cutoff(&self) -> Option<Cutoff> {
        match *self {
            Self::AlphaNdcg { cutoff, .. } | Self::StRecall { cutoff, .. } => cutoff,
            Self::ErrIa { cutoff, .. } => Some(cutoff),
        }
    }

    /// The number of ranks that the measure reads.
    pub(super) fn ranks(&self) -> usize {
        self.cutoff().map_or(usize::MAX, |cutoff| cutoff.rank() as usize)
    }

    fn printed(&self) -> String {
        let mut arguments = Vec::new();
        if let Self::AlphaNdcg { alpha, .. } = self
            && *alpha != Alpha::default()
        {
            arguments.push(format!("alpha={}", alpha.get()));
        }
        if self.rel() != Relevant::default() {
            arguments.push(format!("rel={}", self.rel().grade()));
        }
        let arguments =
            if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(",")) };
        let at = self.cutoff().map_or_else(String::new, |cutoff| format!("@{cutoff}"));
        format!("{}{arguments}{at}", self.name())
    }
}

impl fmt::Display for DiversityMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.printed())
    }
}

impl Serialize for DiversityMeasure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DiversityMeasure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

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

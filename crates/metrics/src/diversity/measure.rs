//! What can be measured under labels of subtopics.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::parameter::{Alpha, Cutoff, Relevant};

/// A measure of diversity. It prints as ir_measures has it, `alpha_nDCG(alpha=0.6,rel=2)@20`; what is at its default is not printed.
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
    /// α-nDCG: nDCG where a document gains (1 - α)^n for each subtopic that it is relevant to, n being how many documents ahead of it are, too.
    /// `alpha_nDCG(alpha=0.5)@20`; Clarke et al., Novelty and diversity in information retrieval evaluation, SIGIR 2008.
    ///
    /// The best list is looked for greedily, as in the paper and in ndeval, since to find it is NP-hard: at each rank the document that gains the most
    /// there, of several the one with the greatest identifier. So a list can be better than it: the value is from 0 to e / (e - 1), which is 1.58 (the bound of Nemhauser,
    /// Wolsey and Fisher 1978), and above 1 only where documents are relevant to several subtopics.
    AlphaNdcg {
        /// How much less a subtopic is worth each time that it was seen.
        alpha: Alpha,
        /// The lowest grade that counts as relevant.
        rel: Relevant,
        /// Ranks that count; `None` for the whole list.
        cutoff: Option<Cutoff>,
    },
    /// ERR-IA: the mean over subtopics of ERR for a reader who stops at a relevant document half of the time, over that of a list in which every document is relevant to all of
    /// them; from 0 to 1. `ERR_IA@20`; Chapelle et al., Expected reciprocal rank for graded relevance, CIKM 2009, as ndeval has it.
    ///
    /// At cutoff 1 ndeval does not divide, and exceeds 1; here it is divided as at every other.
    ErrIa {
        /// The lowest grade that counts as relevant.
        rel: Relevant,
        /// Ranks that count.
        cutoff: Cutoff,
    },
    /// Subtopic recall: the share of subtopics to which a document of the list is relevant; from 0 to 1. `StRecall@10`, ndeval's `strec@10`; Zhai, Cohen and
    /// Lafferty, Beyond independent relevance, SIGIR 2003.
    StRecall {
        /// The lowest grade that counts as relevant.
        rel: Relevant,
        /// Ranks that count; `None` for the whole list.
        cutoff: Option<Cutoff>,
    },
}

impl DiversityMeasure {
    /// The measure with `level` for the lowest grade that counts as relevant; one that has another than 1 already was told so by name, and keeps it, as in
    /// [`Measure::at_level`](crate::Measure::at_level).
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

    fn printed(&self) -> String {
        let mut told = Vec::new();
        if let Self::AlphaNdcg { alpha, .. } = self
            && *alpha != Alpha::default()
        {
            told.push(format!("alpha={}", alpha.get()));
        }
        if self.rel() != Relevant::default() {
            told.push(format!("rel={}", self.rel().grade()));
        }
        let told = if told.is_empty() { String::new() } else { format!("({})", told.join(",")) };
        let at = self.cutoff().map_or_else(String::new, |cutoff| format!("@{cutoff}"));
        format!("{}{told}{at}", self.name())
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

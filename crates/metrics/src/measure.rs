//! What can be measured. A measure is its printed name.

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU32;

use llull_core::Grade;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The rank down to which a measure looks, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cutoff(NonZeroU32);

impl Cutoff {
    /// The cutoff at `rank`; `None` for 0.
    pub fn new(rank: u32) -> Option<Self> {
        NonZeroU32::new(rank).map(Self)
    }

    /// The rank.
    pub fn rank(self) -> u32 {
        self.0.get()
    }
}

impl fmt::Display for Cutoff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The lowest grade that counts as relevant: 1 or more, 1 if nothing is said. ir_measures' `rel`, trec_eval's `-l`.
///
/// It cannot be 0 or less, because a grade of 0 or less says that a document is not relevant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Relevant(Grade);

impl Relevant {
    /// The threshold at `grade`; `None` below 1.
    pub fn from_grade(grade: Grade) -> Option<Self> {
        (grade >= 1).then_some(Self(grade))
    }

    /// The lowest grade that counts as relevant.
    pub fn grade(self) -> Grade {
        self.0
    }
}

impl Default for Relevant {
    fn default() -> Self {
        Self(1)
    }
}

/// How a grade becomes a gain in nDCG. Grades of 0 and less gain nothing either way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Gain {
    /// The grade itself (Järvelin and Kekäläinen 2002), as trec_eval has it. ir_measures' `dcg='log2'`.
    #[default]
    Linear,
    /// 2^grade - 1 (Burges et al. 2005), usual in learning to rank. ir_measures' `dcg='exp-log2'`.
    Exponential,
}

/// One measure with its parameters.
///
/// It is written, printed, serialised and compared by its name in ir_measures' notation, defaults left out;
/// every measure parses back from what it prints as.
///
/// ```
/// use llull_metrics::Measure;
///
/// for (written, name) in [
///     ("nDCG@10", "nDCG@10"),
///     ("nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')@10"),
///     ("AP(rel=1)", "AP"),
///     ("map_cut_100", "AP@100"),
///     ("recip_rank", "RR"),
///     ("precision@5", "P@5"),
/// ] {
///     assert_eq!(written.parse::<Measure>()?.to_string(), name);
/// }
/// let error = "nDGC@10".parse::<Measure>().unwrap_err().to_string();
/// assert!(error.contains("did you mean nDCG@10?"), "{error}");
/// # Ok::<(), llull_metrics::MeasureError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Measure {
    /// Normalised discounted cumulative gain, `nDCG@10`; over the whole list without a cutoff.
    Ndcg {
        /// What a grade is worth.
        gain: Gain,
        /// How far down the list.
        cutoff: Option<Cutoff>,
    },
    /// Average precision, `AP`; its mean over topics is MAP.
    Ap {
        /// What counts as relevant.
        rel: Relevant,
        /// How far down the list.
        cutoff: Option<Cutoff>,
    },
    /// Reciprocal rank, `RR@10`; its mean over topics is MRR.
    Rr {
        /// What counts as relevant.
        rel: Relevant,
        /// How far down the list.
        cutoff: Option<Cutoff>,
    },
    /// Precision, `P@10`.
    Precision {
        /// What counts as relevant.
        rel: Relevant,
        /// How far down the list.
        cutoff: Cutoff,
    },
    /// Recall, `R@100`.
    Recall {
        /// What counts as relevant.
        rel: Relevant,
        /// How far down the list.
        cutoff: Cutoff,
    },
    /// Whether anything relevant is found, `Success@5`; also called hit rate.
    Success {
        /// What counts as relevant.
        rel: Relevant,
        /// How far down the list.
        cutoff: Cutoff,
    },
    /// The share of the list that has a label, `Judged@10`.
    Judged {
        /// How far down the list.
        cutoff: Cutoff,
    },
}

impl Measure {
    /// The name without parameters: `nDCG`, `AP`, `RR`, `P`, `R`, `Success` or `Judged`.
    pub fn family(&self) -> &'static str {
        match self {
            Self::Ndcg { .. } => "nDCG",
            Self::Ap { .. } => "AP",
            Self::Rr { .. } => "RR",
            Self::Precision { .. } => "P",
            Self::Recall { .. } => "R",
            Self::Success { .. } => "Success",
            Self::Judged { .. } => "Judged",
        }
    }

    /// The rank down to which it looks; `None` for the whole list.
    pub fn cutoff(&self) -> Option<Cutoff> {
        match *self {
            Self::Ndcg { cutoff, .. } | Self::Ap { cutoff, .. } | Self::Rr { cutoff, .. } => cutoff,
            Self::Precision { cutoff, .. }
            | Self::Recall { cutoff, .. }
            | Self::Success { cutoff, .. }
            | Self::Judged { cutoff } => Some(cutoff),
        }
    }

    /// The lowest grade that counts as relevant, for measures that draw such a line.
    pub fn relevant(&self) -> Option<Relevant> {
        match *self {
            Self::Ap { rel, .. }
            | Self::Rr { rel, .. }
            | Self::Precision { rel, .. }
            | Self::Recall { rel, .. }
            | Self::Success { rel, .. } => Some(rel),
            Self::Ndcg { .. } | Self::Judged { .. } => None,
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.printed())
    }
}

impl Measure {
    fn printed(&self) -> String {
        let mut name = self.family().to_owned();
        if let Self::Ndcg { gain: Gain::Exponential, .. } = self {
            name.push_str("(dcg='exp-log2')");
        }
        if let Some(rel) = self.relevant().filter(|rel| *rel != Relevant::default()) {
            name.push_str(&format!("(rel={})", rel.grade()));
        }
        if let Some(cutoff) = self.cutoff() {
            name.push_str(&format!("@{cutoff}"));
        }
        name
    }
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

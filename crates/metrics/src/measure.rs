//! What can be measured. A measure is its printed name.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;

use crate::measures::COMPAT_DEPTH;
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

/// How likely a reader is to go on from one rank to the next, from 0.01 to 0.99; 0.95 if nothing is said. ir_measures' `p`.
///
/// With 0.9 the first ten ranks hold most of the weight, with 0.95 the first twenty (Clarke et al.'s compatibility.py,
/// whose range this is: beyond it ranks that nobody retrieves would count).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Persistence(f64);

impl Persistence {
    /// The persistence `p`; `None` outside of 0.01 to 0.99.
    pub fn new(p: f64) -> Option<Self> {
        (0.01..=0.99).contains(&p).then_some(Self(p))
    }

    /// The probability.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Default for Persistence {
    fn default() -> Self {
        Self(0.95)
    }
}

// It is never NaN or 0, so equality is an equivalence and equal values have equal bits.
impl Eq for Persistence {}

impl Hash for Persistence {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
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
    /// Compatibility with the nearest ideal order, `Compat(p=0.9)`: for preferences and tiers as for grades.
    Compat {
        /// How fast the weight falls with the rank.
        p: Persistence,
        /// Whether an ideal ranking has 1, however short the ideal order; yes if nothing is said.
        normalize: bool,
    },
}

impl Measure {
    /// The name without parameters: `nDCG`, `AP`, `RR`, `P`, `R`, `Success`, `Judged` or `Compat`.
    pub fn family(&self) -> &'static str {
        match self {
            Self::Ndcg { .. } => "nDCG",
            Self::Ap { .. } => "AP",
            Self::Rr { .. } => "RR",
            Self::Precision { .. } => "P",
            Self::Recall { .. } => "R",
            Self::Success { .. } => "Success",
            Self::Judged { .. } => "Judged",
            Self::Compat { .. } => "Compat",
        }
    }

    /// The cutoff in its name; `None` for a measure of the whole list.
    pub fn cutoff(&self) -> Option<Cutoff> {
        match *self {
            Self::Ndcg { cutoff, .. } | Self::Ap { cutoff, .. } | Self::Rr { cutoff, .. } => cutoff,
            Self::Precision { cutoff, .. }
            | Self::Recall { cutoff, .. }
            | Self::Success { cutoff, .. }
            | Self::Judged { cutoff } => Some(cutoff),
            Self::Compat { .. } => None,
        }
    }

    /// The rank beyond which it does not look: its cutoff, or 1,000 for Compat; `None` where it looks at the whole list.
    pub fn depth(&self) -> Option<usize> {
        match self {
            Self::Compat { .. } => Some(COMPAT_DEPTH),
            _ => self.cutoff().map(|cutoff| cutoff.rank() as usize),
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
            Self::Ndcg { .. } | Self::Judged { .. } | Self::Compat { .. } => None,
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
        let parameters = self.parameters();
        if !parameters.is_empty() {
            name.push_str(&format!("({})", parameters.join(",")));
        }
        if let Some(cutoff) = self.cutoff() {
            name.push_str(&format!("@{cutoff}"));
        }
        name
    }

    /// The parameters that are not at their defaults, as ir_measures writes them.
    fn parameters(&self) -> Vec<String> {
        let mut parameters = Vec::new();
        if let Self::Ndcg { gain: Gain::Exponential, .. } = self {
            parameters.push("dcg='exp-log2'".to_owned());
        }
        if let Some(rel) = self.relevant().filter(|rel| *rel != Relevant::default()) {
            parameters.push(format!("rel={}", rel.grade()));
        }
        if let Self::Compat { p, normalize } = *self {
            if p != Persistence::default() {
                parameters.push(format!("p={}", p.get()));
            }
            if !normalize {
                parameters.push("normalize=False".to_owned());
            }
        }
        parameters
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

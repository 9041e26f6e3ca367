//! What a measure takes for granted where tools differ.

use crate::gain::Gain;
use crate::measure::{Measure, Worth};
use crate::parameter::{Rounding, Unjudged};

impl Measure {
    /// What the measure takes for granted where other tools do otherwise, in a few words, such as `gain = grade` of nDCG; `None` where tools
    /// agree. `docs/measures.md` has who does what.
    ///
    /// ```
    /// let convention = |name: &str| name.parse::<llull_metrics::Measure>().map(|measure| measure.convention());
    /// assert_eq!(convention("nDCG@10")?.as_deref(), Some("gain = grade"));
    /// assert_eq!(convention("ERR@20")?.as_deref(), Some("highest grade 4"));
    /// assert_eq!(convention("AP")?, None);
    /// assert_eq!(convention("AP(judged_only=True)")?.as_deref(), Some("documents without a label are left out"));
    /// # Ok::<(), llull_metrics::MeasureError>(())
    /// ```
    pub fn convention(&self) -> Option<String> {
        let unjudged = match self.unjudged() {
            Unjudged::NotRelevant => None,
            Unjudged::Excluded => Some("documents without a label are left out".to_owned()),
            Unjudged::Best => Some("documents without a label count as the best".to_owned()),
        };
        let said: Vec<String> = self.definition().into_iter().chain(unjudged).collect();
        if said.is_empty() { None } else { Some(said.join(", ")) }
    }

    fn definition(&self) -> Option<String> {
        Some(match self {
            Self::Ndcg { gain, .. } | Self::Dcg { gain, .. } => match gain {
                Gain::Linear => "gain = grade".to_owned(),
                Gain::Exponential => "gain = 2^grade - 1".to_owned(),
                Gain::Custom(_) => return None,
            },
            Self::Err { max_rel, .. } | Self::Nerr { max_rel, .. } => {
                format!("highest grade {}", max_rel.grade())
            }
            Self::Rbp { p, worth, .. } => match worth {
                Worth::Binary(rel) => {
                    format!("p = {}, worth 1 from grade {} on, else 0", p.get(), rel.grade())
                }
                Worth::Graded(max) => format!("p = {}, worth grade / {}", p.get(), max.grade()),
            },
            Self::IPrec { rounding, .. } | Self::ElevenPoint { rounding, .. } => match rounding {
                Rounding::Up => "recall levels rounded up to a document".to_owned(),
                Rounding::Nearest => "recall levels rounded to the nearest document".to_owned(),
            },
            Self::SetF { beta, .. } => format!("beta = {}, squared", beta.get()),
            Self::Gmap { .. } | Self::GmBpref { .. } => {
                "topics of less than 0.00001 count as that".to_owned()
            }
            Self::Compat { p, .. } => format!("p = {}, tied scores by ascending id", p.get()),
            _ => return None,
        })
    }
}

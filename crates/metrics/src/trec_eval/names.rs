//! What trec_eval calls a measure.

use crate::gain::Gain;
use crate::measure::{Measure, Worth};
use crate::parameter::{Beta, Multiple, Persistence, Relevant, Rounding, Unjudged, Weights};

impl Measure {
    /// What trec_eval 10 prints for the measure under `-l level`; `None` where it has no such measure, defines it in another way, or prints a
    /// name that says something else (`Rprec(mult=0.333)` would be its `Rprec_mult_0.33`).
    ///
    /// A measure that draws a line between relevant and not has a name only under its own level. The name at level 1 parses back to the
    /// measure. RBP counts as trec_eval's `rbp`, which is the same for grades of 0 and 1 alone, and whose `-l` has no effect.
    ///
    /// ```
    /// use llull_metrics::{Measure, Relevant};
    ///
    /// let name = |measure: &str, level| {
    ///     let measure: Measure = measure.parse().unwrap();
    ///     measure.trec_eval_name(Relevant::from_grade(level).unwrap())
    /// };
    /// assert_eq!(name("nDCG@10", 1).as_deref(), Some("ndcg_cut_10"));
    /// assert_eq!(name("AP(rel=2)", 2).as_deref(), Some("map"));
    /// assert_eq!(name("AP(rel=2)", 1), None);
    /// assert_eq!(name("IPrec@0.1", 1), None, "trec_eval 10 rounds to the nearest document");
    /// assert_eq!(name("IPrec(rounding='nearest')@0.1", 1).as_deref(), Some("iprec_at_recall_0.10"));
    /// assert_eq!(name("ERR@20", 1), None);
    /// ```
    pub fn trec_eval_name(&self, level: Relevant) -> Option<String> {
        if self.unjudged() != Unjudged::NotRelevant || self.relevant().is_some_and(|rel| rel != level) {
            return None;
        }
        match *self {
            Self::Ndcg { gain: Gain::Linear, cutoff: Some(cutoff), .. } => Some(format!("ndcg_cut_{cutoff}")),
            Self::Ndcg { gain, cutoff: None, .. } => with_gains("ndcg", &gain),
            Self::G { gain } => with_gains("G", &gain),
            Self::NdcgRel { gain } => with_gains("ndcg_rel", &gain),
            Self::Rndcg { gain } => with_gains("Rndcg", &gain),
            Self::Ap { cutoff: Some(cutoff), .. } => Some(format!("map_cut_{cutoff}")),
            Self::Precision { cutoff, relative: false, .. } => Some(format!("P_{cutoff}")),
            Self::Precision { cutoff, relative: true, .. } => Some(format!("relative_P_{cutoff}")),
            Self::Recall { cutoff, .. } => Some(format!("recall_{cutoff}")),
            Self::Success { cutoff: Some(cutoff), .. } => Some(format!("success_{cutoff}")),
            Self::Unj { cutoff } => Some(format!("unj_{cutoff}")),
            Self::Rprec { mult, .. } if mult != Multiple::default() => {
                with_decimals("Rprec_mult", mult.get())
            }
            Self::IPrec { recall, rounding: Rounding::Nearest, .. } => {
                with_decimals("iprec_at_recall", recall.get())
            }
            Self::SetF { beta, cutoff: None, .. } if beta != Beta::default() => {
                Some(format!("set_F_{}", squared(beta.get())))
            }
            Self::Utility { weights, .. } if weights != Weights::default() => {
                Some(format!("utility_{weights},0"))
            }
            Self::Rbp { p, worth: Worth::Binary(_), cutoff: None, .. } if level == Relevant::default() => {
                Some(if p == Persistence::TREC_EVAL {
                    "rbp".to_owned()
                } else {
                    format!("rbp_p={}", p.get())
                })
            }
            ref other => plain(other).map(str::to_owned),
        }
    }

    /// The name of the mean over several judges ([`evaluate_judges`](crate::evaluate_judges)), where trec_eval has it: `map_avgjg`, `P_avgjg_5`,
    /// `Rprec_mult_avgjg_0.20`. `None` where it has not.
    pub fn trec_eval_name_over_judges(&self, level: Relevant) -> Option<String> {
        if let Self::Rprec { mult, rel, judged_only: false } = *self {
            return with_decimals("Rprec_mult_avgjg", mult.get()).filter(|_| rel == level);
        }
        let name = self.trec_eval_name(level)?;
        match (*self, name.strip_prefix("P_")) {
            (Self::Ap { cutoff: None, .. }, _) => Some("map_avgjg".to_owned()),
            (_, Some(cutoff)) => Some(format!("P_avgjg_{cutoff}")),
            _ => None,
        }
    }

    /// Whether a topic has a figure of its own. Not so of the number of topics and of geometric means, of which trec_eval prints nothing
    /// for single topics.
    pub fn has_topic_figures(&self) -> bool {
        !matches!(self, Self::NumQ | Self::Gmap { .. } | Self::GmBpref { .. })
    }
}

/// The names without a parameter.
fn plain(measure: &Measure) -> Option<&'static str> {
    Some(match *measure {
        Measure::Ap { cutoff: None, .. } => "map",
        Measure::Gmap { .. } => "gm_map",
        Measure::Rr { cutoff: None, .. } => "recip_rank",
        Measure::Rprec { .. } => "Rprec",
        Measure::ElevenPoint { rounding: Rounding::Nearest, .. } => "11pt_avg",
        Measure::Bpref { .. } => "bpref",
        Measure::GmBpref { .. } => "gm_bpref",
        Measure::InfAp { .. } => "infAP",
        Measure::SetP { relative: false, .. } => "set_P",
        Measure::SetP { relative: true, .. } => "set_relative_P",
        Measure::SetR { .. } => "set_recall",
        Measure::SetF { beta, cutoff: None, .. } if beta == Beta::default() => "set_F",
        Measure::SetAp { .. } => "set_map",
        Measure::RbpResidual { p: Persistence::TREC_EVAL, cutoff: None } => "rbp_resid",
        Measure::Utility { .. } => "utility",
        Measure::BinG { .. } => "binG",
        Measure::NumQ => "num_q",
        Measure::NumRet { rel: None, cutoff: None } => "num_ret",
        Measure::NumRet { rel: Some(_), cutoff: None } => "num_rel_ret",
        Measure::NumRel { .. } => "num_rel",
        Measure::NumNonrelRet { .. } => "num_nonrel_judged_ret",
        _ => return None,
    })
}

/// trec_eval's x in `set_F_x`: of the numbers whose root is `beta` the one with the fewest decimals.
fn squared(beta: f64) -> String {
    let square = beta * beta;
    let shorter = (0..17).map(|decimals| format!("{square:.decimals$}"));
    let same = |x: &String| x.parse().map(f64::sqrt) == Ok(beta);
    shorter.into_iter().find(same).unwrap_or_else(|| square.to_string())
}

/// trec_eval prints two decimals.
fn with_decimals(family: &str, number: f64) -> Option<String> {
    let decimals = format!("{number:.2}");
    (decimals.parse() == Ok(number)).then(|| format!("{family}_{decimals}"))
}

fn with_gains(family: &str, gain: &Gain) -> Option<String> {
    match gain {
        Gain::Linear => Some(family.to_owned()),
        Gain::Exponential => None,
        Gain::Custom(gains) => {
            let pairs: Vec<String> = gains.iter().map(|(grade, gain)| format!("{grade}={gain}")).collect();
            Some(format!("{family}_{}", pairs.join(",")))
        }
    }
}

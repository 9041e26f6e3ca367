//! What can be measured. A measure is its printed name.

use crate::aggregation::Aggregation;
use crate::gain::Gain;
use crate::measures::COMPAT_DEPTH;
use crate::parameter::{
    Beta, Cutoff, MaxGrade, Multiple, Persistence, RecallLevel, Relevant, Rounding, Target, Unjudged, Weights,
};

/// What a document is worth to [`Measure::Rbp`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Worth {
    /// 1 when it is relevant, else 0; `rel=`.
    Binary(Relevant),
    /// Its grade's share of the highest grade; `max_rel=`.
    Graded(MaxGrade),
}

/// One measure with its parameters.
///
/// It is written, printed, serialised and compared by its name in ir_measures' notation, defaults left out;
/// every measure parses back from what it prints as. A measure that only trec_eval has prints under trec_eval's name.
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
///     ("RBP", "RBP(p=0.8)"),
///     ("iprec_at_recall_0.10", "IPrec(rounding='nearest')@0.1"),
///     ("AP(judged_only=True)", "AP(judged_only=True)"),
/// ] {
///     assert_eq!(written.parse::<Measure>()?.to_string(), name);
/// }
/// let error = "nDGC@10".parse::<Measure>().unwrap_err().to_string();
/// assert!(error.contains("did you mean nDCG@10?"), "{error}");
/// # Ok::<(), llull_metrics::MeasureError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Measure {
    /// Normalised discounted cumulative gain, `nDCG@10`; over the whole list without a cutoff.
    Ndcg {
        /// What a grade is worth.
        gain: Gain,
        /// How far down the list.
        cutoff: Option<Cutoff>,
        /// What a document without a label counts as.
        unjudged: Unjudged,
    },
    /// Discounted cumulative gain, `DCG@10`: nDCG before the division. From 0 without an upper end.
    Dcg {
        /// What a grade is worth.
        gain: Gain,
        /// How far down the list.
        cutoff: Option<Cutoff>,
        /// What a document without a label counts as.
        unjudged: Unjudged,
    },
    /// Average precision, `AP`; its mean over topics is MAP.
    Ap {
        /// What counts as relevant.
        rel: Relevant,
        /// How far down the list.
        cutoff: Option<Cutoff>,
        /// What a document without a label counts as.
        unjudged: Unjudged,
    },
    /// The geometric mean of average precision, `GMAP`. A topic's figure is its average precision.
    Gmap {
        /// What counts as relevant.
        rel: Relevant,
    },
    /// Reciprocal rank, `RR@10`; its mean over topics is MRR.
    Rr {
        /// What counts as relevant.
        rel: Relevant,
        /// How far down the list.
        cutoff: Option<Cutoff>,
        /// What a document without a label counts as.
        unjudged: Unjudged,
    },
    /// Precision, `P@10`.
    Precision {
        /// What counts as relevant.
        rel: Relevant,
        /// How far down the list.
        cutoff: Cutoff,
        /// What a document without a label counts as.
        unjudged: Unjudged,
        /// Whether it is divided by the most that is possible, `P(relative=True)@10`.
        relative: bool,
    },
    /// Recall, `R@100`.
    Recall {
        /// What counts as relevant.
        rel: Relevant,
        /// How far down the list.
        cutoff: Cutoff,
        /// What a document without a label counts as.
        unjudged: Unjudged,
    },
    /// Precision at R, `Rprec`, where R is how many relevant documents there are.
    Rprec {
        /// What counts as relevant.
        rel: Relevant,
        /// How often R.
        mult: Multiple,
        /// Whether documents without a label are left out of the list.
        judged_only: bool,
    },
    /// Interpolated precision at a recall level, `IPrec@0.1`.
    IPrec {
        /// What counts as relevant.
        rel: Relevant,
        /// The recall level.
        recall: RecallLevel,
        /// How many documents that is.
        rounding: Rounding,
        /// Whether documents without a label are left out of the list.
        judged_only: bool,
    },
    /// The mean of IPrec at recall 0, 0.1, ..., 1: `11pt_avg`.
    ElevenPoint {
        /// What counts as relevant.
        rel: Relevant,
        /// How many documents a level is.
        rounding: Rounding,
        /// Whether documents without a label are left out of the list.
        judged_only: bool,
    },
    /// Whether anything relevant is found, `Success@5`; also called hit rate.
    Success {
        /// What counts as relevant.
        rel: Relevant,
        /// How far down the list; all of it unless given.
        cutoff: Option<Cutoff>,
        /// What a document without a label counts as.
        unjudged: Unjudged,
    },
    /// The share of the list that has a label, `Judged@10`.
    Judged {
        /// How far down the list.
        cutoff: Cutoff,
    },
    /// Documents without a label in the top k, over k: trec_eval's `unj@10`.
    Unj {
        /// How far down the list.
        cutoff: Cutoff,
    },
    /// Binary preference, `Bpref`: judged documents alone, relevant ahead of not relevant.
    Bpref {
        /// What counts as relevant.
        rel: Relevant,
    },
    /// The geometric mean of Bpref, `gm_bpref`. A topic's figure is its Bpref.
    GmBpref {
        /// What counts as relevant.
        rel: Relevant,
    },
    /// Inferred average precision, `infAP`: where only a sample of the pool was judged.
    InfAp {
        /// What counts as relevant.
        rel: Relevant,
    },
    /// Precision of all that was retrieved, `SetP`.
    SetP {
        /// What counts as relevant.
        rel: Relevant,
        /// Whether it is divided by the most that is possible, `SetP(relative=True)`.
        relative: bool,
        /// What a document without a label counts as.
        unjudged: Unjudged,
    },
    /// Recall of all that was retrieved, `SetR`.
    SetR {
        /// What counts as relevant.
        rel: Relevant,
    },
    /// The harmonic mean of SetP and SetR, `SetF`; of P@5 and R@5 `SetF@5`, which is ranx's `f1@5`.
    SetF {
        /// What counts as relevant.
        rel: Relevant,
        /// How much more recall counts than precision.
        beta: Beta,
        /// How far down the list; all of it unless given.
        cutoff: Option<Cutoff>,
        /// What a document without a label counts as.
        unjudged: Unjudged,
    },
    /// SetP times SetR, `SetAP`.
    SetAp {
        /// What counts as relevant.
        rel: Relevant,
        /// What a document without a label counts as.
        unjudged: Unjudged,
    },
    /// Expected reciprocal rank, `ERR@20`.
    Err {
        /// The highest grade of the scale; 4 if nothing is said.
        max_rel: MaxGrade,
        /// How far down the list.
        cutoff: Option<Cutoff>,
        /// What a document without a label counts as.
        unjudged: Unjudged,
    },
    /// ERR over that of the best order, `nERR@20`.
    Nerr {
        /// The highest grade of the scale; 4 if nothing is said.
        max_rel: MaxGrade,
        /// How far down the list.
        cutoff: Option<Cutoff>,
        /// What a document without a label counts as.
        unjudged: Unjudged,
    },
    /// Rank-biased precision, `RBP(p=0.8)`; p is always printed.
    Rbp {
        /// How likely a reader goes on.
        p: Persistence,
        /// What a document is worth.
        worth: Worth,
        /// How far down the list.
        cutoff: Option<Cutoff>,
        /// What a document without a label counts as.
        unjudged: Unjudged,
    },
    /// How much RBP could still rise, `RBPResidual(p=0.8)`. A topic that the run does not answer has 0, as trec_eval's `rbp_resid` has under
    /// `-c`, though RBP could rise to 1 there: RBP and its residual bound the mean over answered topics alone.
    RbpResidual {
        /// How likely a reader goes on.
        p: Persistence,
        /// How far down the list.
        cutoff: Option<Cutoff>,
    },
    /// INSQ, `INSQ(max_rel=3)`: weighted precision whose reader is after a number of documents.
    Insq {
        /// How much gain the reader is after.
        target: Target,
        /// The highest grade of the scale.
        max_rel: MaxGrade,
    },
    /// INST, `INST(max_rel=3)`: the same, where the reader adapts to what was found.
    Inst {
        /// How much gain the reader is after.
        target: Target,
        /// The highest grade of the scale.
        max_rel: MaxGrade,
    },
    /// Compatibility with the nearest ideal order, `Compat(p=0.9)`: for preferences and tiers as for grades.
    Compat {
        /// How fast the weight falls with the rank.
        p: Persistence,
        /// Whether an ideal ranking has 1, however short the ideal order; yes if nothing is said.
        normalize: bool,
    },
    /// A sum of what retrieved and missed documents are worth, `utility`.
    Utility {
        /// What counts as relevant.
        rel: Relevant,
        /// What documents are worth.
        weights: Weights,
    },
    /// `binG`: each relevant document discounted by the others ahead of it. Experimental in trec_eval.
    BinG {
        /// What counts as relevant.
        rel: Relevant,
    },
    /// `G`: gains discounted by what a better list had found by then. Experimental in trec_eval.
    G {
        /// What a grade is worth.
        gain: Gain,
    },
    /// The mean of nDCG over the ranks of the relevant documents, `ndcg_rel`. Experimental in trec_eval.
    NdcgRel {
        /// What a grade is worth.
        gain: Gain,
    },
    /// The mean of nDCG over the ranks where the best list changes its grade, `Rndcg`. Experimental in trec_eval.
    Rndcg {
        /// What a grade is worth.
        gain: Gain,
    },
    /// The number of topics, `NumQ`.
    NumQ,
    /// How many documents were retrieved, `NumRet`; with `rel`, how many relevant ones.
    NumRet {
        /// What counts; every document if nothing is said.
        rel: Option<Relevant>,
        /// How far down the list.
        cutoff: Option<Cutoff>,
    },
    /// How many relevant documents the labels know, `NumRel`.
    NumRel {
        /// What counts as relevant.
        rel: Relevant,
    },
    /// How many documents were retrieved that are labelled not relevant, `num_nonrel_judged_ret`.
    NumNonrelRet {
        /// What counts as relevant.
        rel: Relevant,
    },
}

impl Measure {
    /// The name without parameters, such as `nDCG`.
    pub fn family(&self) -> &'static str {
        self.kind().name()
    }

    /// The cutoff in its name; `None` for a measure of the whole list.
    pub fn cutoff(&self) -> Option<Cutoff> {
        self.told().cutoff
    }

    /// The rank beyond which it does not look: its cutoff, or 1,000 for Compat, INSQ and INST; `None` where it looks at the whole list.
    /// A measure of a condensed list ([`Unjudged::Excluded`]) looks beyond its cutoff.
    pub fn depth(&self) -> Option<usize> {
        match self {
            Self::Compat { .. } | Self::Insq { .. } | Self::Inst { .. } => Some(COMPAT_DEPTH),
            _ if self.unjudged() == Unjudged::Excluded => None,
            _ => self.cutoff().map(|cutoff| cutoff.rank() as usize),
        }
    }

    /// How many documents a run must be read down to so that nothing that the measure could see is missing; `None` for all of
    /// them. It is [`depth`](Self::depth), except for Compat, whose order of tied scores is not the official one.
    pub fn reads(&self) -> Option<usize> {
        match self {
            Self::Compat { .. } => None,
            _ => self.depth(),
        }
    }

    /// Whether grades could be any numbers in the same order, since the measure asks at most which of two is higher, which are above 0 and
    /// which are there: Compat, and what counts documents or labels whatever their grade (`Judged`, `NumQ`, `NumRet` without `rel`).
    pub fn reads_only_order(&self) -> bool {
        matches!(
            self,
            Self::Compat { .. } | Self::Judged { .. } | Self::NumQ | Self::NumRet { rel: None, .. }
        )
    }

    /// The lowest grade that counts as relevant, for measures that draw such a line.
    pub fn relevant(&self) -> Option<Relevant> {
        self.told().rel
    }

    /// What a retrieved document without a label counts as. For Bpref and infAP, whose definitions have their own answer, and
    /// for measures that ask only whether there is a label, it is [`Unjudged::NotRelevant`].
    pub fn unjudged(&self) -> Unjudged {
        self.told().unjudged.unwrap_or_default()
    }

    /// How the figures of the topics become that of a run.
    pub fn aggregation(&self) -> Aggregation {
        match self {
            Self::Gmap { .. } | Self::GmBpref { .. } => Aggregation::GeometricMean,
            Self::NumQ | Self::NumRet { .. } | Self::NumRel { .. } | Self::NumNonrelRet { .. } => {
                Aggregation::Sum
            }
            _ => Aggregation::Mean,
        }
    }

    /// Whether a larger value is a better one for the run. Not so for what is missing (`unj`, `RBPResidual`,
    /// `num_nonrel_judged_ret`) and for what only counts (`NumQ`, `NumRel`, `NumRet` without `rel`), which no system should be ranked by.
    pub fn ranks_systems(&self) -> bool {
        !matches!(
            self,
            Self::Unj { .. }
                | Self::RbpResidual { .. }
                | Self::NumQ
                | Self::NumRel { .. }
                | Self::NumRet { rel: None, .. }
                | Self::NumNonrelRet { .. }
        )
    }
}

//! The names by which measures are known.

use crate::kind::Kind;

/// An accepted name in lower case, what it stands for, and what it says besides.
pub(super) type Name = (&'static str, Kind, &'static str);

/// Upper and lower case are not told apart, except that `rbp` is trec_eval's and [`RBP`](Kind::Rbp) is ir_measures'.
pub(super) const NAMES: [Name; 78] = [
    ("ndcg", Kind::Ndcg, ""),
    ("dcg", Kind::Dcg, ""),
    ("ap", Kind::Ap, ""),
    ("gmap", Kind::Gmap, ""),
    ("rr", Kind::Rr, ""),
    ("p", Kind::Precision, ""),
    ("r", Kind::Recall, ""),
    ("rprec", Kind::Rprec, ""),
    ("iprec", Kind::IPrec, ""),
    ("success", Kind::Success, ""),
    ("judged", Kind::Judged, ""),
    ("bpref", Kind::Bpref, ""),
    ("infap", Kind::InfAp, ""),
    ("setp", Kind::SetP, ""),
    ("setrelp", Kind::SetP, "relative=True"),
    ("setr", Kind::SetR, ""),
    ("setf", Kind::SetF, ""),
    ("setap", Kind::SetAp, ""),
    ("err", Kind::Err, ""),
    ("nerr", Kind::Nerr, ""),
    ("rbp", Kind::Rbp, ""),
    ("rbpresidual", Kind::RbpResidual, ""),
    ("insq", Kind::Insq, ""),
    ("inst", Kind::Inst, ""),
    ("compat", Kind::Compat, ""),
    ("compatibility", Kind::Compat, ""),
    ("numq", Kind::NumQ, ""),
    ("numret", Kind::NumRet, ""),
    ("numrelret", Kind::NumRet, "rel=1"),
    ("numrel", Kind::NumRel, ""),
    // trec_eval
    ("ndcg_cut", Kind::Ndcg, ""),
    ("map", Kind::Ap, ""),
    ("map_cut", Kind::Ap, ""),
    ("gm_map", Kind::Gmap, ""),
    ("recip_rank", Kind::Rr, ""),
    ("recip_rank_cut", Kind::Rr, ""),
    ("relative_p", Kind::Precision, "relative=True"),
    ("recall", Kind::Recall, ""),
    ("rprec_mult", Kind::Rprec, ""),
    ("iprec_at_recall", Kind::IPrec, "rounding='nearest'"),
    ("11pt_avg", Kind::ElevenPoint, ""),
    ("unj", Kind::Unj, ""),
    ("gm_bpref", Kind::GmBpref, ""),
    ("set_p", Kind::SetP, ""),
    ("set_relative_p", Kind::SetP, "relative=True"),
    ("set_recall", Kind::SetR, ""),
    ("set_f", Kind::SetF, ""),
    ("set_map", Kind::SetAp, ""),
    ("rbp_resid", Kind::RbpResidual, "p=0.9"),
    ("utility", Kind::Utility, ""),
    ("bing", Kind::BinG, ""),
    ("g", Kind::G, ""),
    ("ndcg_rel", Kind::NdcgRel, ""),
    ("rndcg", Kind::Rndcg, ""),
    ("num_q", Kind::NumQ, ""),
    ("num_ret", Kind::NumRet, ""),
    ("num_rel_ret", Kind::NumRet, "rel=1"),
    ("num_rel", Kind::NumRel, ""),
    ("num_nonrel_judged_ret", Kind::NumNonrelRet, ""),
    // ranx, and what people say
    ("ndcg_burges", Kind::Ndcg, "dcg='exp-log2'"),
    ("dcg_burges", Kind::Dcg, "dcg='exp-log2'"),
    ("mrr", Kind::Rr, ""),
    ("precision", Kind::Precision, ""),
    ("r_precision", Kind::Rprec, ""),
    ("r-precision", Kind::Rprec, ""),
    ("hits", Kind::NumRet, "rel=1"),
    ("f1", Kind::SetF, ""),
    ("hit_rate", Kind::Success, ""),
    ("hitrate", Kind::Success, ""),
    ("hit", Kind::Success, ""),
    ("average_precision", Kind::Ap, ""),
    ("reciprocal_rank", Kind::Rr, ""),
    ("expected_reciprocal_rank", Kind::Err, ""),
    ("rank_biased_precision", Kind::Rbp, ""),
    ("binary_preference", Kind::Bpref, ""),
    ("inferred_ap", Kind::InfAp, ""),
    ("geometric_map", Kind::Gmap, ""),
    ("unjudged", Kind::Unj, ""),
];

/// What a name stands for and says besides; `None` for one that nobody uses.
pub(super) fn look_up(written: &str) -> Option<(Kind, &'static str)> {
    if written == "rbp" {
        return Some((Kind::Rbp, "p=0.9"));
    }
    let lower = written.to_lowercase();
    NAMES.iter().find(|(name, ..)| *name == lower).map(|(_, kind, told)| (*kind, *told))
}

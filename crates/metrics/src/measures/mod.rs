//! One measure a file: its definition, range and source.

mod ap;
mod bin_g;
mod bpref;
mod compat;
mod dcg;
mod eleven_point;
mod err;
mod g;
mod infap;
mod inst;
mod iprec;
mod judged;
mod ndcg;
mod ndcg_rel;
mod numbers;
mod precision;
mod rbp;
mod recall;
mod rndcg;
mod rprec;
mod rr;
mod set_ap;
mod set_f;
mod set_p;
mod set_r;
mod success;
mod unj;
mod utility;
mod view;

pub(crate) use compat::DEPTH as COMPAT_DEPTH;
pub(crate) use view::View;

use crate::measure::Measure;

/// Whether the measure's definition has its own order of documents with one score, the reverse of the official one.
pub(crate) fn wants_ties_ascending(measure: &Measure) -> bool {
    matches!(measure, Measure::Compat { .. })
}

/// The value of `measure` for one topic. 0 when nothing was retrieved, except for what does not depend on the run.
pub(crate) fn value(measure: &Measure, view: &View<'_>) -> f64 {
    match *measure {
        Measure::NumQ => 1.0,
        Measure::NumRel { rel } => view.relevant(rel) as f64,
        Measure::Utility { rel, weights } => utility::value(view, rel, weights),
        _ if view.retrieved.is_empty() => 0.0,
        Measure::Ndcg { gain, cutoff, unjudged } => ndcg::value(view, &gain, cutoff, unjudged),
        Measure::Dcg { gain, cutoff, unjudged } => dcg::value(view, &gain, cutoff, unjudged),
        Measure::Ap { rel, cutoff, unjudged } => ap::value(view, rel, cutoff, unjudged),
        Measure::Gmap { rel } => ap::value(view, rel, None, crate::Unjudged::NotRelevant),
        Measure::Rr { rel, cutoff, unjudged } => rr::value(view, rel, cutoff, unjudged),
        Measure::Precision { rel, cutoff, unjudged, relative } => {
            precision::value(view, rel, cutoff, unjudged, relative)
        }
        Measure::Recall { rel, cutoff, unjudged } => recall::value(view, rel, cutoff, unjudged),
        Measure::Rprec { rel, mult, judged_only } => rprec::value(view, rel, mult, judged_only),
        Measure::IPrec { rel, recall, rounding, judged_only } => {
            iprec::value(view, rel, recall.get(), rounding, judged_only)
        }
        Measure::ElevenPoint { rel, rounding, judged_only } => {
            eleven_point::value(view, rel, rounding, judged_only)
        }
        Measure::Success { rel, cutoff, unjudged } => success::value(view, rel, cutoff, unjudged),
        Measure::Judged { cutoff } => judged::value(view, cutoff),
        Measure::Unj { cutoff } => unj::value(view, cutoff),
        Measure::Bpref { rel } | Measure::GmBpref { rel } => bpref::value(view, rel),
        Measure::InfAp { rel } => infap::value(view, rel),
        Measure::SetP { rel, relative, unjudged } => set_p::value(view, rel, relative, unjudged),
        Measure::SetR { rel } => set_r::value(view, rel),
        Measure::SetF { rel, beta, cutoff, unjudged } => set_f::value(view, rel, beta, cutoff, unjudged),
        Measure::SetAp { rel, unjudged } => set_ap::value(view, rel, unjudged),
        Measure::Err { max_rel, cutoff, unjudged } => err::value(view, max_rel, cutoff, unjudged),
        Measure::Nerr { max_rel, cutoff, unjudged } => err::normalized(view, max_rel, cutoff, unjudged),
        Measure::Rbp { p, worth, cutoff, unjudged } => rbp::value(view, p, worth, cutoff, unjudged),
        Measure::RbpResidual { p, cutoff } => rbp::residual(view, p, cutoff),
        Measure::Insq { target, max_rel } => inst::insq(view, target, max_rel),
        Measure::Inst { target, max_rel } => inst::inst(view, target, max_rel),
        Measure::BinG { rel } => bin_g::value(view, rel),
        Measure::G { gain } => g::value(view, &gain),
        Measure::NdcgRel { gain } => ndcg_rel::value(view, &gain),
        Measure::Rndcg { gain } => rndcg::value(view, &gain),
        Measure::Compat { p, normalize } => compat::value(view, p, normalize),
        Measure::NumRet { rel, cutoff } => numbers::retrieved(view, rel, cutoff),
        Measure::NumNonrelRet { rel } => numbers::nonrelevant(view, rel),
    }
}

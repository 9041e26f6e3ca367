//! The list of all measures.

use crate::definition::{Definition, Meaning};

/// Every measure.
static DEFINITIONS: &[&Definition] = &[
    &super::ndcg::DEFINITION,
    &super::dcg::DEFINITION,
    &super::ap::DEFINITION,
    &super::gmap::DEFINITION,
    &super::rr::DEFINITION,
    &super::precision::DEFINITION,
    &super::recall::DEFINITION,
    &super::rprec::DEFINITION,
    &super::iprec::DEFINITION,
    &super::eleven_point::DEFINITION,
    &super::success::DEFINITION,
    &super::judged::DEFINITION,
    &super::unj::DEFINITION,
    &super::bpref::DEFINITION,
    &super::gm_bpref::DEFINITION,
    &super::infap::DEFINITION,
    &super::set_p::DEFINITION,
    &super::set_r::DEFINITION,
    &super::set_f::DEFINITION,
    &super::set_ap::DEFINITION,
    &super::err::DEFINITION,
    &super::nerr::DEFINITION,
    &super::rbp::DEFINITION,
    &super::rbp_residual::DEFINITION,
    &super::insq::DEFINITION,
    &super::inst::DEFINITION,
    &super::compat::DEFINITION,
    &super::utility::DEFINITION,
    &super::bin_g::DEFINITION,
    &super::g::DEFINITION,
    &super::ndcg_rel::DEFINITION,
    &super::rndcg::DEFINITION,
    &super::num_q::DEFINITION,
    &super::num_ret::DEFINITION,
    &super::num_rel::DEFINITION,
    &super::num_nonrel_judged_ret::DEFINITION,
];

/// Every measure that there is.
pub fn definitions() -> impl Iterator<Item = &'static Definition> {
    DEFINITIONS.iter().copied()
}

/// The measure of this name, in upper or lower case, and what the name says besides; `None` for an unknown name.
pub(crate) fn named(written: &str) -> Option<(&'static Definition, Meaning)> {
    definitions().find_map(|definition| {
        let alias = definition.aliases.iter().find(|alias| alias.is(written));
        let itself = definition.name.eq_ignore_ascii_case(written).then_some(Meaning::Same);
        Some((definition, alias.map(|alias| alias.meaning).or(itself)?))
    })
}

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

/// The measure of this name, in upper or lower case; `None` for an unknown name. Besides, the further meaning of the
/// name, and the name under which the measure is printed, if that is not its own.
pub(crate) fn named(written: &str) -> Option<(&'static Definition, Meaning, Option<&'static str>)> {
    definitions().find_map(|definition| {
        // One alias may differ from another by its case, as evret's names from ranx's.
        let exact = definition.aliases.iter().find(|alias| alias.name == written);
        let alias = exact.or_else(|| definition.aliases.iter().find(|alias| alias.is(written)));
        let itself = definition.name.eq_ignore_ascii_case(written).then_some(Meaning::Same);
        let echoed = alias.filter(|alias| alias.is_echoed).map(|alias| alias.name);
        Some((definition, alias.map(|alias| alias.meaning).or(itself)?, echoed))
    })
}

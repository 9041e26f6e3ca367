//! Names a judge's paradigm in a report.

use llull_core::Paradigm;
use schemars::{Schema, SchemaGenerator, json_schema};

/// The paradigm of a judge whose report does not name one: the first llull had no other.
pub(crate) fn graded() -> Paradigm {
    Paradigm::Graded
}

pub(crate) fn is_graded(paradigm: &Paradigm) -> bool {
    *paradigm == Paradigm::Graded
}

pub(crate) fn paradigm_schema(_: &mut SchemaGenerator) -> Schema {
    let names = Paradigm::ALL.map(Paradigm::name);
    json_schema!({ "type": "string", "enum": names })
}

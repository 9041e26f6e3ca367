//! The geometric mean of binary preference.
//!
//! The value of one query is its binary preference.

use super::bpref;
use crate::aggregation::Aggregation;
use crate::definition::Definition;
use crate::parameters::{Parameters, REL};

pub(super) static DEFINITION: Definition = Definition {
    name: "gm_bpref",
    summary: "The geometric mean of Bpref; the value of a query is its Bpref",
    source: "trec_eval's gm_bpref",
    value: bpref::value,
    parameters: &[REL],
    defaults: Parameters::BINARY,
    aggregation: Aggregation::GeometricMean,
    has_query_values: false,
    convention: |_| Some("queries of less than 0.00001 count as that".to_owned()),
    trec_eval_name: |_| Some("gm_bpref".to_owned()),
    ..Definition::USUAL
};

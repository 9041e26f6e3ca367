//! The geometric mean of average precision, which moves with hard queries.
//!
//! The value of one query is its average precision.

use super::ap;
use crate::aggregation::Aggregation;
use crate::definition::{Alias, Definition};
use crate::parameters::{Parameters, REL};

pub(super) static DEFINITION: Definition = Definition {
    name: "GMAP",
    summary: "The geometric mean of average precision; the value of a query is its average precision",
    source: "Robertson, On GMAP and other transformations, CIKM 2006; trec_eval's gm_map",
    value: ap::value,
    aliases: &[Alias::same("gm_map"), Alias::same("geometric_map")],
    parameters: &[REL],
    defaults: Parameters::BINARY,
    aggregation: Aggregation::GeometricMean,
    has_query_values: false,
    convention: |_| Some("queries of less than 0.00001 count as that".to_owned()),
    trec_eval_name: |_| Some("gm_map".to_owned()),
    ..Definition::USUAL
};

//! The number of queries.

use crate::aggregation::Aggregation;
use crate::definition::{Alias, Definition, Depth, LabelsRead, ValueRange};

pub(super) static DEFINITION: Definition = Definition {
    name: "NumQ",
    summary: "The number of queries",
    source: "trec_eval's num_q, ir_measures' NumQ",
    range: ValueRange::NotNegative,
    value: |_, _| 1.0,
    aliases: &[Alias::same("num_q")],
    depth: Depth::Zero,
    labels: LabelsRead::Nothing,
    computed_without_documents: true,
    aggregation: Aggregation::Sum,
    has_query_values: false,
    ranks_systems: |_| false,
    trec_eval_name: |_| Some("num_q".to_owned()),
    ..Definition::USUAL
};

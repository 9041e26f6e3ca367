//! The number of relevant documents that the labels know.

use crate::aggregation::Aggregation;
use crate::definition::{Alias, Definition, Depth, ValueRange};
use crate::parameters::{Parameters, REL};

pub(super) static DEFINITION: Definition = Definition {
    name: "NumRel",
    summary: "The number of relevant documents that the labels know",
    source: "trec_eval's num_rel, ir_measures' NumRel",
    range: ValueRange::NotNegative,
    value: |ranking, parameters| ranking.relevant(parameters.relevant()) as f64,
    aliases: &[Alias::same("num_rel")],
    parameters: &[REL],
    defaults: Parameters::BINARY,
    depth: Depth::Zero,
    computed_without_documents: true,
    aggregation: Aggregation::Sum,
    ranks_systems: |_| false,
    trec_eval_name: |_| Some("num_rel".to_owned()),
    ..Definition::USUAL
};

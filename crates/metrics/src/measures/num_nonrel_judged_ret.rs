//! The number of retrieved documents that are labelled not relevant.

use crate::aggregation::Aggregation;
use crate::definition::{Definition, ValueRange};
use crate::graded_ranking::{GradedRanking, is_relevant, lacks_label};
use crate::parameters::{Parameters, REL};

pub(super) static DEFINITION: Definition = Definition {
    name: "num_nonrel_judged_ret",
    summary: "The number of retrieved documents that are labelled not relevant",
    source: "trec_eval's num_nonrel_judged_ret",
    range: ValueRange::NotNegative,
    value,
    parameters: &[REL],
    defaults: Parameters::BINARY,
    aggregation: Aggregation::Sum,
    ranks_systems: |_| false,
    trec_eval_name: |_| Some("num_nonrel_judged_ret".to_owned()),
    ..Definition::USUAL
};

fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let rel = parameters.relevant();
    let nonrelevant = |grade: &&Option<_>| !is_relevant(**grade, rel) && !lacks_label(**grade);
    ranking.retrieved.iter().filter(nonrelevant).count() as f64
}

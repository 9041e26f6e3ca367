//! The mean of interpolated precision at recall 0, 0.1, ..., 1.
//!
//! From 0 to 1. It serves the comparison with old figures; AP took its place.

use super::iprec;
use crate::definition::Definition;
use crate::graded_ranking::GradedRanking;
use crate::parameters::{JUDGED_ONLY, Parameters, REL, ROUNDING, Rounding};

pub(super) static DEFINITION: Definition = Definition {
    name: "11pt_avg",
    summary: "The mean of IPrec at recall 0, 0.1, ..., 1",
    source: "trec_eval's 11pt_avg",
    value,
    parameters: &[REL, ROUNDING, JUDGED_ONLY],
    defaults: Parameters { rounding: Rounding::Nearest, ..Parameters::BINARY },
    convention: |parameters| Some(iprec::convention(parameters.rounding)),
    trec_eval_name: |parameters| match parameters.rounding {
        Rounding::Up => None,
        Rounding::Nearest => Some("11pt_avg".to_owned()),
    },
    ..Definition::USUAL
};

fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let levels = (0..=10).map(|tenth| f64::from(tenth) / 10.0);
    levels.map(|recall| iprec::at_recall(ranking, parameters, recall)).sum::<f64>() / 11.0
}

//! Interpolated precision at a recall level.
//!
//! The highest precision at any rank by which that share of the relevant documents has been found; 0 if it never is.
//! From 0 to 1. The values at 0, 0.1, ..., 1 draw the classic precision-recall curve.
//!
//! How many documents a share is, if that is not a whole number, depends on the version of trec_eval; see
//! [`Rounding`]. By the definition it is rounded up: to the nearest whole number, a tenth of four documents would be
//! none.

use super::trec_eval_name::with_decimals;
use crate::definition::{Alias, Definition, Suffix};
use crate::graded_ranking::{GradedRanking, is_relevant};
use crate::parameters::{JUDGED_ONLY, Parameters, REL, ROUNDING, Rounding};

pub(super) static DEFINITION: Definition = Definition {
    name: "IPrec",
    summary: "Interpolated precision at a recall level",
    source: "Salton and McGill, Introduction to Modern Information Retrieval, 1983; trec_eval's iprec_at_recall",
    value,
    aliases: &[Alias::with("iprec_at_recall", "rounding='nearest'")],
    parameters: &[REL, ROUNDING, JUDGED_ONLY],
    defaults: Parameters { rounding: Rounding::Up, ..Parameters::BINARY },
    suffix: Suffix::RecallLevel,
    example: "IPrec@0.1",
    convention: |parameters| Some(convention(parameters.rounding)),
    trec_eval_name: |parameters| match parameters.rounding {
        Rounding::Up => None,
        Rounding::Nearest => with_decimals("iprec_at_recall", parameters.recall?.get()),
    },
    ..Definition::USUAL
};

fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    at_recall(ranking, parameters, parameters.recall.map_or(0.0, |recall| recall.get()))
}

pub(super) fn at_recall(ranking: &GradedRanking<'_>, parameters: &Parameters, recall: f64) -> f64 {
    let rel = parameters.relevant();
    let needed = parameters.rounding.documents(recall * ranking.relevant(rel) as f64);
    let list = ranking.top(parameters.unjudged, None);
    let relevant = list.iter().enumerate().filter(|(_, grade)| is_relevant(**grade, rel));
    let precisions = relevant.enumerate().map(|(before, (index, _))| (before + 1, index + 1));
    let reached = precisions.filter(|(found, _)| *found >= needed);
    reached.map(|(found, rank)| found as f64 / rank as f64).fold(0.0, f64::max)
}

pub(super) fn convention(rounding: Rounding) -> String {
    match rounding {
        Rounding::Up => "recall levels rounded up to a document".to_owned(),
        Rounding::Nearest => "recall levels rounded to the nearest document".to_owned(),
    }
}

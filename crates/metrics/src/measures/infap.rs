//! Inferred average precision.
//!
//! AP where only a random part of the pool was judged. The precision at a relevant document is estimated from the
//! judged documents above it: documents that are in the pool and were not judged (a negative label) count as relevant
//! as often as the judged ones do, those outside of the pool (no label) as not relevant. From 0 to 1; equal to AP, but
//! for the smoothing, if all of the pool was judged.

use crate::definition::{Alias, Definition};
use crate::graded_ranking::{GradedRanking, is_relevant};
use crate::parameters::{Parameters, REL};

/// trec_eval's INFAP_EPSILON, the paper's ε.
const EPSILON: f64 = 0.00001;

pub(super) static DEFINITION: Definition = Definition {
    name: "infAP",
    summary: "Inferred average precision, for a pool of which only a sample was judged",
    source: "Yilmaz and Aslam, Estimating average precision with incomplete and imperfect judgments, CIKM 2006, \
             equation 1; trec_eval's infAP",
    value,
    aliases: &[Alias::same("inferred_ap")],
    parameters: &[REL],
    defaults: Parameters::BINARY,
    trec_eval_name: |_| Some("infAP".to_owned()),
    ..Definition::USUAL
};

/// 0 if the labels know no relevant document.
fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let rel = parameters.relevant();
    let known = ranking.relevant(rel);
    if known == 0 {
        return 0.0;
    }
    let (mut relevant, mut not, mut pooled, mut sum) = (0.0, 0.0, 0.0, 0.0);
    for (index, grade) in ranking.retrieved.iter().enumerate() {
        match *grade {
            None => {}
            Some(grade) if grade < 0 => pooled += 1.0,
            Some(_) if !is_relevant(*grade, rel) => not += 1.0,
            Some(_) if index == 0 => {
                sum += 1.0;
                relevant += 1.0;
            }
            Some(_) => {
                let above = index as f64;
                sum += 1.0 / (above + 1.0)
                    + (above / (above + 1.0))
                        * ((relevant + not + pooled) / above)
                        * ((relevant + EPSILON) / (relevant + not + 2.0 * EPSILON));
                relevant += 1.0;
            }
        }
    }
    sum / known as f64
}

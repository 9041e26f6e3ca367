//! Binary preference.
//!
//! Of all pairs of a relevant document and one of the first R documents judged not relevant, the share that the run has
//! in the right order; a relevant document that is not retrieved counts 0. Only judged documents count, so the value
//! hardly moves while labels are few. From 0 to 1.
//!
//! Σ 1 - min(n, R) / min(N, R) over retrieved relevant documents, divided by R, where n is the number of documents
//! judged not relevant that are ahead, and the labels know R relevant and N not relevant documents.

use crate::definition::{Alias, Definition};
use crate::graded_ranking::{GradedRanking, is_relevant, lacks_label};
use crate::parameters::{Parameters, REL};

pub(super) static DEFINITION: Definition = Definition {
    name: "Bpref",
    summary: "Binary preference: relevant documents ahead of documents judged not relevant",
    source: "Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004, with min(N, R) as in \
             trec_eval since version 8; trec_eval's bpref",
    value,
    aliases: &[Alias::same("binary_preference")],
    parameters: &[REL],
    defaults: Parameters::BINARY,
    trec_eval_name: |_| Some("bpref".to_owned()),
    ..Definition::USUAL
};

/// 0 if the labels know no relevant document.
pub(super) fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let rel = parameters.relevant();
    let relevant = ranking.relevant(rel);
    if relevant == 0 {
        return 0.0;
    }
    let most = (ranking.zeros + ranking.ideal.len() - relevant).min(relevant) as f64;
    let (mut ahead, mut sum) = (0usize, 0.0);
    for grade in ranking.retrieved.iter().filter(|grade| !lacks_label(**grade)) {
        if !is_relevant(*grade, rel) {
            ahead += 1;
        } else if ahead == 0 {
            sum += 1.0;
        } else {
            sum += 1.0 - ahead.min(relevant) as f64 / most;
        }
    }
    sum / relevant as f64
}

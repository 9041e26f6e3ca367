//! Utility: a weighted count of relevant and other documents.
//!
//! The worth of the list's documents to its reader, found · a + others · b + missed · c, where a documents are
//! relevant and retrieved, b others are retrieved and c relevant ones are not. Any number. A document without a label
//! is one of the others. A query that the run does not answer misses all of its relevant documents.

use crate::definition::{Definition, ValueRange, WrittenBehind};
use crate::graded_ranking::{GradedRanking, found};
use crate::parameters::{Parameters, REL, Unjudged, WEIGHTS, Weights};

pub(super) static DEFINITION: Definition = Definition {
    name: "utility",
    summary: "A sum of what retrieved and missed documents are worth",
    source: "TREC's filtering track: Lewis, The TREC-4 filtering track, 1995; trec_eval's utility without its fourth \
             parameter",
    range: ValueRange::Any,
    value,
    written_behind: &[WrittenBehind {
        name: "utility",
        arguments: |weights| Some(format!("weights={{{}}}", &weights[1..])),
    }],
    parameters: &[REL, WEIGHTS],
    defaults: Parameters::BINARY,
    computed_without_documents: true,
    trec_eval_name: |parameters| match parameters.weights {
        Weights::TREC_EVAL => Some("utility".to_owned()),
        weights => Some(format!("utility_{weights},0")),
    },
    ..Definition::USUAL
};

fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let (rel, weights) = (parameters.relevant(), parameters.weights);
    let (relevant, _) = found(ranking.retrieved, rel, Unjudged::NotRelevant);
    let others = ranking.retrieved.len() - relevant;
    let missed = ranking.relevant(rel).saturating_sub(relevant);
    weights.found() * relevant as f64 + weights.others() * others as f64 + weights.missed() * missed as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Relevant;

    #[test]
    fn by_hand() {
        let ranking = GradedRanking {
            retrieved: &[Some(2), None, Some(0), Some(1)],
            ideal: &[2, 1, 1, 1],
            ..GradedRanking::default()
        };
        let of = |ranking: &GradedRanking<'_>, rel, weights| {
            let parameters = Parameters { rel: Relevant::from_grade(rel), weights, ..DEFINITION.defaults };
            value(ranking, &parameters)
        };
        let weights = Weights::new(3.0, -1.5, -0.25).unwrap();
        assert_eq!(of(&ranking, 1, Weights::default()), 0.0);
        assert_eq!(of(&ranking, 1, weights), 3.0 * 2.0 - 1.5 * 2.0 - 0.25 * 2.0);
        assert_eq!(of(&ranking, 2, weights), 3.0 - 1.5 * 3.0);
        let unanswered = GradedRanking { ideal: &[2, 1], ..GradedRanking::default() };
        assert_eq!(of(&unanswered, 1, weights), -0.5);
    }
}

//! The residual of rank-biased precision: its greatest possible further gain.
//!
//! It is the weight of the documents that were not judged and of all ranks below the end of the list, or below the
//! cutoff. From 0 to 1.
//!
//! A query that is not answered has 0 and not the 1 of the definition, because trec_eval's tests have that with `-c`:
//! RBP and its residual bound the mean over answered queries only. trec_eval's `rbp_resid` leaves out the end of the
//! list if every retrieved document is judged.

use crate::definition::{Alias, Definition, LabelsRead, Suffix};
use crate::graded_ranking::{GradedRanking, lacks_label};
use crate::parameters::{P, Parameters, Persistence, Unjudged};

pub(super) static DEFINITION: Definition = Definition {
    name: "RBPResidual",
    summary: "How much RBP could still rise",
    source: "Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008, \
             equation 5; trec_eval 10's rbp_resid",
    value,
    aliases: &[Alias::with("rbp_resid", "p=0.9")],
    parameters: &[P.always_printed()],
    defaults: Parameters { p: Persistence::RBP, ..Parameters::NONE },
    suffix: Suffix::OptionalCutoff,
    labels: LabelsRead::Judged,
    ranks_systems: |_| false,
    trec_eval_name: |parameters| {
        let same = parameters.p == Persistence::TREC_EVAL && parameters.cutoff.is_none();
        same.then(|| "rbp_resid".to_owned())
    },
    ..Definition::USUAL
};

fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let p = parameters.p.get();
    let (mut sum, mut weight) = (0.0, 1.0);
    for grade in ranking.top(Unjudged::NotRelevant, parameters.cutoff) {
        if lacks_label(*grade) {
            sum += weight;
        }
        weight *= p;
    }
    (1.0 - p) * sum + weight
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let ranking = GradedRanking {
            retrieved: &[Some(3), None, Some(1)],
            ideal: &[3, 1],
            ..GradedRanking::default()
        };
        let parameters = Parameters { p: Persistence::new(0.5).unwrap(), ..DEFINITION.defaults };
        assert_eq!(value(&ranking, &parameters), 0.25 + 0.125);
    }
}

//! binG: G with equal gains for relevant documents.
//!
//! The mean over all relevant documents of 1 / log2(2 + the number of other documents ahead of it), 0 for those that
//! are not retrieved. From 0 to 1. It is [G](super::g) if every relevant document gains 1.

use crate::definition::Definition;
use crate::graded_ranking::{GradedRanking, is_relevant};
use crate::parameters::{Parameters, REL};

pub(super) static DEFINITION: Definition = Definition {
    name: "binG",
    summary: "Relevant documents discounted by the others ahead of them; experimental in trec_eval",
    source: "Buckley's trec_eval: binG",
    value,
    parameters: &[REL],
    defaults: Parameters::BINARY,
    trec_eval_name: |_| Some("binG".to_owned()),
    ..Definition::USUAL
};

/// 0 if the labels know no relevant document.
fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let rel = parameters.relevant();
    let (mut sum, mut others) = (0.0, 0);
    for grade in ranking.retrieved {
        if is_relevant(*grade, rel) {
            sum += 1.0 / f64::from(others + 2).log2();
        } else {
            others += 1;
        }
    }
    if sum > 0.0 { sum / ranking.relevant(rel) as f64 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Relevant;

    fn at(grade: i32) -> Parameters {
        Parameters { rel: Relevant::from_grade(grade), ..DEFINITION.defaults }
    }

    #[test]
    fn by_hand() {
        let ranking = GradedRanking {
            retrieved: &[Some(1), None, Some(2), Some(0)],
            ideal: &[2, 1, 1],
            ..GradedRanking::default()
        };
        let found = 1.0 / 2f64.log2() + 1.0 / 3f64.log2();
        assert_eq!(value(&ranking, &DEFINITION.defaults), found / 3.0);
        // at level 2 the first three are two others and the one that is relevant
        assert_eq!(value(&ranking, &at(2)), 1.0 / 4f64.log2());
        assert_eq!(value(&GradedRanking { ideal: &[], ..ranking }, &at(3)), 0.0);
    }
}

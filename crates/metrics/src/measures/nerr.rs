//! Normalised expected reciprocal rank.
//!
//! ERR divided by the ERR of the best order of all labels, down to the same cutoff. From 0 to 1.

use super::err::{self, convention, expected, stops};
use crate::definition::{Definition, Suffix};
use crate::graded_ranking::GradedRanking;
use crate::parameters::{JUDGED_ONLY, MAX_REL, MIN_REL, MaxGrade, Parameters, UNJUDGED, Unjudged};

pub(super) static DEFINITION: Definition = Definition {
    name: "nERR",
    summary: "ERR divided by that of the best order",
    source: "Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009",
    value,
    parameters: &[MAX_REL, MIN_REL, JUDGED_ONLY, UNJUDGED],
    defaults: Parameters { max_rel: Some(MaxGrade::GDEVAL), ..Parameters::NONE },
    suffix: Suffix::OptionalCutoff,
    convention: |parameters| Some(convention(parameters)),
    ..Definition::USUAL
};

/// 0 if no label is above 0.
fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let max_rel = parameters.highest_grade();
    let ideal = ranking.ideal.iter().take(parameters.ranks());
    let ideal = expected(ideal.map(|grade| stops(*grade, max_rel)));
    let reached = err::value(ranking, parameters);
    match parameters.unjudged {
        Unjudged::Best if reached >= ideal => f64::from(u8::from(reached > 0.0)),
        _ if ideal <= 0.0 => 0.0,
        _ => reached / ideal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // grades 3, 2, 0, 4 with max_rel 4: stops at 7/16, 3/16, 0, 15/16
        let ranking = GradedRanking {
            retrieved: &[Some(3), Some(2), None, Some(4)],
            ideal: &[4, 3, 2],
            ..GradedRanking::default()
        };
        let expected = 7.0 / 16.0
            + (9.0 / 16.0) * (3.0 / 16.0) / 2.0
            + (9.0 / 16.0) * (13.0 / 16.0) * (15.0 / 16.0) / 4.0;
        let ideal = 15.0 / 16.0
            + (1.0 / 16.0) * (7.0 / 16.0) / 2.0
            + (1.0 / 16.0) * (9.0 / 16.0) * (3.0 / 16.0) / 3.0;
        let reached = value(&ranking, &DEFINITION.defaults);
        assert!((reached - expected / ideal).abs() < 1e-15, "{reached}");
    }
}

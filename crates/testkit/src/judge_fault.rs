//! Faults that turn true grades into those of an unreliable judge.

use llull_core::{Grade, Scale, Seed};

/// A fault of a judge that grades. The same query and document always get the same grade.
///
/// ```
/// use llull_core::{Scale, Seed};
/// use llull_testkit::JudgeFault;
///
/// let grade = |fault: JudgeFault, truth| fault.grade(Scale::default(), Seed(1), ("q1", "d1"), truth);
/// assert_eq!([0, 2, 3].map(|truth| grade(JudgeFault::Lenient(1), truth)), [1, 3, 3]);
/// assert_eq!(grade(JudgeFault::OfQueryAlone, 0), grade(JudgeFault::OfQueryAlone, 3));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JudgeFault {
    /// So many grades too high everywhere, or too low.
    Lenient(Grade),
    /// This share of the documents has a random grade.
    Guesses(f64),
    /// All documents of a query have the same random grade.
    OfQueryAlone,
}

impl JudgeFault {
    /// Returns the grade of a query's document, named in `place`, whose true grade is `truth`.
    pub fn grade(self, scale: Scale, seed: Seed, (query, document): (&str, &str), truth: Grade) -> Grade {
        // The length keeps ("ab", "c") and ("a", "bc") apart.
        let drawn = |what: &str| seed.stream(&format!("{what} {} {query}{document}", query.len()));
        let random = |drawn: u64| scale.low() + (drawn % (scale.high() - scale.low() + 1) as u64) as Grade;
        match self {
            Self::Lenient(more) => (truth + more).clamp(scale.low(), scale.high()),
            Self::Guesses(share) if (drawn("guesses") as f64) < share * u64::MAX as f64 => {
                random(drawn("guess"))
            }
            Self::Guesses(_) => truth,
            Self::OfQueryAlone => random(seed.stream(&format!("query {query}"))),
        }
    }
}

/// Returns the answer of a judge that puts the middle third of a list last and otherwise keeps the order as shown.
///
/// ```
/// assert_eq!(llull_testkit::middle_last(&['a', 'b', 'c', 'd', 'e']), ['a', 'b', 'd', 'e', 'c']);
/// ```
pub fn middle_last<T: Clone>(shown: &[T]) -> Vec<T> {
    let third = shown.len().div_ceil(3).min(shown.len().saturating_sub(1) / 2);
    let (start, rest) = shown.split_at(third);
    let (middle, end) = rest.split_at(rest.len() - third);
    [start, end, middle].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_guesses_is_the_one_asked_for() {
        let wrong = |share: f64| {
            let grade = |at: usize| {
                JudgeFault::Guesses(share).grade(Scale::default(), Seed(2), ("q", &at.to_string()), 1)
            };
            (0..4000).filter(|at| grade(*at) != 1).count() as f64 / 4000.0
        };
        // A quarter of the guesses are right; four standard errors.
        assert_eq!(wrong(0.0), 0.0);
        for share in [0.5, 1.0] {
            assert!((wrong(share) - 0.75 * share).abs() < 0.032, "{share} {}", wrong(share));
        }
    }
}

//! Faults that turn true grades and true orders into those of an unreliable judge.

use llull_core::{Grade, Scale, Seed};

/// What a judge that grades can see of a document.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SeenDocument {
    /// The true grade.
    pub truth: Grade,
    /// The share of the query's words in it.
    pub words: f64,
    /// The share of the query's documents that are shorter.
    pub length: f64,
    /// The share of the query's documents that the systems rank below it.
    pub rank: f64,
    /// Whether the favoured system returned it.
    pub favoured: bool,
}

impl From<Grade> for SeenDocument {
    fn from(truth: Grade) -> Self {
        Self { truth, ..Self::default() }
    }
}

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
    /// The same grade everywhere.
    Constant(Grade),
    /// So many grades too high everywhere, or too low.
    Lenient(Grade),
    /// So many grades too high for the favoured system's documents.
    Favours(Grade),
    /// This share of the documents has a random grade.
    Guesses(f64),
    /// All documents of a query have the same random grade.
    OfQueryAlone,
    /// The share of the query's words is the grade.
    CountsWords,
    /// The longer, the higher.
    LikesLength,
    /// The higher the systems rank it, the higher.
    CopiesRanks,
}

impl JudgeFault {
    /// Returns the grade of a query's document, of which the judge can see `seen`.
    pub fn grade(
        self,
        scale: Scale,
        seed: Seed,
        (query, document): (&str, &str),
        seen: impl Into<SeenDocument>,
    ) -> Grade {
        let seen = seen.into();
        // The length keeps ("ab", "c") and ("a", "bc") apart.
        let drawn = |what: &str| seed.stream(&format!("{what} {} {query}{document}", query.len()));
        let levels = scale.high() - scale.low() + 1;
        let random = |drawn: u64| scale.low() + (drawn % levels as u64) as Grade;
        let share = |share: f64| scale.low() + ((share * f64::from(levels)) as Grade).min(levels - 1);
        let more = |more: Grade| (seen.truth + more).clamp(scale.low(), scale.high());
        match self {
            Self::Constant(grade) => grade,
            Self::Lenient(by) => more(by),
            Self::Favours(by) => more(if seen.favoured { by } else { 0 }),
            Self::Guesses(share) if (drawn("guesses") as f64) < share * u64::MAX as f64 => {
                random(drawn("guess"))
            }
            Self::Guesses(_) => seen.truth,
            Self::OfQueryAlone => random(seed.stream(&format!("query {query}"))),
            Self::CountsWords => share(seen.words),
            Self::LikesLength => share(seen.length),
            Self::CopiesRanks => share(seen.rank),
        }
    }
}

/// A fault of a judge that orders a list, of two documents or more.
///
/// ```
/// use llull_core::Seed;
/// use llull_testkit::ListFault;
///
/// let order = |fault: ListFault| fault.order(&[3, 9, 5], Seed(1), |grade| f64::from(*grade));
/// assert_eq!(order(ListFault::AsShown), [3, 9, 5]);
/// assert_eq!(order(ListFault::WorstFirst), [3, 5, 9]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListFault {
    /// The first document shown wins.
    AsShown,
    /// The middle of the list comes last, see [`middle_last`].
    MiddleLast,
    /// The worst document first, as from a list read from its end.
    WorstFirst,
    /// A random order, by the seed.
    Random,
}

impl ListFault {
    /// Returns the answer to a list, best first, of documents that are worth `worth`.
    pub fn order<T: Clone>(self, shown: &[T], seed: Seed, worth: impl Fn(&T) -> f64) -> Vec<T> {
        let mut order = shown.to_vec();
        match self {
            Self::AsShown => order,
            Self::MiddleLast => middle_last(shown),
            Self::WorstFirst => {
                order.sort_by(|a, b| worth(a).total_cmp(&worth(b)));
                order
            }
            Self::Random => {
                let mut drawn: Vec<(u64, T)> =
                    (0..).map(|at| seed.stream(&format!("place {at}"))).zip(order).collect();
                drawn.sort_by_key(|(key, _)| *key);
                drawn.into_iter().map(|(_, item)| item).collect()
            }
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

    #[test]
    fn a_share_has_its_level_and_one_is_the_highest() {
        let grade = |fault: JudgeFault, share: f64| {
            let seen =
                SeenDocument { words: share, length: 1.0 - share, rank: share, ..SeenDocument::default() };
            fault.grade(Scale::default(), Seed(1), ("q", "d"), seen)
        };
        for fault in [JudgeFault::CountsWords, JudgeFault::CopiesRanks] {
            assert_eq!([0.0, 0.24, 0.25, 0.8, 1.0].map(|share| grade(fault, share)), [0, 0, 1, 3, 3]);
        }
        assert_eq!(grade(JudgeFault::LikesLength, 0.0), 3);
        let favoured = SeenDocument { truth: 1, favoured: true, ..SeenDocument::default() };
        let grade = |seen| JudgeFault::Favours(1).grade(Scale::default(), Seed(1), ("q", "d"), seen);
        assert_eq!([grade(favoured), grade(1.into())], [2, 1]);
    }

    #[test]
    fn a_random_order_has_every_document_once_and_depends_on_the_seed() {
        let shown: Vec<u32> = (0..10).collect();
        let order = |seed: u64| ListFault::Random.order(&shown, Seed(seed), |_| 0.0);
        let mut sorted = order(1);
        assert!(sorted != shown && order(1) == sorted && order(2) != sorted);
        sorted.sort_unstable();
        assert_eq!(sorted, shown);
    }
}

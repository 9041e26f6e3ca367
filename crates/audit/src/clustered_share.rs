//! A share of answers whose queries differ.

use llull_stats::{chance_of_at_least, chance_of_at_most, exact_interval};

/// A share of answers, with its effective number of independent answers.
///
/// Answers to one query resemble each other, so they contain less information than as many answers to different
/// queries. The variance of the share is that of a ratio of sums over queries. The number of answers is divided by the
/// ratio of this variance to that of independent answers, and exact methods use the result (Korn and Graubard, Survey
/// Methodology 24(2), 1998). With one answer a query it is Clopper and Pearson's interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ClusteredShare {
    /// The number of answers.
    pub n: usize,
    /// The share.
    pub share: f64,
    /// How many independent answers they are worth.
    worth: f64,
}

impl ClusteredShare {
    /// Returns the share of answers that count, from each query's pair of how many count and how many there are. `None`
    /// without answers.
    pub(crate) fn new(queries: impl IntoIterator<Item = (usize, usize)>) -> Option<Self> {
        let queries: Vec<(f64, f64)> =
            queries.into_iter().filter(|(_, n)| *n > 0).map(|(x, n)| (x as f64, n as f64)).collect();
        let n: f64 = queries.iter().map(|(_, n)| n).sum();
        if n == 0.0 {
            return None;
        }
        let share = queries.iter().map(|(x, _)| x).sum::<f64>() / n;
        let count = queries.len() as f64;
        let binomial = share * (1.0 - share) / (n - 1.0);
        let mut worth = n;
        if queries.len() > 1 && binomial > 0.0 {
            let squares: f64 = queries.iter().map(|(x, n)| (x - share * n) * (x - share * n)).sum();
            let clustered = count / (count - 1.0) * squares / (n * n);
            worth = n / (clustered / binomial).max(1.0);
        }
        Some(Self { n: n as usize, share, worth })
    }

    pub(crate) fn interval(&self, confidence: f64) -> Option<(f64, f64)> {
        exact_interval(self.share * self.worth, self.worth, confidence).ok()
    }

    /// Returns the p of "the true share is at most this".
    pub(crate) fn p_above(&self, bound: f64) -> f64 {
        chance_of_at_least(self.share * self.worth, self.worth, bound)
    }

    /// Returns the p of "the true share is at least this".
    pub(crate) fn p_below(&self, bound: f64) -> f64 {
        chance_of_at_most(self.share * self.worth, self.worth, bound)
    }

    /// Returns the p of "the true share is no further from `centre` than `distance`", whichever the direction.
    pub(crate) fn p_beyond(&self, centre: f64, distance: f64) -> f64 {
        (2.0 * self.p_above(centre + distance).min(self.p_below(centre - distance))).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::ClusteredShare;

    /// statsmodels 0.14: `proportion_confint(9, 30, method="beta")`.
    #[test]
    fn one_answer_a_query_is_clopper_and_pearson() {
        let share = ClusteredShare::new((0..30).map(|query| (usize::from(query < 9), 1))).unwrap();
        let (low, high) = share.interval(0.95).unwrap();
        assert!((low - 0.14734518475470101).abs() < 1e-9 && (high - 0.4939590414625537).abs() < 1e-9);
    }

    #[test]
    fn answers_that_agree_within_queries_are_worth_less() {
        let apart = ClusteredShare::new((0..100).map(|query| (query % 2, 1))).unwrap();
        let together = ClusteredShare::new((0..10).map(|query| (query % 2 * 10, 10))).unwrap();
        assert_eq!((apart.n, together.n), (100, 100));
        let width = |share: &ClusteredShare| share.interval(0.95).map(|(low, high)| high - low).unwrap();
        assert!(width(&together) > 2.5 * width(&apart));
        assert!(together.p_above(0.3) > apart.p_above(0.3));
    }

    #[test]
    fn all_or_nothing_has_an_interval_too() {
        let all = ClusteredShare::new([(20, 20), (20, 20)]).unwrap();
        assert_eq!(all.interval(0.95).map(|(low, high)| (low > 0.9, high)), Some((true, 1.0)));
        assert!(all.p_above(0.7) < 1e-5 && all.p_below(0.3) == 1.0);
        assert_eq!(ClusteredShare::new([]), None);
    }
}

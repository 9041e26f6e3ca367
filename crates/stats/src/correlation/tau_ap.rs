//! AP correlation: Kendall's tau with more weight at the top.

use super::ties::{any_nan, places};

/// Returns the AP correlation of an estimated order with a true one, from -1 (reversed) to 1 (the same order). Each
/// pair is (true figure, estimated figure); the highest figure comes first.
///
/// Pick an item of the estimated order at random, except the first, then one of those above it: tau_AP is how much
/// likelier the two are in the true order than not. So an exchange at the top costs more than one at the bottom.
/// Yilmaz, Aslam and Robertson, A new rank correlation coefficient for information retrieval, SIGIR 2008. The two
/// sides are not interchangeable; [`tau_ap_b`] is the mean of both ways.
///
/// Ties as in Urbano and Marrero, The treatment of ties in AP correlation, ICTIR 2017, tau_AP,b: an item that is tied
/// in the estimate is compared with the items above its whole group, the first group is left out, and a pair that is
/// tied in truth is not in order. Hence a truth with ties never gives 1.
///
/// `None` if it is undefined: for fewer than two items, an estimate in which all items are tied, or a figure that is
/// NaN.
///
/// ```
/// use llull_stats::tau_ap;
///
/// // One exchange among four: at the bottom, then at the top.
/// let bottom = tau_ap(&[(0.9, 0.9), (0.8, 0.8), (0.7, 0.6), (0.6, 0.7)]);
/// let top = tau_ap(&[(0.9, 0.8), (0.8, 0.9), (0.7, 0.7), (0.6, 0.6)]);
/// assert!(bottom.is_some_and(|tau| (tau - 7.0 / 9.0).abs() < 1e-15));
/// assert!(top.is_some_and(|tau| (tau - 1.0 / 3.0).abs() < 1e-15));
/// ```
pub fn tau_ap(pairs: &[(f64, f64)]) -> Option<f64> {
    if any_nan(pairs) {
        return None;
    }
    // The item with the highest true figure has 1, and ties share a number.
    let numbers = places(pairs.iter().map(|(truth, _)| -truth), |tied| tied.runs_before + 1);
    let mut sorted: Vec<(usize, f64)> =
        numbers.into_iter().zip(pairs).map(|(number, pair)| (number, pair.1)).collect();
    // Adding 0 makes -0 equal to 0.
    sorted.sort_by(|a, b| (b.1 + 0.0).total_cmp(&(a.1 + 0.0)));
    let mut seen = Counts::new(sorted.len());
    let (mut in_order, mut compared, mut above) = (0.0, 0, 0);
    for tied in sorted.chunk_by(|a, b| a.1 == b.1) {
        if above > 0 {
            compared += tied.len();
            for (number, _) in tied {
                in_order += seen.below(*number) as f64 / above as f64;
            }
        }
        for (number, _) in tied {
            seen.add(*number);
        }
        above += tied.len();
    }
    (compared > 0).then(|| 2.0 * in_order / compared as f64 - 1.0)
}

/// Returns the AP correlation of two orders of equal standing: the mean of [`tau_ap`] both ways, tau_AP,b of Urbano and
/// Marrero 2017 (and `tauap_b` of ircor, pyircor and TREC AutoJudge, which returns 0 where this is undefined).
///
/// `None` if it is undefined: for fewer than two items, a side on which all items are tied, or a figure that is NaN.
///
/// ```
/// use llull_stats::tau_ap_b;
///
/// assert_eq!(tau_ap_b(&[(3.0, 0.3), (2.0, 0.2), (1.0, 0.1)]), Some(1.0));
/// ```
pub fn tau_ap_b(pairs: &[(f64, f64)]) -> Option<f64> {
    let exchanged: Vec<(f64, f64)> = pairs.iter().map(|(x, y)| (*y, *x)).collect();
    Some((tau_ap(pairs)? + tau_ap(&exchanged)?) / 2.0)
}

/// Counts the added numbers below a given one: a tree of partial sums (Fenwick, A new data structure for cumulative
/// frequency tables, Software: Practice and Experience 24(3), 1994).
struct Counts(Vec<usize>);

impl Counts {
    fn new(largest: usize) -> Self {
        Self(vec![0; largest + 1])
    }

    fn add(&mut self, mut number: usize) {
        while let Some(count) = self.0.get_mut(number) {
            *count += 1;
            number += number & number.wrapping_neg();
        }
    }

    fn below(&self, number: usize) -> usize {
        let mut at = number - 1;
        let mut sum = 0;
        while at > 0 {
            sum += self.0[at];
            at &= at - 1;
        }
        sum
    }
}

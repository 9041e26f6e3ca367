//! Precision against coverage.

use llull_stats::{BootstrapOptions, StatsError, clustered_shares, exact_interval, student_critical};
use serde::Serialize;

use crate::table::TrainingTable;

/// How many steps a curve has from no pair to all.
pub(crate) const STEPS: usize = 20;

/// The right decisions if so many of the pairs are decided, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CurvePoint {
    /// The share of pairs that are decided.
    pub coverage: f64,
    /// The share of these whose side is right.
    pub precision: f64,
    /// The lower end of its interval, over queries; `None` with too few queries.
    pub lo: Option<f64>,
    /// The upper end.
    pub hi: Option<f64>,
    /// How many pairs are decided.
    pub n: f64,
    /// The score from which the fitted learner decides about so many pairs; `None` if it does not decide so many.
    pub threshold: Option<f64>,
}

/// How far each pair is decided at a coverage, and from which score on.
struct Cut {
    weights: Vec<f64>,
    threshold: f64,
}

/// The surest `coverage` of all pairs; of those that are equally sure at the end, each in part. `None` if fewer have
/// any score.
fn cut(scores: &[f64], coverage: f64) -> Option<Cut> {
    let mut order: Vec<usize> = (0..scores.len()).filter(|at| scores[*at] != 0.0).collect();
    order.sort_by(|a, b| scores[*b].abs().total_cmp(&scores[*a].abs()));
    let wanted = coverage * scores.len() as f64;
    if wanted <= 0.0 || (order.len() as f64) < wanted - 1e-9 {
        return None;
    }
    let mut weights = vec![0.0; scores.len()];
    let (mut taken, mut start) = (0.0, 0);
    let mut threshold = f64::INFINITY;
    while start < order.len() && taken < wanted - 1e-9 {
        threshold = scores[order[start]].abs();
        let ties = order[start..].iter().take_while(|at| scores[**at].abs() == threshold).count();
        let part = ((wanted - taken) / ties as f64).min(1.0);
        order[start..start + ties].iter().for_each(|at| weights[*at] = part);
        (taken, start) = (taken + part * ties as f64, start + ties);
    }
    Some(Cut { weights, threshold })
}

/// Returns the score from which so many pairs are decided.
pub(crate) fn threshold_at(scores: &[f64], coverage: f64) -> Option<f64> {
    cut(scores, coverage).map(|cut| cut.threshold)
}

/// Returns whether the side that a score names is the right one.
fn is_right(score: f64, lhs: bool) -> bool {
    (score > 0.0) == lhs
}

/// Returns the share of all pairs whose side is named, and rightly.
pub(crate) fn right_share(scores: &[f64], lhs: &[bool]) -> f64 {
    let right = scores.iter().zip(lhs).filter(|(score, lhs)| **score != 0.0 && is_right(**score, **lhs));
    right.count() as f64 / scores.len().max(1) as f64
}

/// Returns the mean of precision over coverages from 5% to 100%. Half of the undecided pairs count as right, as by
/// chance. A learner that is more precise at every coverage has a higher mean.
pub(crate) fn mean_precision(scores: &[f64], lhs: &[bool]) -> f64 {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].abs().total_cmp(&scores[*a].abs()));
    let mut sums = vec![0.0];
    let mut start = 0;
    while let Some(first) = order.get(start) {
        let sure = scores[*first].abs();
        let ties = order[start..].iter().take_while(|at| scores[**at].abs() == sure).count();
        let right = order[start..start + ties].iter().filter(|at| is_right(scores[**at], lhs[**at])).count();
        let share = if sure == 0.0 { 0.5 } else { right as f64 / ties as f64 };
        for _ in 0..ties {
            sums.push(sums[sums.len() - 1] + share);
        }
        start += ties;
    }
    let at = |step: usize| {
        let n = (scores.len() * step).div_ceil(STEPS).max(1).min(scores.len());
        if n == 0 { 0.5 } else { sums[n] / n as f64 }
    };
    (1..=STEPS).map(at).sum::<f64>() / STEPS as f64
}

/// Returns precision at each of these coverages that the scores reach. Scores are in the order of the table; `fitted`
/// are those from which thresholds are read.
///
/// # Errors
/// Returns an error if the options are out of range.
pub(crate) fn curve(
    table: &TrainingTable,
    scores: &[f64],
    fitted: &[f64],
    coverages: &[f64],
    options: &BootstrapOptions,
) -> Result<Vec<CurvePoint>, StatsError> {
    let cuts: Vec<(f64, Cut)> =
        coverages.iter().filter_map(|coverage| Some((*coverage, cut(scores, *coverage)?))).collect();
    let mut clusters = vec![vec![[0.0; 2]; cuts.len()]; table.group_count()];
    for (row, score) in scores.iter().enumerate() {
        let right = is_right(*score, table.lhs()[row]);
        for (sums, (_, cut)) in clusters[table.groups()[row]].iter_mut().zip(&cuts) {
            let weight = cut.weights[row];
            sums[0] += if right { weight } else { 0.0 };
            sums[1] += weight;
        }
    }
    let ends = clustered_shares(&clusters, options)?;
    let point = |(at, (coverage, _)): (usize, &(f64, Cut))| {
        let own: Vec<[f64; 2]> = clusters.iter().map(|sums| sums[at]).collect();
        let [right, all] = totals(&own);
        // Where nothing is wrong every resample is without a fault.
        let one_sided = right <= 0.0 || right >= all - 1e-9;
        let drawn = ends.get(at).copied().flatten();
        let ends = if one_sided { cluster_interval(&own, options.confidence)? } else { drawn };
        Ok(CurvePoint {
            coverage: *coverage,
            precision: right / all,
            lo: ends.map(|[low, _]| low),
            hi: ends.map(|[_, high]| high),
            n: all,
            threshold: threshold_at(fitted, *coverage),
        })
    };
    cuts.iter().enumerate().map(point).collect()
}

fn totals(clusters: &[[f64; 2]]) -> [f64; 2] {
    clusters.iter().fold([0.0; 2], |[right, all], [own, pairs]| [right + own, all + pairs])
}

/// Returns an interval of a share of units in clusters, `[counted, all]` each. It is the exact one of the effective
/// number of independent units; for a share of 1 its lower end is below 1.
///
/// Korn and Graubard, Confidence intervals for proportions with small expected number of positive counts estimated from
/// survey data, Survey Methodology 24(2), 1998: Clopper and Pearson's interval with the effective number n / deff,
/// times (z / t)^2 for few clusters. `None` for fewer than two clusters.
///
/// # Errors
/// Returns an error if the confidence is not between 0 and 1.
pub(crate) fn cluster_interval(
    clusters: &[[f64; 2]],
    confidence: f64,
) -> Result<Option<[f64; 2]>, StatsError> {
    let [counted, all] = totals(clusters);
    let own: Vec<&[f64; 2]> = clusters.iter().filter(|[_, all]| *all > 0.0).collect();
    if own.len() < 2 {
        return Ok(None);
    }
    let (share, groups) = (counted / all, own.len() as f64);
    let spread: f64 = own.iter().map(|[counted, all]| (counted - share * all).powi(2)).sum();
    let variance = groups / (groups - 1.0) * spread / (all * all);
    let tail = (1.0 - confidence) / 2.0;
    // t of a million degrees of freedom is z to six digits.
    let few = student_critical(tail, 1e6) / student_critical(tail, groups - 1.0);
    let independent = if variance > 0.0 { (share * (1.0 - share) / variance).min(all) } else { all };
    let n = independent * few * few;
    let (low, high) = exact_interval((share * n).clamp(0.0, n), n, confidence)?;
    Ok(Some([low, high]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_are_equally_sure_are_taken_in_part() {
        let cut = cut(&[0.9, -0.5, 0.5, 0.0], 0.5).unwrap();
        assert_eq!((cut.weights, cut.threshold), (vec![1.0, 0.5, 0.5, 0.0], 0.5));
        assert!(super::cut(&[0.9, -0.5, 0.5, 0.0], 0.8).is_none(), "the fourth is not decided");
    }

    #[test]
    fn what_is_not_decided_is_half_right() {
        let lhs = [true, true, true, true];
        assert_eq!(mean_precision(&[0.0; 4], &lhs), 0.5);
        assert_eq!(mean_precision(&[1.0; 4], &lhs), 1.0);
        assert_eq!(right_share(&[1.0, 0.0, -1.0, 0.5], &lhs), 0.5);
    }

    /// 30 of 30: 1 - .025^(1/30) is .884 (Clopper and Pearson); 29 degrees of freedom make 27.6 of 30.
    #[test]
    fn all_right_is_not_sure() {
        let clusters = vec![[1.0, 1.0]; 30];
        let [low, high] = cluster_interval(&clusters, 0.95).unwrap().unwrap();
        assert!((low - 0.8747).abs() < 1e-3 && high == 1.0, "{low}");
    }

    /// Clusters that are wholly right or wholly wrong are worth one pair each.
    #[test]
    fn alike_pairs_of_a_query_count_once() {
        let ends = |size: f64| {
            let clusters: Vec<[f64; 2]> =
                (0..20).map(|at| if at % 5 == 0 { [0.0, size] } else { [size, size] }).collect();
            cluster_interval(&clusters, 0.95).unwrap().unwrap()
        };
        let (one, ten) = (ends(1.0), ends(10.0));
        assert!((one[0] - ten[0]).abs() < 0.02 && (one[1] - ten[1]).abs() < 0.02, "{one:?} {ten:?}");
    }
}

//! Splits the difference of two systems on a query among its documents.

use std::fmt;

use llull_metrics::Measure;

use super::detail::TopicDetail;

/// A document's share of the difference of two systems.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DocumentShare {
    /// The place of the document in [`TopicDetail::documents`].
    pub document: usize,
    /// What it adds to the second system's value, less what it adds to the first one's.
    pub share: f64,
}

/// The reason why a difference is not split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoSplit {
    /// The measure of this name is no sum over documents.
    NotASum(String),
    /// The measure of this name reads documents that are not in the pool.
    BeyondPool(String),
    /// One of the systems has no value.
    NoValue,
}

impl fmt::Display for NoSplit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASum(measure) => write!(f, "{measure} has no split by document."),
            Self::BeyondPool(measure) => {
                write!(f, "No split by document: {measure} reads documents that are not in the pool.")
            }
            Self::NoValue => f.write_str("No split by document: a system has no value on this query."),
        }
    }
}

/// The share of each document in the difference of two systems, by their places in the report; the largest first,
/// and only those that are not 0. The shares add up to the difference ([`Measure::document_shares`]). `value` is the
/// place of the measure among a system's values.
///
/// # Errors
/// Returns the reason if the difference cannot be split.
///
/// ```
/// use llull_report::{DocumentDetail, TopicDetail, TopicSystem, TopicValue, document_shares};
///
/// let value = |value| TopicValue { value: Some(value), seen: 2, unjudged: 0 };
/// let system = |of| TopicSystem { values: vec![value(of)], ..TopicSystem::default() };
/// let document = |grade, ranks| DocumentDetail { grade: Some(grade), ranks, ..DocumentDetail::default() };
/// let query = TopicDetail {
///     systems: vec![system(0.5), system(1.0)],
///     documents: vec![document(1, vec![Some(2), Some(1)]), document(0, vec![Some(1), None])],
///     ..TopicDetail::default()
/// };
/// let shares = document_shares(&query, ("RR", 0), [0, 1])?;
/// assert_eq!((shares.len(), shares[0].document, shares[0].share), (1, 0, 0.5));
/// assert_eq!(document_shares(&query, ("AP", 0), [0, 1]).unwrap_err().to_string(), "AP has no split by document.");
/// # Ok::<(), llull_report::NoSplit>(())
/// ```
pub fn document_shares(
    query: &TopicDetail,
    (measure, value): (&str, usize),
    systems: [usize; 2],
) -> Result<Vec<DocumentShare>, NoSplit> {
    let not_a_sum = || NoSplit::NotASum(measure.to_owned());
    let parsed: Measure = measure.parse().map_err(|_| not_a_sum())?;
    let mut shares = vec![0.0; query.documents.len()];
    for (system, sign) in systems.into_iter().zip([-1.0, 1.0]) {
        let found = query.systems.get(system).and_then(|found| found.values.get(value)?.value);
        let value = found.ok_or(NoSplit::NoValue)?;
        let rank = |at: usize| query.documents.get(at)?.ranks.get(system).copied().flatten();
        let mut retrieved: Vec<usize> = (0..query.documents.len()).filter(|at| rank(*at).is_some()).collect();
        retrieved.sort_by_key(|at| rank(*at));
        let grades: Vec<Option<i32>> =
            retrieved.iter().filter_map(|at| query.documents.get(*at)).map(|found| found.grade).collect();
        let labels = query.documents.iter().filter_map(|document| document.grade);
        let of_system = parsed.document_shares(&grades, labels).ok_or_else(not_a_sum)?;
        // The pool may end above the cutoff, and labels may be of documents outside of it.
        if (of_system.iter().sum::<f64>() - value).abs() > 1e-9 * value.abs().max(1.0) {
            return Err(NoSplit::BeyondPool(measure.to_owned()));
        }
        for (at, share) in retrieved.into_iter().zip(of_system) {
            if let Some(sum) = shares.get_mut(at) {
                *sum += sign * share;
            }
        }
    }
    let mut shares: Vec<DocumentShare> =
        shares.into_iter().enumerate().map(|(document, share)| DocumentShare { document, share }).collect();
    shares.retain(|found| found.share != 0.0);
    shares.sort_by(|a, b| b.share.abs().total_cmp(&a.share.abs()));
    Ok(shares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topics::{DocumentDetail, TopicSystem, TopicValue};

    fn query(values: [Option<f64>; 2], documents: &[(Option<i32>, [Option<u32>; 2])]) -> TopicDetail {
        let system = |value| TopicSystem {
            values: vec![TopicValue { value, seen: 3, unjudged: 0 }],
            ..TopicSystem::default()
        };
        let document = |(grade, ranks): &(Option<i32>, [Option<u32>; 2])| DocumentDetail {
            grade: *grade,
            ranks: ranks.to_vec(),
            ..DocumentDetail::default()
        };
        TopicDetail {
            systems: values.map(system).into(),
            documents: documents.iter().map(document).collect(),
            ..TopicDetail::default()
        }
    }

    /// By hand: the best list has grade 2 at rank 1 and grade 1 at rank 2, a DCG of 2 + 1/log2(3).
    #[test]
    fn the_largest_share_comes_first_and_a_document_at_one_rank_has_none() {
        let ideal = 2.0 + 1.0 / 3f64.log2();
        let (low, high) = ((1.0 / 3f64.log2() + 2.0 / 2.0) / ideal, 1.0);
        let documents =
            [(Some(2), [Some(3), Some(1)]), (Some(1), [Some(2), Some(2)]), (Some(0), [Some(1), None])];
        let found = document_shares(&query([Some(low), Some(high)], &documents), ("nDCG@3", 0), [0, 1]);
        let found = found.unwrap();
        assert_eq!(found.iter().map(|share| share.document).collect::<Vec<_>>(), [0]);
        assert!((found[0].share - (high - low)).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn a_split_that_misses_a_part_of_the_value_is_none() {
        let documents = [(Some(1), [Some(1), Some(2)])];
        let shares = |values| document_shares(&query(values, &documents), ("P@4", 0), [0, 1]);
        assert_eq!(shares([Some(0.25), Some(0.25)]), Ok(Vec::new()));
        assert_eq!(shares([Some(0.25), Some(0.5)]), Err(NoSplit::BeyondPool("P@4".into())));
        assert_eq!(shares([Some(0.25), None]), Err(NoSplit::NoValue));
    }

    #[test]
    fn a_name_that_is_no_measure_has_no_split() {
        let found = document_shares(&query([Some(0.1); 2], &[]), ("alpha_nDCG@10", 0), [0, 1]);
        assert_eq!(found, Err(NoSplit::NotASum("alpha_nDCG@10".into())));
    }
}

//! The agreement of two label sets about the order of documents.
//!
//! It is for scores, and for labels with too many different grades for figures that treat each grade as a category.
//! Agreement within queries gives no credit for knowing easy queries, which have many good documents.

use std::collections::BTreeMap;

use llull_core::{Grade, Qrels};
use serde::Serialize;

use super::error::AgreementError;
use super::labels::{Agreement, AgreementOptions};
use crate::bootstrap::{Ends, mean_interval};
use crate::correlation::{kendall_tau_b, spearman};

/// Computes how far `other` orders documents as `truth` does, over the pairs that both have labelled. Figures that
/// compare grades themselves, such as kappa, are left undefined, so that there may be any number of grades.
///
/// # Errors
/// Returns an error if the parameters of the bootstrap are invalid.
pub fn order_agreement(
    truth: &Qrels,
    other: &Qrels,
    options: &AgreementOptions,
) -> Result<Agreement, AgreementError> {
    let clamped = |grade| f64::from(options.clamp.map_or(grade, |clamp| clamp.apply(grade)));
    let mut all: Vec<(f64, f64)> = Vec::new();
    let (mut queries, mut taus) = (0, Vec::new());
    for (query, documents) in truth.iter() {
        let Some(others) = other.topic(query) else { continue };
        let first = all.len();
        let pairs = documents.iter().filter_map(|(id, grade)| Some((*grade, *others.get(id)?)));
        all.extend(pairs.map(|(a, b)| (clamped(a), clamped(b))));
        let here = all.get(first..).unwrap_or_default();
        queries += usize::from(!here.is_empty());
        taus.extend(kendall_tau_b(here));
    }
    let interval = match &options.bootstrap {
        Some(bootstrap) if !taus.is_empty() => Some(mean_interval(&taus, bootstrap)?),
        _ => None,
    };
    let ends = interval.map(|interval| [interval.low, interval.high]);
    let order = OrderFigures {
        tau: kendall_tau_b(&all),
        spearman: spearman(&all),
        tau_by_query: (!taus.is_empty()).then(|| taus.iter().sum::<f64>() / taus.len() as f64),
        tau_queries: taus.len(),
        tau_by_query_ci: ends.filter(|ends| ends.iter().all(|end| end.is_finite())),
    };
    Ok(Agreement {
        n: all.len(),
        queries,
        only_truth: truth.pairs().saturating_sub(all.len()),
        only_other: other.pairs().saturating_sub(all.len()),
        order: Some(order),
        ..Agreement::default()
    })
}

/// The agreement of two label sets about the order of documents.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct OrderFigures {
    /// Kendall's tau-b over all pairs of query and document, whatever their query.
    pub tau: Option<f64>,
    /// Spearman's rank correlation over the same.
    pub spearman: Option<f64>,
    /// The mean over queries of tau-b of a query's documents.
    pub tau_by_query: Option<f64>,
    /// The number of queries with a tau-b: both sides have different values for some of their documents.
    pub tau_queries: usize,
    /// The interval of `tau_by_query`, if requested and there are queries enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tau_by_query_ci: Option<Ends>,
}

/// The agreement of two raters' grades of one query's documents.
///
/// Pooled over queries, kappa rewards knowing how many relevant documents each query has: on the 25 queries of LLMJudge
/// each query's own shares of grades, with no judge at all, score more than most judges. Here chance is that of the two
/// raters' grades within the query, so such knowledge earns nothing.
///
/// ```
/// use llull_stats::AgreementWithin;
///
/// // The grade of people, the judge's grade, and the value by which the judge orders documents.
/// let good = AgreementWithin::of(&[(1, 1, 2.0), (0, 0, 0.1), (0, 1, 0.9), (1, 1, 1.7)]);
/// let blind = AgreementWithin::of(&[(1, 1, 1.0), (1, 1, 1.0)]);
/// assert_eq!(AgreementWithin::kappa(&[good, blind]), Some(0.5));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct AgreementWithin {
    /// Documents that both graded.
    pub pairs: usize,
    /// Equal grades beyond those that chance would give.
    pub beyond: f64,
    /// The most that could have been.
    pub possible: f64,
    /// Spearman's rank correlation; 0 if the judge gives all the same value, `None` if people do.
    pub rho: Option<f64>,
}

impl AgreementWithin {
    /// Compares the documents of one query, each with the grade of people, the judge's grade and the judge's value.
    pub fn of(documents: &[(Grade, Grade, f64)]) -> Self {
        let n = documents.len() as f64;
        let (mut people, mut judge) = (BTreeMap::new(), BTreeMap::new());
        let mut equal = 0.0;
        for (human, grade, _) in documents {
            *people.entry(*human).or_insert(0.0) += 1.0;
            *judge.entry(*grade).or_insert(0.0) += 1.0;
            equal += f64::from(u8::from(human == grade));
        }
        let by_chance: f64 =
            people.iter().filter_map(|(grade, count)| Some(count * judge.get(grade)? / n)).sum();
        let values: Vec<(f64, f64)> =
            documents.iter().map(|(human, _, value)| (f64::from(*human), *value)).collect();
        let rho = (people.len() > 1).then(|| spearman(&values).unwrap_or(0.0));
        Self { pairs: documents.len(), beyond: equal - by_chance, possible: n - by_chance, rho }
    }

    /// Returns Cohen's kappa within queries: the agreement beyond chance of all of them, as a share of the possible
    /// one. `None` if no agreement beyond chance was possible.
    pub fn kappa<'a>(queries: impl IntoIterator<Item = &'a Self>) -> Option<f64> {
        let (beyond, possible) = (queries.into_iter())
            .fold((0.0, 0.0), |(beyond, possible), query| (beyond + query.beyond, possible + query.possible));
        (possible > 0.0).then(|| beyond / possible)
    }

    /// Returns the mean rank correlation over queries, without queries whose human grades are all equal. `None` without
    /// any other.
    pub fn rho<'a>(queries: impl IntoIterator<Item = &'a Self>) -> Option<f64> {
        let (mut sum, mut n) = (0.0, 0.0);
        for rho in queries.into_iter().filter_map(|query| query.rho) {
            sum += rho;
            n += 1.0;
        }
        (n > 0.0).then(|| sum / n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: of four documents two agree, and chance would give 2*2/4 + 1*1/4 + 1*1/4 = 1.5.
    #[test]
    fn chance_is_that_of_the_query() {
        let found = AgreementWithin::of(&[(0, 0, 0.0), (0, 1, 1.0), (1, 0, 0.0), (2, 2, 2.0)]);
        assert_eq!((found.pairs, found.beyond, found.possible), (4, 0.5, 2.5));
        assert_eq!(AgreementWithin::kappa(&[found]), Some(0.2));
    }

    #[test]
    fn who_tells_nothing_apart_has_no_correlation() {
        let flat = AgreementWithin::of(&[(0, 1, 1.0), (2, 1, 1.0)]);
        let people_flat = AgreementWithin::of(&[(1, 0, 0.0), (1, 2, 2.0)]);
        assert_eq!((flat.rho, people_flat.rho), (Some(0.0), None));
        assert_eq!(AgreementWithin::rho(&[people_flat]), None);
        assert_eq!(AgreementWithin::of(&[]).rho, None);
        assert_eq!(AgreementWithin::kappa(&[AgreementWithin::of(&[])]), None);
    }
}

//! The agreement of two label sets about the order of documents.
//!
//! It is for scores, and for labels with too many different grades for figures that treat each grade as a category.

use llull_core::Qrels;

use super::error::AgreementError;
use super::figures::LabelFigures;
use super::labels::{Agreement, AgreementOptions};
use super::order_figures::OrderFigures;
use crate::bootstrap::mean_interval;
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
        clamped_truth: 0,
        clamped_other: 0,
        figures: LabelFigures::undefined(),
        grades: Vec::new(),
        confusion: Vec::new(),
        order: Some(order),
        systems: None,
        ci: None,
    })
}

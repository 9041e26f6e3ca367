//! The majority of the judges with the best human agreement.

use std::collections::BTreeMap;

use llull_core::Grade;
use llull_stats::AgreementWithin;

use super::combined::Combined;
use super::grades::PanelGrades;
use super::method::PanelMethod;
use super::votes::by_votes;

/// Combines the `few` judges whose kappa with human labels within queries is highest: their majority, and their mean
/// for the order. A judge that graded none of the labelled pairs comes last.
pub(super) fn best_few(panel: &PanelGrades, truth: &[Option<usize>], few: usize) -> Combined {
    let agreement = kappas(panel, truth);
    let mut order: Vec<usize> = (0..panel.judges()).collect();
    let of = |judge: &usize| agreement.get(*judge).copied().flatten().unwrap_or(f64::NEG_INFINITY);
    order.sort_by(|a, b| of(b).total_cmp(&of(a)));
    let mut counts = vec![false; panel.judges()];
    for judge in order.into_iter().take(few) {
        if let Some(counts) = counts.get_mut(judge) {
            *counts = true;
        }
    }
    let mut combined = by_votes(panel, PanelMethod::Majority, &counts);
    combined.values = by_votes(panel, PanelMethod::Mean, &counts).values;
    combined.method = PanelMethod::Best(few);
    combined
}

/// By query: the human grade, the judge's grade, and the value by which it orders documents.
type ByQuery = BTreeMap<usize, Vec<(Grade, Grade, f64)>>;

/// Each judge's kappa with human labels, within queries.
fn kappas(panel: &PanelGrades, truth: &[Option<usize>]) -> Vec<Option<f64>> {
    let mut documents: Vec<ByQuery> = vec![BTreeMap::new(); panel.judges()];
    for (pair, place) in truth.iter().enumerate() {
        let (Some(place), Some(query)) = (place, panel.query(pair)) else { continue };
        for given in panel.places(pair) {
            if let Some(queries) = documents.get_mut(given.judge()) {
                let (human, grade) = (panel.grade(*place), panel.grade(given.place()));
                queries.entry(query).or_default().push((human, grade, given.place() as f64));
            }
        }
    }
    let kappa = |queries: &ByQuery| {
        let queries: Vec<AgreementWithin> = queries.values().map(|own| AgreementWithin::of(own)).collect();
        AgreementWithin::kappa(&queries)
    };
    documents.iter().map(kappa).collect()
}

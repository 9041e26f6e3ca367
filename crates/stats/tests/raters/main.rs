//! Agreement of raters, against scikit-learn, krippendorff, evalica, statsmodels and irrCAC, and by general properties.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failing test panics")]

mod golden;
mod intervals;
mod json;
mod labels;
mod panel;

use llull_core::Grade;

/// Two raters, with the figures of other tools.
pub(crate) struct Two {
    pub(crate) truth: &'static str,
    pub(crate) other: &'static str,
    pub(crate) kappa: [Option<f64>; 3],
    pub(crate) kappa_at: &'static [(Grade, f64)],
    pub(crate) precision_at: &'static [(Grade, f64)],
    pub(crate) recall_at: &'static [(Grade, f64)],
    pub(crate) f1_at: &'static [(Grade, f64)],
    pub(crate) alpha: [f64; 3],
    pub(crate) pi: f64,
    pub(crate) gwet: [f64; 3],
}

/// Several raters, with the figures of other tools.
pub(crate) struct Panel {
    /// The grades of each unit.
    pub(crate) units: &'static str,
    pub(crate) alpha: [f64; 3],
    pub(crate) fleiss: f64,
    pub(crate) gwet: [f64; 3],
}

pub(crate) fn grades(text: &str) -> Vec<Grade> {
    text.split_whitespace().map(|grade| grade.parse().unwrap()).collect()
}

#[track_caller]
pub(crate) fn close(figure: Option<f64>, expected: f64) {
    let figure = figure.unwrap();
    assert!((figure - expected).abs() < 1e-12, "{figure}, not {expected}");
}

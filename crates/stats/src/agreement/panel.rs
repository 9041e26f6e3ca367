//! The agreement of a panel's members with each other.

use serde::Serialize;

use super::error::AgreementError;
use super::figures::PanelFigures;
use super::panel_ratings::PanelRatings;
use crate::bootstrap::{BootstrapOptions, Ends};

/// How far the members of a panel agree with each other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PanelAgreement {
    /// The number of units with a rating.
    pub units: usize,
    /// The number of units with two ratings or more.
    pub paired: usize,
    /// The number of ratings.
    pub ratings: usize,
    /// The number of queries that the units belong to.
    pub queries: usize,
    /// The figures.
    #[serde(flatten)]
    pub figures: PanelFigures<Option<f64>>,
    /// Their intervals, if requested: expanded BCa over resampled queries. `None` as in
    /// [`Agreement`](crate::Agreement).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ci: Option<PanelFigures<Option<Ends>>>,
}

/// Computes how far several raters agree with each other, with intervals if `bootstrap` is given.
///
/// # Errors
/// Returns an error if `bootstrap` is invalid.
pub fn panel_agreement(
    ratings: &PanelRatings,
    bootstrap: Option<&BootstrapOptions>,
) -> Result<PanelAgreement, AgreementError> {
    let figures = figures(ratings, &ratings.total());
    let ci = bootstrap.map(|options| intervals(ratings, &figures, options)).transpose()?;
    Ok(PanelAgreement {
        units: ratings.units(),
        paired: ratings.paired(),
        ratings: ratings.ratings(),
        queries: ratings.sums().len(),
        figures,
        ci,
    })
}

fn figures(ratings: &PanelRatings, sums: &[f64]) -> PanelFigures<Option<f64>> {
    let pooled = ratings.pooled(sums);
    PanelFigures {
        alpha: pooled.alpha_by_level(),
        fleiss: pooled.fleiss(),
        ac1: pooled.ac1(),
        ac2: pooled.ac2(),
    }
}

fn intervals(
    ratings: &PanelRatings,
    figures: &PanelFigures<Option<f64>>,
    options: &BootstrapOptions,
) -> Result<PanelFigures<Option<Ends>>, AgreementError> {
    let ends = ratings.sums().intervals(options, |sums| {
        let mut values = Vec::new();
        self::figures(ratings, sums).map(|figure| values.push(*figure));
        values
    })?;
    let mut ends = ends.into_iter();
    Ok(figures.map(|_| ends.next().flatten()))
}

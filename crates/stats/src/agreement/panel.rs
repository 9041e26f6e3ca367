//! The agreement of a panel's members with each other.

use std::collections::{BTreeMap, BTreeSet};

use llull_core::{Grade, Qrels};
use serde::Serialize;

use super::chance_corrected::Pooled;
use super::error::{AgreementError, check_scale};
use super::figures::PanelFigures;
use super::grades::{Clamp, cell_numbers, number, places};
use crate::bootstrap::{BootstrapOptions, ClusterSums, Ends};
use crate::correlation::pearson;

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

/// The grades that several raters gave, by query and by unit (a rated thing). A missing rating is left out.
///
/// ```
/// use llull_stats::{DisagreementWeights, Level, PanelRatings, fleiss_kappa, gwet_ac, krippendorff_alpha};
///
/// // One query; three documents, the second rated by two of three raters.
/// let ratings = PanelRatings::new([vec![vec![1, 1, 2], vec![0, 0], vec![3, 3, 3]]])?;
/// assert_eq!((ratings.units(), ratings.ratings()), (3, 8));
/// assert!(krippendorff_alpha(&ratings, Level::Ordinal).is_some_and(|alpha| alpha > 0.8));
/// // Chance alone agrees on 0.28 of the ratings by Fleiss, and on 0.24 by Gwet.
/// assert_eq!(fleiss_kappa(&ratings).map(|kappa| (kappa * 100.0).round()), Some(69.0));
/// assert_eq!(gwet_ac(&ratings, DisagreementWeights::None).map(|ac1| (ac1 * 100.0).round()), Some(71.0));
/// # Ok::<(), llull_stats::AgreementError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PanelRatings {
    grades: Vec<Grade>,
    places: Vec<f64>,
    cells: Vec<(usize, usize)>,
    /// By query: coincidences by cell, shares by cell, ratings by grade, units, paired units.
    sums: ClusterSums,
    units: usize,
    paired: usize,
    ratings: usize,
}

impl PanelRatings {
    /// Collects queries: each is a list of units, and each unit is the list of its grades, in any order.
    ///
    /// # Errors
    /// Returns an error if there are more than 256 different grades.
    pub fn new<Q>(queries: impl IntoIterator<Item = Q>) -> Result<Self, AgreementError>
    where
        Q: IntoIterator<Item = Vec<Grade>>,
    {
        // Units with the same ratings are one entry with a count: there are few kinds.
        let mut kinds: BTreeMap<Vec<Grade>, usize> = BTreeMap::new();
        let mut units_by_query: Vec<Vec<usize>> = Vec::new();
        let mut in_order: Vec<Vec<Grade>> = Vec::new();
        for query in queries {
            let mut here = Vec::new();
            for mut unit in query {
                unit.sort_unstable();
                if unit.is_empty() {
                    continue;
                }
                let next = in_order.len();
                here.push(*kinds.entry(unit).or_insert_with_key(|unit| {
                    in_order.push(unit.clone());
                    next
                }));
            }
            here.sort_unstable();
            if !here.is_empty() {
                units_by_query.push(here);
            }
        }
        let mut grades: Vec<Grade> = in_order.iter().flatten().copied().collect();
        grades.sort_unstable();
        grades.dedup();
        check_scale(grades.len())?;
        let kinds: Vec<Kind> = in_order.iter().map(|unit| Kind::of(unit, &grades)).collect();
        Ok(Self::summed(grades, &kinds, &units_by_query))
    }

    fn summed(grades: Vec<Grade>, kinds: &[Kind], queries: &[Vec<usize>]) -> Self {
        let cells = cell_numbers(kinds.iter().flat_map(|kind| &kind.pairs).map(|(cell, _)| *cell));
        let width = 2 * cells.len() + grades.len() + 2;
        let mut sums = ClusterSums::new(width);
        let (mut units, mut paired, mut ratings) = (0, 0, 0);
        for query in queries {
            let mut row: BTreeMap<usize, f64> = BTreeMap::new();
            for alike in query.chunk_by(|a, b| a == b) {
                let Some(kind) = alike.first().and_then(|kind| kinds.get(*kind)) else { continue };
                let (times, m) = (alike.len() as f64, kind.ratings as f64);
                units += alike.len();
                ratings += alike.len() * kind.ratings;
                *row.entry(width - 2).or_default() += times;
                for (grade, count) in &kind.counts {
                    *row.entry(2 * cells.len() + grade).or_default() += times * *count as f64 / m;
                }
                if kind.ratings < 2 {
                    continue;
                }
                paired += alike.len();
                *row.entry(width - 1).or_default() += times;
                for (cell, pairs) in &kind.pairs {
                    let Some(number) = cells.get(cell) else { continue };
                    let coincidence = times * *pairs as f64 / (m - 1.0);
                    *row.entry(*number).or_default() += coincidence;
                    *row.entry(cells.len() + number).or_default() += coincidence / m;
                }
            }
            sums.push(row);
        }
        let cells = cells.into_keys().collect();
        Self { places: places(&grades), grades, cells, sums, units, paired, ratings }
    }

    /// Collects the ratings of several label sets: a unit is a pair of query and document that any of them has
    /// labelled.
    ///
    /// # Errors
    /// Returns an error if there are more than 256 different grades.
    pub fn of_qrels(raters: &[&Qrels], clamp: Option<Clamp>) -> Result<Self, AgreementError> {
        let queries: BTreeSet<&str> =
            raters.iter().flat_map(|rater| rater.iter().map(|(query, _)| query)).collect();
        Self::new(queries.into_iter().map(|query| {
            let labels = raters.iter().filter_map(|rater| rater.topic(query)).flatten();
            let mut labels: Vec<(&str, Grade)> = labels
                .map(|(document, grade)| (document, clamp.map_or(*grade, |clamp| clamp.apply(*grade))))
                .collect();
            labels.sort_unstable();
            let units = labels.chunk_by(|a, b| a.0 == b.0);
            units.map(|unit| unit.iter().map(|(_, grade)| *grade).collect()).collect::<Vec<Vec<Grade>>>()
        }))
    }

    /// Returns the number of units with a rating.
    pub fn units(&self) -> usize {
        self.units
    }

    /// Returns the number of units with two ratings or more: only these count for agreement.
    pub fn paired(&self) -> usize {
        self.paired
    }

    /// Returns the number of ratings.
    pub fn ratings(&self) -> usize {
        self.ratings
    }

    /// Returns every grade that occurs, ascending.
    pub fn grades(&self) -> &[Grade] {
        &self.grades
    }

    /// Returns the sums by query.
    pub(super) fn sums(&self) -> &ClusterSums {
        &self.sums
    }

    /// Returns the sums over all queries.
    pub(super) fn total(&self) -> Vec<f64> {
        self.sums.total()
    }

    /// Returns the input of the coefficients, given sums over some queries.
    pub(super) fn pooled<'a>(&'a self, sums: &'a [f64]) -> Pooled<'a> {
        let (coincidences, rest) = sums.split_at(self.cells.len());
        let (shares, rest) = rest.split_at(self.cells.len());
        let (ratings, units) = rest.split_at(self.grades.len());
        Pooled {
            places: &self.places,
            cells: &self.cells,
            coincidences,
            shares,
            ratings,
            units: units.first().copied().unwrap_or(0.0),
            paired: units.last().copied().unwrap_or(0.0),
        }
    }
}

/// Units with the same grades.
struct Kind {
    ratings: usize,
    /// The number of ratings by grade.
    counts: Vec<(usize, usize)>,
    /// The number of ordered pairs of ratings, in both directions, by the two grades.
    pairs: Vec<((usize, usize), usize)>,
}

impl Kind {
    fn of(unit: &[Grade], scale: &[Grade]) -> Self {
        let counts: Vec<(usize, usize)> = unit
            .chunk_by(|a, b| a == b)
            .filter_map(|alike| Some((number(scale, *alike.first()?), alike.len())))
            .collect();
        let mut pairs = Vec::new();
        for (index, (a, count)) in counts.iter().enumerate() {
            if *count > 1 {
                pairs.push(((*a, *a), count * (count - 1)));
            }
            let above = counts.iter().skip(index + 1);
            pairs.extend(above.map(|(b, other)| ((*a, *b), 2 * count * other)));
        }
        Self { ratings: unit.len(), counts, pairs }
    }
}

/// Returns the number of judges with independent errors that would do as well as these: K / (1 + (K - 1) r), where r is
/// the mean correlation of the errors of two judges (Kish, Survey Sampling, 1965: the effective size of a cluster).
/// From 1 for judges that err as one to K for independent ones; above K if their errors cancel.
///
/// `errors` has a list for each judge: its error on every item, in one order; NaN where it has none. Two judges are
/// compared on the items that both have. `None` for fewer than two judges, or if no two of them have errors that vary.
///
/// ```
/// use llull_stats::independent_votes;
///
/// let one = vec![0.0, 1.0, 0.0, -1.0, 2.0];
/// assert_eq!(independent_votes(&[one.clone(), one.clone(), one]), Some(1.0));
/// let apart = [vec![1.0, -1.0, 1.0, -1.0], vec![1.0, 1.0, -1.0, -1.0]];
/// assert_eq!(independent_votes(&apart), Some(2.0));
/// ```
pub fn independent_votes(errors: &[Vec<f64>]) -> Option<f64> {
    let judges = errors.len() as f64;
    let (mut sum, mut pairs) = (0.0, 0.0);
    for (at, one) in errors.iter().enumerate() {
        for other in errors.iter().skip(at + 1) {
            let both: Vec<(f64, f64)> = (one.iter().zip(other))
                .map(|(one, other)| (*one, *other))
                .filter(|(one, other)| !one.is_nan() && !other.is_nan())
                .collect();
            if let Some(correlation) = pearson(&both) {
                sum += correlation;
                pairs += 1.0;
            }
        }
    }
    let together = 1.0 + (judges - 1.0) * (sum / pairs);
    (pairs > 0.0 && together > 0.0).then(|| judges / together)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judges_without_errors_that_vary_say_nothing() {
        assert_eq!(independent_votes(&[]), None);
        assert_eq!(independent_votes(&[vec![1.0, 2.0]]), None);
        assert_eq!(independent_votes(&[vec![0.0, 0.0], vec![1.0, 2.0]]), None);
        assert_eq!(independent_votes(&[vec![f64::NAN, 1.0], vec![1.0, f64::NAN]]), None);
    }

    /// r of (1, 2, 3) and (1, 3, 2) is 1/2, so two of them are worth 2 / 1.5; the gap is left out.
    #[test]
    fn only_items_that_both_have_count() {
        let errors = [vec![1.0, 2.0, 3.0, 9.0], vec![1.0, 3.0, 2.0, f64::NAN]];
        assert!((independent_votes(&errors).unwrap() - 4.0 / 3.0).abs() < 1e-12);
    }
}

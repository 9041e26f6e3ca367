//! Several raters, with gaps.

use std::collections::{BTreeMap, BTreeSet};

use llull_core::{Grade, Qrels};
use serde::Serialize;

use super::DisagreementWeights;
use super::clamp::Clamp;
use super::clusters::ClusterSums;
use super::crosstab::places;
use super::error::{AgreementError, check_scale};
use super::figures::{Ac2ByWeights, ByLevel, Ends, PanelFigures};
use super::pooled::{Level, Pooled};
use crate::bootstrap::BootstrapOptions;

/// What several raters gave, by query and by what they rated. A rating that is missing is simply not there.
///
/// ```
/// use llull_stats::{Level, PanelRatings, krippendorff_alpha};
///
/// // One query; three documents, the second rated by two of three raters.
/// let ratings = PanelRatings::new([vec![vec![1, 1, 2], vec![0, 0], vec![3, 3, 3]]])?;
/// assert_eq!((ratings.units(), ratings.ratings()), (3, 8));
/// assert!(krippendorff_alpha(&ratings, Level::Ordinal).is_some_and(|alpha| alpha > 0.8));
/// # Ok::<(), llull_stats::AgreementError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PanelRatings {
    grades: Vec<Grade>,
    places: Vec<f64>,
    cells: Vec<(usize, usize)>,
    /// By query: coincidences and shares by cell, ratings by grade, units, paired units.
    sums: ClusterSums,
    units: usize,
    paired: usize,
    ratings: usize,
}

impl PanelRatings {
    /// Queries, each a list of what was rated there, each a list of the grades that it was given, in any order.
    ///
    /// # Errors
    /// When there are more than 256 different grades.
    pub fn new<Q>(queries: impl IntoIterator<Item = Q>) -> Result<Self, AgreementError>
    where
        Q: IntoIterator<Item = Vec<Grade>>,
    {
        // Units with the same ratings are counted, not kept: there are few kinds.
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
        let mut cells: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for (cell, _) in kinds.iter().flat_map(|kind| &kind.pairs) {
            cells.entry(*cell).or_default();
        }
        for (number, cell) in cells.values_mut().enumerate() {
            *cell = number;
        }
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

    /// The ratings in several label sets: a unit is a pair of query and document that any of them has labelled.
    ///
    /// # Errors
    /// When there are more than 256 different grades.
    pub fn of_qrels(raters: &[&Qrels], clamp: Option<Clamp>) -> Result<Self, AgreementError> {
        let queries: BTreeSet<&str> =
            raters.iter().flat_map(|rater| rater.iter().map(|(query, _)| query)).collect();
        Self::new(queries.into_iter().map(|query| {
            let labels = raters.iter().filter_map(|rater| rater.topic(query)).flatten();
            let mut labels: Vec<(&str, Grade)> = labels
                .map(|(document, grade)| (&**document, clamp.map_or(*grade, |clamp| clamp.apply(*grade))))
                .collect();
            labels.sort_unstable();
            let units = labels.chunk_by(|a, b| a.0 == b.0);
            units.map(|unit| unit.iter().map(|(_, grade)| *grade).collect()).collect::<Vec<Vec<Grade>>>()
        }))
    }

    /// How many things have a rating.
    pub fn units(&self) -> usize {
        self.units
    }

    /// How many of them have two or more: only these say anything about agreement.
    pub fn paired(&self) -> usize {
        self.paired
    }

    /// How many ratings there are.
    pub fn ratings(&self) -> usize {
        self.ratings
    }

    /// Every grade that occurs, ascending.
    pub fn grades(&self) -> &[Grade] {
        &self.grades
    }

    fn pooled<'a>(&'a self, sums: &'a [f64]) -> Pooled<'a> {
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

    fn figures(&self, sums: &[f64]) -> PanelFigures<Option<f64>> {
        let pooled = self.pooled(sums);
        PanelFigures {
            alpha: ByLevel {
                nominal: pooled.alpha(Level::Nominal),
                ordinal: pooled.alpha(Level::Ordinal),
                interval: pooled.alpha(Level::Interval),
            },
            fleiss: pooled.fleiss(),
            ac1: pooled.gwet(DisagreementWeights::None),
            ac2: Ac2ByWeights {
                linear: pooled.gwet(DisagreementWeights::Linear),
                quadratic: pooled.gwet(DisagreementWeights::Quadratic),
            },
        }
    }
}

/// Units that were given the same grades.
struct Kind {
    ratings: usize,
    /// By grade.
    counts: Vec<(usize, usize)>,
    /// Ordered pairs of ratings, in both directions, by the two grades.
    pairs: Vec<((usize, usize), usize)>,
}

impl Kind {
    fn of(unit: &[Grade], scale: &[Grade]) -> Self {
        let number = |grade: Grade| scale.partition_point(|other| *other < grade);
        let counts: Vec<(usize, usize)> = unit
            .chunk_by(|a, b| a == b)
            .filter_map(|alike| Some((number(*alike.first()?), alike.len())))
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

/// Krippendorff's alpha of any number of raters with any gaps: 1 for full agreement, 0 for what chance gives, below 0 for less.
///
/// 1 - observed / expected disagreement, where the expectation is that of all ratings dealt anew; units with one rating count
/// nowhere. Krippendorff, Content Analysis: An Introduction to Its Methodology, 4th edition, 2018, chapter 12; the ordinal difference
/// is that of his Computing Krippendorff's Alpha-Reliability, 2011.
///
/// `None` when no unit has two ratings, or all that count are one grade: then nothing shows that the raters can tell grades apart.
pub fn krippendorff_alpha(ratings: &PanelRatings, level: Level) -> Option<f64> {
    ratings.pooled(&ratings.sums.total()).alpha(level)
}

/// Fleiss' kappa: the agreement of pairs of raters beyond chance, where chance is how often each grade is given by all raters; 1 at
/// most.
///
/// Fleiss, Measuring nominal scale agreement among many raters, Psychological Bulletin 76(5), 1971. With gaps as in Gwet, Handbook of
/// Inter-Rater Reliability, 4th edition, 2014, chapter 2: agreement is over the units with two ratings or more, prevalence over
/// all, a unit as much as another (as irrCAC has it; without gaps this is Fleiss').
///
/// `None` when no unit has two ratings, or only one grade was ever given.
pub fn fleiss_kappa(ratings: &PanelRatings) -> Option<f64> {
    ratings.pooled(&ratings.sums.total()).fleiss()
}

/// Gwet's AC1 (without weights) or AC2 (with), which stay steady where nearly everything is one grade and kappa does not; 1 at
/// most.
///
/// Gwet, Computing inter-rater reliability and its variance in the presence of high agreement, British Journal of Mathematical and Statistical
/// Psychology 61(1), 2008; weights and gaps: Handbook of Inter-Rater Reliability, 4th edition, 2014. The scale is the grades that
/// occur (as in irrCAC), and weights follow the distance of the grades themselves.
///
/// `None` when no unit has two ratings, or only one grade was ever given.
pub fn gwet_ac(ratings: &PanelRatings, weights: DisagreementWeights) -> Option<f64> {
    ratings.pooled(&ratings.sums.total()).gwet(weights)
}

/// How far the members of a panel agree with each other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PanelAgreement {
    /// Things with a rating.
    pub units: usize,
    /// Of these, those with two or more.
    pub paired: usize,
    /// How many ratings there are.
    pub ratings: usize,
    /// The queries that they belong to.
    pub queries: usize,
    /// The figures.
    #[serde(flatten)]
    pub figures: PanelFigures<Option<f64>>,
    /// Their intervals, if they were asked for: expanded, bias-corrected and accelerated, over resampled queries. `None` as in
    /// [`Agreement`](crate::Agreement).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ci: Option<PanelFigures<Option<Ends>>>,
}

/// How far several raters agree with each other.
///
/// # Errors
/// When the options of the bootstrap cannot be.
pub fn panel_agreement(
    ratings: &PanelRatings,
    bootstrap: Option<&BootstrapOptions>,
) -> Result<PanelAgreement, AgreementError> {
    let figures = ratings.figures(&ratings.sums.total());
    let ci = match bootstrap {
        None => None,
        Some(options) => {
            let ends = ratings.sums.intervals(options, |sums| {
                let mut values = Vec::new();
                ratings.figures(sums).map(|figure| values.push(*figure));
                values
            })?;
            let mut ends = ends.into_iter();
            Some(figures.map(|_| ends.next().flatten()))
        }
    };
    Ok(PanelAgreement {
        units: ratings.units,
        paired: ratings.paired,
        ratings: ratings.ratings,
        queries: ratings.sums.len(),
        figures,
        ci,
    })
}

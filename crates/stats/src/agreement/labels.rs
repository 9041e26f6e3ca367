//! The agreement of two label sets, pair by pair.

use llull_core::{Grade, Qrels};
use serde::Serialize;

use super::crosstab::Crosstab;
use super::error::{AgreementError, check_scale};
use super::figures::LabelFigures;
use super::grades::{Clamp, cell_numbers};
use super::order::OrderFigures;
use crate::bootstrap::{BootstrapOptions, ClusterSums, Ends};
use crate::correlation::{SystemAgreement, SystemFigures};

/// How to compare labels.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct AgreementOptions {
    /// Grades beyond these ends count as the ends; without it every grade counts as it is.
    pub clamp: Option<Clamp>,
    /// How to resample queries for intervals; without it there are none.
    pub bootstrap: Option<BootstrapOptions>,
}

/// The agreement of one label set with another. Its JSON is the output of `llull agree` for one file.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Agreement {
    /// The number of pairs of query and document that both have labelled; the figures are over these.
    pub n: usize,
    /// The number of queries of these pairs.
    pub queries: usize,
    /// The number of pairs that only the truth has labelled.
    pub only_truth: usize,
    /// The number of pairs that only the other has labelled.
    pub only_other: usize,
    /// How many labels of these pairs the clamp changed in the truth.
    pub clamped_truth: usize,
    /// How many labels of these pairs the clamp changed in the other.
    pub clamped_other: usize,
    /// The figures.
    #[serde(flatten)]
    pub figures: LabelFigures<Option<f64>>,
    /// Every grade that occurs, ascending: the rows and columns of `confusion`.
    pub grades: Vec<Grade>,
    /// How often each grade of the truth (rows) met each of the other (columns).
    pub confusion: Vec<Vec<u64>>,
    /// The agreement about the order of documents, from [`order_agreement`](crate::order_agreement); other figures are
    /// undefined then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<OrderFigures>,
    /// The agreement about the order of systems; see [`with_systems`](Self::with_systems).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub systems: Option<SystemSummary>,
    /// The intervals of the figures, if requested. An interval is `None` if the figure is, if there are too few queries
    /// for the confidence (fewer than six at 95%), and if so many resamples leave the figure undefined,
    /// (1 - confidence) / 2 of them, that an end could be among those.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ci: Option<AgreementIntervals>,
}

/// The agreement of two label sets about the order of systems.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SystemSummary {
    /// The number of systems.
    pub n: usize,
    /// The figures.
    #[serde(flatten)]
    pub figures: SystemFigures<Option<f64>>,
}

/// Intervals under the names of the figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgreementIntervals {
    /// Those of the labels: BCa, expanded for few queries.
    #[serde(flatten)]
    pub labels: LabelFigures<Option<Ends>>,
    /// Those of the systems; see [`SystemAgreement::ci`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub systems: Option<SystemFigures<Option<Ends>>>,
}

impl Agreement {
    /// Adds the agreement of the two label sets about the order of systems. Intervals are added only if the labels have
    /// theirs.
    #[must_use]
    pub fn with_systems(mut self, systems: &SystemAgreement) -> Self {
        self.systems = Some(SystemSummary { n: systems.n, figures: systems.figures });
        if let Some(ci) = &mut self.ci {
            ci.systems = systems.ci;
        }
        self
    }
}

/// Computes the agreement of `other` with `truth`, over the pairs that both have labelled.
///
/// Intervals resample queries, not pairs: labels of one query's pairs are correlated, and intervals that assume
/// independent pairs would be too narrow.
///
/// | | here | elsewhere |
/// |---|---|---|
/// | weights of kappa and AC2 | distance of the grades | irrCAC: the same; scikit-learn: of their ranks |
/// | kappa if both sides are one grade | `None` | scikit-learn: NaN |
/// | alpha if all ratings are one grade | `None` | krippendorff: an error; evalica: 1 |
/// | precision if the other has nothing relevant | `None` | scikit-learn: 0 |
/// | the scale of AC1 and AC2 | the grades that occur, in resamples too | irrCAC: the same by default |
/// | intervals | queries resampled, expanded BCa | evalica's alpha: pairs of ratings resampled, chance kept fixed |
///
/// ```
/// use llull_core::{Qrels, Seed};
/// use llull_stats::{AgreementOptions, BootstrapOptions, label_agreement};
///
/// let (mut truth, mut other) = (Qrels::default(), Qrels::default());
/// for (query, document, there, here) in
///     [("q1", "d1", 2, 2), ("q1", "d2", 0, 1), ("q2", "d1", 1, 1), ("q2", "d2", 0, 0)]
/// {
///     truth.insert(query, document, there);
///     other.insert(query, document, here);
/// }
/// other.insert("q2", "d3", 0);
/// let bootstrap = Some(BootstrapOptions::new(Seed(7)));
/// let agreement = label_agreement(&truth, &other, &AgreementOptions { clamp: None, bootstrap })?;
/// assert_eq!((agreement.n, agreement.only_truth, agreement.only_other), (4, 0, 1));
/// assert_eq!((agreement.figures.exact, agreement.figures.bias), (Some(0.75), Some(0.25)));
/// assert_eq!(agreement.figures.precision_at[&1], Some(2.0 / 3.0));
/// // Two queries are too few for an interval of 95%.
/// assert_eq!(agreement.ci.map(|ci| ci.labels.exact), Some(None));
/// # Ok::<(), llull_stats::AgreementError>(())
/// ```
///
/// # Errors
/// Returns an error if the labels hold more than 256 different grades ([`order_agreement`](crate::order_agreement)
/// takes any number), or the parameters of the bootstrap are invalid.
/// Labels without a common pair are valid: every figure is `None`.
pub fn label_agreement(
    truth: &Qrels,
    other: &Qrels,
    options: &AgreementOptions,
) -> Result<Agreement, AgreementError> {
    weighted_label_agreement(truth, other, &|_, _| 1.0, options)
}

/// The same for pairs with unequal weights, such as those of a sample with unequal probabilities: `weight` returns the
/// weight of a pair, the inverse of its probability in the draw. Only the ratios of weights matter. Numbers of pairs
/// and the confusion matrix are unweighted.
///
/// # Errors
/// Returns those of [`label_agreement`].
pub fn weighted_label_agreement(
    truth: &Qrels,
    other: &Qrels,
    weight: &dyn Fn(&str, &str) -> f64,
    options: &AgreementOptions,
) -> Result<Agreement, AgreementError> {
    let pairs = CommonPairs::of(truth, other, weight, options.clamp);
    check_scale(pairs.table.grades.len())?;
    let counts = pairs.sums.total();
    let figures = pairs.table.with(&counts).figures();
    let ci = match &options.bootstrap {
        Some(bootstrap) => {
            Some(AgreementIntervals { labels: pairs.intervals(&figures, bootstrap)?, systems: None })
        }
        None => None,
    };
    Ok(Agreement {
        n: pairs.n,
        queries: pairs.sums.len(),
        only_truth: truth.pairs().saturating_sub(pairs.n),
        only_other: other.pairs().saturating_sub(pairs.n),
        clamped_truth: pairs.clamped.0,
        clamped_other: pairs.clamped.1,
        confusion: pairs.table.rows(&pairs.counts),
        grades: pairs.table.grades,
        figures,
        order: None,
        systems: None,
        ci,
    })
}

/// The pairs that both have labelled, counted by query.
struct CommonPairs {
    table: Crosstab,
    sums: ClusterSums,
    /// How many pairs each cell has, whatever they weigh.
    counts: Vec<f64>,
    n: usize,
    clamped: (usize, usize),
}

impl CommonPairs {
    fn of(truth: &Qrels, other: &Qrels, weight: &dyn Fn(&str, &str) -> f64, clamp: Option<Clamp>) -> Self {
        let apply = |grade: Grade, clamped: &mut usize| {
            let onto = clamp.map_or(grade, |clamp| clamp.apply(grade));
            *clamped += usize::from(onto != grade);
            onto
        };
        let mut clamped = (0, 0);
        let mut queries: Vec<Vec<((Grade, Grade), f64)>> = Vec::new();
        for (query, documents) in truth.iter() {
            let Some(others) = other.topic(query) else { continue };
            let pairs: Vec<((Grade, Grade), f64)> = documents
                .iter()
                .filter_map(|(document, grade)| {
                    let grades = (*grade, *others.get(document)?);
                    Some((grades, weight(query, document)))
                })
                .map(|((a, b), weight)| ((apply(a, &mut clamped.0), apply(b, &mut clamped.1)), weight))
                .collect();
            if !pairs.is_empty() {
                queries.push(pairs);
            }
        }
        let cells = cell_numbers(queries.iter().flatten().map(|(grades, _)| *grades));
        let n: usize = queries.iter().map(Vec::len).sum();
        // Corrections for small samples take the sum for a number of pairs.
        let mean = queries.iter().flatten().map(|(_, weight)| weight).sum::<f64>() / n as f64;
        let (mut sums, mut counts) = (ClusterSums::new(cells.len()), vec![0.0; cells.len()]);
        for pairs in &mut queries {
            pairs.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
            let alike = pairs.chunk_by(|a, b| a.0 == b.0);
            sums.push(alike.filter_map(|alike| {
                let cell = *cells.get(&alike.first()?.0)?;
                if let Some(count) = counts.get_mut(cell) {
                    *count += alike.len() as f64;
                }
                Some((cell, alike.iter().map(|(_, weight)| weight).sum::<f64>() / mean))
            }));
        }
        let distinct: Vec<(Grade, Grade)> = cells.into_keys().collect();
        Self { table: Crosstab::new(&distinct), n, sums, counts, clamped }
    }

    fn intervals(
        &self,
        figures: &LabelFigures<Option<f64>>,
        options: &BootstrapOptions,
    ) -> Result<LabelFigures<Option<Ends>>, AgreementError> {
        let ends = self.sums.intervals(options, |counts| {
            let mut values = Vec::new();
            self.table.with(counts).figures().map(|figure| values.push(*figure));
            values
        })?;
        let mut ends = ends.into_iter();
        Ok(figures.map(|_| ends.next().flatten()))
    }
}

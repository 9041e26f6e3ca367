//! Trains learners, and tests them on new queries.

use llull_core::PairChoice;
use llull_stats::{BootstrapOptions, StatsError};
use serde::Serialize;

use crate::curve::{CurvePoint, STEPS, curve, mean_precision, right_share};
use crate::fit::{LearnerSettings, fit};
use crate::folds;
use crate::learner::{FittedLearner, LearnerKind};
use crate::subset_cells;
use crate::subset_search::search;
use crate::subsets::{ParetoPoint, SubsetReport};
use crate::table::TrainingTable;
use crate::tree::PairTree;
use crate::validation::{Chosen, Nested};

/// The most subsets that are counted.
const MOST_SUBSETS: u128 = 5_000_000;

/// The learners to fit, and the results to report.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainOptions {
    /// The learners to choose from; a single one is not chosen.
    pub kinds: Vec<LearnerKind>,
    /// How they are fitted.
    pub settings: LearnerSettings,
    /// How many folds the queries make.
    pub folds: usize,
    /// The coverage at which subsets and learners are compared, above 0 and at most 1.
    pub coverage: f64,
    /// The most features of a subset; 0 for no subsets.
    pub subsets: usize,
}

impl TrainOptions {
    /// Returns the defaults: all learners, 5 folds, a coverage of 40%, subsets of up to 3 features, of which 100 are
    /// reported.
    pub fn new(settings: LearnerSettings) -> Self {
        let kinds = LearnerKind::ALL.to_vec();
        Self { kinds, settings, folds: 5, coverage: 0.4, subsets: 3 }
    }
}

/// Why a table cannot train a learner.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TrainError {
    /// An interval cannot be computed.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}

/// The figures of one feature alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeatureFigures {
    /// Its name.
    pub name: String,
    /// How many calls an answer costs.
    pub calls: u32,
    /// How many pairs have no answer.
    pub missing: usize,
    /// The share of the pairs for which it names a side.
    pub coverage: f64,
    /// The share of these whose side is right.
    pub precision: Option<f64>,
    /// The share of all pairs for which it names the right side.
    pub right: f64,
}

/// The figures of one learner on queries that it was not fitted to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LearnerFigures {
    /// The learner.
    pub model: LearnerKind,
    /// The share of all pairs for which it names the right side.
    pub right: f64,
    /// The mean of its precision over all coverages, undecided pairs half right: the criterion for the choice of a
    /// learner.
    pub mean_precision: f64,
    /// Its precision at the requested coverage; `None` if it decides fewer pairs.
    pub at: Option<CurvePoint>,
}

/// Learners and their figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trained {
    /// How many pairs were learnt from.
    pub pairs: usize,
    /// How many queries they are of.
    pub groups: usize,
    /// How many folds the queries make.
    pub folds: usize,
    /// The coverage at which learners and subsets are compared.
    pub coverage: f64,
    /// Each feature alone, the one with most right answers first.
    pub features: Vec<FeatureFigures>,
    /// Each learner, fitted to the other folds.
    pub learners: Vec<LearnerFigures>,
    /// The learner that is best in folds of all queries, which is the fitted one.
    pub model: LearnerKind,
    /// For each fold the learner that is best in folds of the others.
    pub chosen: Vec<LearnerKind>,
    /// Precision against coverage, each fold by the learner that the others chose.
    pub curve: Vec<CurvePoint>,
    /// How many calls a pair takes with the fitted learner: of a tree the mean over the pairs, else of all features.
    pub calls: f64,
    /// How many subsets were counted.
    pub subsets_counted: usize,
    /// The best of them, at the coverage.
    pub subsets: Vec<SubsetReport>,
    /// The best result for each number of calls.
    pub pareto: Vec<ParetoPoint>,
    /// The tree as text, fitted to all pairs whatever learner was chosen.
    pub tree: String,
    /// How many calls a pair takes in this tree, in the mean.
    pub tree_calls: f64,
    /// The chosen learner, fitted to all pairs.
    #[serde(skip)]
    pub fitted: FittedLearner,
}

/// Fits learners, chooses one, and tests it on queries that neither fitted nor chose it.
///
/// # Errors
/// Returns an error if an option is out of range, or there are too few queries.
pub fn train(table: &TrainingTable, options: &TrainOptions) -> Result<Trained, TrainError> {
    check(table, options)?;
    let TrainOptions { kinds, settings, coverage, .. } = options;
    let rows: Vec<usize> = (0..table.lhs().len()).collect();
    let folds = folds::by_group(&rows, table.groups(), options.folds, settings.seed);
    let bootstrap = BootstrapOptions { resamples: 2_000, ..BootstrapOptions::new(settings.seed) };
    let all = Chosen::of(kinds, table, &rows, options.folds, settings);
    let nested = match kinds.as_slice() {
        [kind] => Nested { scores: all.scores().to_vec(), chosen: vec![*kind; folds::count(&folds)] },
        _ => Nested::of(kinds, table, &folds, settings),
    };
    let coverages: Vec<f64> = (1..=STEPS).map(|step| step as f64 / STEPS as f64).collect();
    let points = curve(table, &nested.scores, all.scores(), &coverages, &bootstrap)?;
    let learner = |(kind, scores): &(LearnerKind, Vec<f64>)| {
        Ok(LearnerFigures {
            model: *kind,
            right: right_share(scores, table.lhs()),
            mean_precision: mean_precision(scores, table.lhs()),
            at: curve(table, scores, scores, &[*coverage], &bootstrap)?.pop(),
        })
    };
    let learners = all.tried.iter().map(learner).collect::<Result<_, StatsError>>()?;
    let fitted = fit(all.best, table, &rows, settings);
    let found = search(table, &folds, options.subsets, *coverage)?;
    let tree = match fit(LearnerKind::Tree, table, &rows, settings) {
        FittedLearner::Tree(tree) => tree,
        _ => PairTree { root: crate::tree::TreeNode::Undecided { n: 0 } },
    };
    let tree_calls = mean_calls(table, &tree);
    let features = table.table().features();
    let every = fitted.features().iter().map(|at| f64::from(features[*at].calls)).sum();
    Ok(Trained {
        pairs: rows.len(),
        groups: distinct_groups(table),
        folds: folds::count(&folds),
        coverage: *coverage,
        features: feature_figures(table),
        learners,
        model: all.best,
        chosen: nested.chosen,
        curve: points,
        calls: if all.best == LearnerKind::Tree { tree_calls } else { every },
        subsets_counted: found.count,
        subsets: found.subsets,
        pareto: found.pareto,
        tree: tree.text(features),
        tree_calls,
        fitted,
    })
}

fn check(table: &TrainingTable, options: &TrainOptions) -> Result<(), TrainError> {
    if options.kinds.is_empty() {
        return Err(TrainError::Problem("no learner to fit".to_owned()));
    }
    if options.folds < 3 {
        return Err(TrainError::Problem(format!(
            "{} folds: at least 3 are needed, since a fold's others are divided again",
            options.folds
        )));
    }
    if !(options.coverage > 0.0 && options.coverage <= 1.0) {
        return Err(TrainError::Problem(format!(
            "a coverage of {}: it is above 0 and at most 1",
            options.coverage
        )));
    }
    let ridge = options.settings.ridge;
    if !(ridge > 0.0 && ridge.is_finite()) {
        return Err(TrainError::Problem(format!("a ridge of {ridge}: it is a number above 0")));
    }
    let (found, needed) = (distinct_groups(table), options.folds + 1);
    if found < needed {
        return Err(TrainError::Problem(format!(
            "{found} queries with a known side: folds over queries need at least {needed}"
        )));
    }
    let (most, features) = (options.subsets, table.table().features().len());
    let count = subset_count(features, most);
    if most > subset_cells::MOST || count > MOST_SUBSETS {
        return Err(TrainError::Problem(format!(
            "{count} subsets of up to {most} of {features} features: at most 5 million of up to 5 are counted. Ask \
             for smaller ones"
        )));
    }
    Ok(())
}

/// The number of subsets of 1 to `most` of so many features.
fn subset_count(features: usize, most: usize) -> u128 {
    let (mut sum, mut of_size) = (0_u128, 1_u128);
    for size in 1..=most.min(features) {
        of_size = of_size.saturating_mul((features - size + 1) as u128) / size as u128;
        sum = sum.saturating_add(of_size);
    }
    sum
}

fn distinct_groups(table: &TrainingTable) -> usize {
    let mut groups = table.groups().to_vec();
    groups.sort_unstable();
    groups.dedup();
    groups.len()
}

fn mean_calls(table: &TrainingTable, tree: &PairTree) -> f64 {
    let features = table.table().features();
    let of_row = |row: usize| {
        let reached = tree.reach(|feature| table.table().column(feature)[row]);
        reached.asked.iter().map(|feature| f64::from(features[*feature].calls)).sum::<f64>()
    };
    let rows = table.lhs().len();
    (0..rows).map(of_row).sum::<f64>() / rows.max(1) as f64
}

fn feature_figures(table: &TrainingTable) -> Vec<FeatureFigures> {
    let rows = table.lhs().len().max(1) as f64;
    let figures = |(at, feature): (usize, &crate::table::PairFeature)| {
        let column = table.table().column(at);
        let sided = column.iter().filter(|answer| answer.vote() != 0).count() as f64;
        let right = column.iter().zip(table.lhs());
        let right = right
            .filter(|(answer, lhs)| **answer == if **lhs { PairChoice::Lhs } else { PairChoice::Rhs })
            .count() as f64;
        FeatureFigures {
            name: feature.name.clone(),
            calls: feature.calls,
            missing: column.iter().filter(|answer| **answer == PairChoice::Missing).count(),
            coverage: sided / rows,
            precision: (sided > 0.0).then(|| right / sided),
            right: right / rows,
        }
    };
    let mut all: Vec<FeatureFigures> = table.table().features().iter().enumerate().map(figures).collect();
    all.sort_by(|a, b| b.right.total_cmp(&a.right));
    all
}

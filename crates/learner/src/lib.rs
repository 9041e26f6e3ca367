//! Combines several answers about a pair into one.
//!
//! The answers of several judges, or of one judge about several fields, become a side and how sure it is. A pair has
//! no left and right by nature, so every learner here is antisymmetric: the pair with its sides exchanged has the
//! score with its sign changed. A tree reads the side that a feature names, and its right-hand branch is the mirror
//! image of the left-hand one. A regression has no intercept, and a forest and a vote are sums of antisymmetric parts.
//!
//! - The data: [`FeatureTable`], [`TrainingTable`]
//! - The learners: [`fit()`], [`FittedLearner`], [`PairTree`], [`LogisticPairs`]
//! - Quality on new queries: [`train()`], with folds over queries, and folds inside of these to choose a learner
//! - Quality with few features: [`SubsetFigures`], [`ParetoPoint`]
//! - A learner in a file: [`SavedLearner`]
//! - Grades of single documents from a few numbers: [`fit_grades`], [`held_out_grades`]
//!
//! Everything is a pure function of table, options and seed; the number of cores changes nothing.

mod curve;
mod fit;
mod folds;
mod forest;
mod grade_noise;
mod grades;
mod grow;
mod learner;
mod logistic;
mod saved;
mod step;
mod subset_cells;
mod subset_search;
mod subsets;
mod table;
mod training;
mod tree;
mod tree_text;
mod validation;

pub use curve::CurvePoint;
pub use fit::{LearnerSettings, fit};
pub use forest::PairForest;
pub use grade_noise::{grade_chances, grade_spread};
pub use grades::{FitGradesError, FittedGrades, GradedRow, fit_grades, held_out_grades};
pub use learner::{FittedLearner, LearnerKind, UnknownLearner};
pub use logistic::LogisticPairs;
pub use saved::{SavedError, SavedLearner};
pub use step::Step;
pub use subsets::{ParetoPoint, SubsetFigures, SubsetReport};
pub use table::{FeatureTable, PairFeature, TableError, TrainingTable};
pub use training::{FeatureFigures, LearnerFigures, TrainError, TrainOptions, Trained, train};
pub use tree::{PairTree, TreeNode};

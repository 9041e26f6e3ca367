//! Many answers about a pair to one: what several judges, or one judge asked about several fields, say of a pair of
//! documents becomes a side and how sure it is.
//!
//! A pair has no left and right by nature, so every learner here is antisymmetric: the pair with its sides exchanged
//! has the score with its sign changed. A tree asks a feature for its side and lets the right-hand branch be the mirror
//! image of the left-hand one; a regression has no intercept; a forest and a vote are sums of such.
//!
//! - The data: [`FeatureTable`], [`TrainingTable`]
//! - The learners: [`fit()`], [`FittedLearner`], [`PairTree`], [`LogisticPairs`]
//! - How good are they on new queries? [`train()`]: folds over queries, and folds inside of these to choose a learner
//! - How good with few features? [`SubsetFigures`], [`ParetoPoint`]
//! - To keep one: [`SavedLearner`]
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

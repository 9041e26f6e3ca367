//! Measures runs: the loop over queries, and graded labels.
//!
//! All evaluations share the loop; graded labels are of one judge or several.

mod graded;
mod missing_labels;
mod query_loop;
mod scores;
mod several_judges;

pub use graded::{Evaluator, evaluate, evaluate_all};
pub use missing_labels::{DifferenceBounds, KnownLabels, MissingDocuments};
pub(crate) use query_loop::{Grain, LabelledQueries, RankedQuery};
pub(crate) use scores::figures_are_cells;
pub use scores::{Cell, Scores, TopicCells, TopicFigures, TopicScores};
pub use several_judges::{JudgesScores, JudgesTopic, evaluate_judges};

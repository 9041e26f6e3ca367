//! Labels and runs as what other tools read: rows, judgment lists, pairs, ratings.

mod judgment_list;
mod pairs;
mod ratings;
mod rows;

pub use judgment_list::{FeatureSource, JudgmentList, judgment_list};
pub use pairs::{graded_pairs, voted_pairs};
pub use ratings::{Ratings, quepid_rows, ratings};
pub use rows::{label_rows, run_rows};

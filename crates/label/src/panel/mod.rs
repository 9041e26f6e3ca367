//! Combines several judges into one.
//!
//! [`PanelGrades`] holds the grades of a panel's judges; [`combine`] turns them by a [`PanelMethod`] into a grade, a
//! value for the order and the probability of each grade of every pair. No method is best everywhere, and judges that
//! are models share mistakes, so none is assumed: with a sample of human labels [`choose_method`] tries them all on
//! queries that they were not fitted to.

mod across;
mod best_few;
mod beta_raters;
mod choice;
mod combine;
mod combine_error;
mod combined;
mod confusion;
mod dawid_skene;
mod grades;
mod method;
mod ordinal_raters;
mod rater_curve;
mod votes;
mod weights;

pub use across::combine_across_queries;
pub use choice::{ChoiceError, PanelChoice, Tried, Worth, choose_method};
pub use combine::combine;
pub use combine_error::CombineError;
pub use combined::{Combined, JudgeModel, RaterSeverity};
pub use dawid_skene::{DAWID_SKENE_WARNING, DawidSkene, dawid_skene};
pub use grades::{PanelGrades, PanelGradesError};
pub use method::{PanelMethod, UnknownPanelMethod};
pub use ordinal_raters::{OrdinalRaters, ordinal_raters, raters_beside_human_labels};

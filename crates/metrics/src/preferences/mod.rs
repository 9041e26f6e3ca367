//! Measures of preferences: the judges' preferences that a run fulfils.
//!
//! They are those of Buckley's trec_eval (`-R prefs`, `-R qrels_prefs`) under its names; `prefs_simp` is akin to the
//! precision of preferences (ppref) of Carterette and Bennett, Evaluation measures for preference judgments, SIGIR
//! 2008. A preference is *fulfilled* if the run has the better document ahead of the other one; documents that it does
//! not retrieve come after all that it does.
//!
//! - A judgment group with one subgroup holds classes of equally good documents; every document of a class is preferred
//!   to every one of a lower class. With several subgroups its preferences are those of the subgroups and all that
//!   follow from them by transitivity.
//! - Groups are different judges: they may contradict each other, and each of their preferences counts.
//! - Documents with one score are in ascending order of their identifiers, which is trec_eval's order here, and the
//!   reverse of its order for all other measures.
//! - A query on which nothing can be fulfilled has 0.

mod error;
mod evaluate;
mod group;
mod measure;
mod places;
mod tally;

pub use error::PreferenceError;
pub use evaluate::{PreferenceScores, PreferenceTopic, evaluate_preferences};
pub use measure::{PreferenceMeasure, UnknownPreferenceMeasure};

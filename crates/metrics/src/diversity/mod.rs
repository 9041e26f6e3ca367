//! Measures of diversity: how soon a run shows something of each of a topic's subtopics, rather than much of one.
//!
//! The labels are those of TREC's Web track, `topic subtopic document grade`: one set of qrels a subtopic. The measures are those of its program ndeval under
//! ir_measures' names. A document is relevant to a subtopic or not; one that has no label for it is not. A subtopic of a topic counts when some document is relevant
//! to it.

mod evaluate;
mod measure;
mod novelty;
mod parse;

pub use evaluate::{DiversityScores, DiversityTopic, evaluate_diversity};
pub use measure::DiversityMeasure;
pub use parse::DiversityMeasureError;

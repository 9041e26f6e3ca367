//! Measures of diversity, which reward covering all subtopics of a query.
//!
//! They compare that with much of one subtopic.
//!
//! The labels are those of TREC's Web track, `topic subtopic document grade`: one set of qrels a subtopic. The measures
//! are those of its program ndeval under ir_measures' names. A document is relevant to a subtopic or not; without a
//! label for it, it is not. A subtopic of a query counts if some document is relevant to it.

mod coverage;
mod evaluate;
mod measure;

pub use evaluate::{DiversityScores, DiversityTopic, evaluate_diversity};
pub use measure::{DiversityMeasure, DiversityMeasureError};

//! The judges: a prompted model that grades and one that compares; the lexical baseline and a file of labels made elsewhere, which
//! do either.

mod asking;
mod compared;
mod prompted;
mod replay;
mod similarity;

pub use compared::{ComparerSettings, PromptedComparer};
pub use prompted::{PromptedJudge, PromptedSettings};
pub use replay::ReplayJudge;
pub use similarity::SimilarityJudge;

/// Stands in a [`JudgeSpec`](llull_core::JudgeSpec) where a judge reads no rubric, so that changing the rubric does
/// not ask it again.
const NO_RUBRIC: llull_core::Hash = llull_core::Hash([0; 32]);

/// The domain of all task keys.
const TASK: &str = "llull task v1";

/// The positions of `ranks`, the lowest rank first; equal ranks share a place.
fn in_tied_places<R: Ord>(ranks: &[R]) -> Vec<Vec<u16>> {
    let mut sorted: Vec<_> = ranks.iter().zip(0u16..).collect();
    sorted.sort();
    sorted
        .chunk_by(|(one, _), (next, _)| one == next)
        .map(|place| place.iter().map(|(_, at)| *at).collect())
        .collect()
}

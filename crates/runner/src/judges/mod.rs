//! The built-in judges: a prompted language model, the lexical baseline, a file of labels made elsewhere, each of which
//! grades or compares; and people, who are asked outside of llull.

mod human;
mod model;
mod prompted;
mod registered;
mod replay;
mod similarity;
mod task_key;
mod tied_order;

pub use human::HumanJudge;
pub use model::ModelJudge;
pub use prompted::{Prompted, PromptedSettings};
pub use registered::RegisteredJudge;
pub use replay::ReplayJudge;
pub use similarity::SimilarityJudge;

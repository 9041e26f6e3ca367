//! The built-in judges: a prompted language model, the lexical baseline, and a file of labels made elsewhere. Each
//! grades or compares.

mod model;
mod prompted;
mod registered;
mod replay;
mod similarity;
mod task_key;
mod tied_order;

pub use model::ModelJudge;
pub use prompted::{Prompted, PromptedSettings};
pub use registered::RegisteredJudge;
pub use replay::ReplayJudge;
pub use similarity::SimilarityJudge;

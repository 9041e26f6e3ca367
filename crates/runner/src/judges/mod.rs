//! The built-in judges: a prompted language model, the lexical baseline and students, a file of labels made elsewhere,
//! each of which grades or compares; judges of the user's own, which are programs or behind addresses; and people, who
//! are asked outside of llull.

mod human;
mod model;
mod own;
mod prompt_watch;
mod prompted;
mod registered;
mod replay;
mod task_key;
mod tied_order;
mod words;

pub use human::HumanJudge;
pub use model::ModelJudge;
pub use own::{
    EndpointChannel, ExpectedAnswers, OwnChannel, OwnIdentity, OwnJudge, OwnSettings, ProcessChannel,
};
pub use prompted::{Prompted, PromptedSettings};
pub use registered::RegisteredJudge;
pub use replay::ReplayJudge;
pub use words::{NamedStudent, SimilarityJudge, StudentJudge, WordGrader, WordJudge};

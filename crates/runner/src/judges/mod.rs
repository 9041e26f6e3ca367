//! The built-in judges, each of which grades or compares.
//!
//! They are prompted language models, the lexical baseline, students, files of labels made elsewhere, and recordings
//! of a model's replies. There are also judges of the user's own (programs or servers), and annotators, whose answers
//! come from outside a run.

mod annotator;
mod model;
mod own;
mod prompted;
mod provider_batches;
mod recorded;
mod registered;
mod replay;
mod task_key;
mod tied_order;
mod words;

pub use annotator::AnnotatorJudge;
pub use model::ModelJudge;
pub use own::{
    EndpointChannel, ExpectedAnswers, OwnChannel, OwnIdentity, OwnJudge, OwnSettings, ProcessChannel,
    ScoreForm, ScorePrice, ScoreReply, ScoreSize, Scores,
};
pub use prompted::{Prompted, PromptedSettings};
pub use provider_batches::{BatchClock, ProviderBatches, SystemClock};
pub use recorded::RecordedJudge;
pub use registered::RegisteredJudge;
pub use replay::ReplayJudge;
pub use words::{NamedStudent, SimilarityJudge, StudentJudge, WordGrader, WordJudge};

//! Query by query: the figures of every system and the documents behind them.

mod detail;
mod note;
mod scores_by_query;
mod source;

pub use detail::{DocumentDetail, JudgeAnswer, TopicDetail, TopicSystem, TopicValue, sort_documents};
pub use note::topic_note;
pub use scores_by_query::ScoresByQuery;
pub use source::{Streamed, TopicSource};

//! Query by query: the figures of every system and the documents behind them.

mod detail;
mod index;
mod note;
mod source;

pub use detail::{DocumentDetail, JudgeAnswer, TopicDetail, TopicSystem, TopicValue, sort_documents};
pub use index::TopicIndex;
pub use note::topic_note;
pub use source::{Streamed, TopicSource};

//! Query by query: every system's figures, and the documents.

mod detail;
mod document_shares;
mod note;
mod scores_by_query;
mod source;

pub use detail::{DocumentDetail, JudgeAnswer, TopicDetail, TopicSystem, TopicValue, sort_documents};
pub use document_shares::{DocumentShare, NoSplit, document_shares};
pub use note::topic_note;
pub use scores_by_query::ScoresByQuery;
pub use source::{Streamed, TopicSource};

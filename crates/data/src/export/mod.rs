//! Files for other tools: tables, judgment lists, requests of search engines, training sets.

mod chat;
mod letor;
mod nested_json;
#[cfg(feature = "parquet")]
mod parquet;
mod search_engines;
mod table;

pub use chat::{ChatExample, ChatMessage, write_chat};
pub use letor::{LetorPair, LetorQuery, write_letor};
pub use nested_json::{write_labels_json, write_run_json};
pub use search_engines::{RankEval, RatedQuery, write_opensearch_judgments, write_rank_eval};
pub use table::{Column, ColumnKind, RowTable, TableFormat, WrittenRows};

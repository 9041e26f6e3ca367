//! Wire formats of requests, replies and failures.

mod openai;

pub(crate) use openai::OpenAi;
pub use openai::{EmbeddingModel, TextUse};

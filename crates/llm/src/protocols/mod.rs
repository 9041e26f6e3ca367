//! Wire formats of requests, replies and failures.

mod openai;

pub use openai::{EmbeddingModel, TextUse};
pub(crate) use openai::{OpenAi, Server};

//! Wire formats: how a request becomes a server's JSON, and its answer a reply or a failure.

mod openai;

pub(crate) use openai::OpenAi;
pub use openai::{EmbeddingModel, TextUse};

//! Sends OpenAI's chat completions.
//!
//! Their form is documented at <https://platform.openai.com/docs/api-reference/chat>. OpenRouter, vLLM, llama.cpp's
//! server and Ollama understand it, too.

mod embedding;
mod error_body;
mod learnt;
mod model;
mod parameter;
mod refusal;
mod refused_parameter;
mod refused_text;
mod reply;
mod request;
mod server;

pub use embedding::{EmbeddingModel, TextUse};
pub(crate) use model::OpenAi;
pub(crate) use server::Server;

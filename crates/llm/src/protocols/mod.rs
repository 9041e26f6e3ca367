//! Wire formats of requests, replies and failures.
//!
//! A format is pure and has a file of its own: [`anthropic`], [`bedrock`], [`gemini`], [`openai`],
//! [`responses`]. What all of them share is beside them: the model that learns which parameters a server
//! refuses, and the reading of errors.

mod anthropic;
mod batches;
mod bedrock;
mod embedding;
mod error_body;
mod gemini;
mod learnt;
mod model;
mod openai;
mod parameter;
mod refusal;
mod refused_parameter;
mod refused_text;
mod responses;
mod server;
mod tool_call;
mod turns;
mod wire_format;

pub(crate) use batches::BedrockBatches;
pub use embedding::{EmbeddingModel, TextUse};
pub(crate) use model::RemoteModel;
pub(crate) use server::Server;
pub(crate) use wire_format::wire_format;

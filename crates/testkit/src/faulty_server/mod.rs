//! An OpenAI-compatible server on this machine that misbehaves as planned.

mod embeddings;
mod responses;
mod routes;
mod served;
mod server;
mod state;

pub use served::{PromptCount, Recorded, Served};
pub use server::FaultyServer;

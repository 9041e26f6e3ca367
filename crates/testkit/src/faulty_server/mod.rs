//! A local OpenAI-compatible server with planned faults.

mod aws_signature;
mod batches;
mod bedrock;
mod embeddings;
mod responses;
mod routes;
mod served;
mod server;
mod state;
mod steps;

pub use aws_signature::AWS_SECRET;
pub use served::{PromptCount, Recorded, Served};
pub use server::FaultyServer;

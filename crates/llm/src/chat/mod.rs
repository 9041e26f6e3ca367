//! Language models: requests, replies, and requests in batches.

mod batch_lines;
mod batch_server;
mod model;

pub use batch_lines::{BatchLines, line_has_error, line_id};
pub use batch_server::{BatchLimits, BatchServer, BatchStatus};
pub use model::{ChatModel, ChatReply, ChatRequest, Finish, Message, ReplyToken, ResponseSchema, Role};

//! ChatModel and its providers: wire formats, errors, limits, prices.

mod chat;

pub use chat::{ChatModel, ChatReply, ChatRequest, Finish, Message, ResponseSchema, Role};

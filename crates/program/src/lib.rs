//! Programs of the user's own: how they are started, spoken with and ended.
//!
//! A [`Program`] is a list of words that no shell reads, a folder, and all of the environment that it is given. It is
//! [started](Program::start) to do its work and end, or [spoken with](Conversation) line by line for as long as it is
//! needed. Nothing here knows what it is for.

mod conversation;
#[cfg(unix)]
mod descendants;
mod program;
mod running;
mod stderr_tail;

pub use conversation::{Conversation, Ended, Heard};
pub use program::Program;
pub use running::{Running, end_all};

//! Starts, ends and communicates with programs of the user's own.
//!
//! A [`Program`] is a list of words that no shell reads, a folder, and its whole environment. It is
//! [started](Program::start) to do its work and end, or to [exchange lines](Conversation) for as long as it is needed.
//! This crate is independent of the program's purpose.

mod conversation;
#[cfg(unix)]
mod descendants;
mod program;
mod running;
mod stderr_tail;

pub use conversation::{Conversation, Ended, Heard};
pub use program::Program;
pub use running::{Running, end_all};

//! Judges of the user's own that are no Rust: a program that reads and writes JSON lines, a server that is posted JSON.
//!
//! Both are asked the same question and give the same answer; [`OwnJudge`] is the judge, an [`OwnChannel`] the way to
//! it.

mod channel;
mod endpoint;
mod judge;
mod process;
mod question;
mod reading;

pub use channel::OwnChannel;
pub use endpoint::EndpointChannel;
pub use judge::{ExpectedAnswers, OwnIdentity, OwnJudge, OwnSettings};
pub use process::ProcessChannel;

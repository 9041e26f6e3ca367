//! Judges of the user's own: programs with JSON lines, servers with JSON.
//!
//! Both get the same question and give the same answer; [`OwnJudge`] is the judge, and an [`OwnChannel`] carries
//! questions and replies.

mod channel;
mod endpoint;
mod judge;
mod process;
mod question;
mod reading;
mod scores;

pub use channel::OwnChannel;
pub use endpoint::EndpointChannel;
pub use judge::{ExpectedAnswers, OwnIdentity, OwnJudge, OwnSettings};
pub use process::ProcessChannel;
pub use scores::{ScoreForm, ScorePrice, ScoreReply, ScoreSize, Scores};

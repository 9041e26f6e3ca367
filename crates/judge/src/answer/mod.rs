//! Reads replies strictly: a verdict, or the reason for none.
//!
//! No answer is ever picked out of prose. `reply` reads any reply to a judge's prompt; `grade`, `comparison`,
//! `question` and `facts` read one answer each. Below them, `reasoning` knows the marks around a model's thinking,
//! `scan` finds the JSON objects outside it, and `strict` and `member` read JSON. `decide` picks the object that
//! answers, and `alone` checks that no other text surrounds it. `probabilities` reads how sure a model was of its
//! answer.

mod comparison;
mod decide;
mod facts;
mod grade;
mod probabilities;
mod question;
mod reasoning;
mod refusal;
mod reply;
mod scan;

pub use comparison::read_comparison;
pub use decide::RawReply;
pub use facts::read_facts;
pub use grade::read_grade;
pub use probabilities::{Token, answer_probabilities, grade_probabilities};
pub use question::read_question;
pub use reply::{READER_VERSION, read_reply};

//! Reading replies, strictly: a verdict, or the reason why there is none. No number is ever picked out of prose.
//!
//! `reasoning` knows the marks around a model's thinking, `scan` walks over a reply and finds the objects outside it,
//! `strict` reads JSON, `graded` decides what the objects amount to.

mod detail;
mod graded;
mod reasoning;
mod refusal;
mod scan;
mod strict;

pub use graded::{RawReply, read_answer};

//! `llull diff`: which labels change from one side to the other, and what that does to systems.

mod command;
mod files;
mod sample;
mod sides;
mod study;

pub(crate) use command::run;

//! `llull diff`: shows changed labels, and their effect on systems.

mod command;
mod files;
mod sample;
mod sides;
mod study;

pub(crate) use command::run;

//! `llull train`: combines many answers about a pair to one.

mod apply;
mod command;
mod show;
mod student;

pub(crate) use command::run;

//! `llull audit`: checks judges by their answers.

mod command;
mod judges;
mod show;

pub(crate) use command::run;

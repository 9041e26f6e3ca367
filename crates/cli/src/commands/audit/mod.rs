//! `llull audit`: what answers say about judges.

mod command;
mod meaning;
mod show;

pub(crate) use command::run;

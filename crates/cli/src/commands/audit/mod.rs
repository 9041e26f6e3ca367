//! `llull audit`: what answers say about judges.

mod command;
mod show;

pub(crate) use command::run;

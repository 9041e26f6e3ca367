//! `llull evaluate`

mod answers_table;
mod command;
mod matcher;
mod render;

pub(crate) use command::run;

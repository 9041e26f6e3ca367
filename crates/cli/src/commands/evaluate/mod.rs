//! `llull evaluate`

mod answers_table;
mod command;
mod matcher;
mod render;
mod retrievers;

pub(crate) use command::run;

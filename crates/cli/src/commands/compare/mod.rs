//! `llull compare`

mod command;
mod inputs;
mod render;

pub(crate) use command::run;

//! `llull compare`

mod command;
mod corrections;
mod inputs;
mod render;

pub(crate) use command::run;

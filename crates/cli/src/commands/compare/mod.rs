//! `llull compare`

mod command;
mod inputs;
mod render;
mod study_people;

pub(crate) use command::run;

//! `llull compare`

mod command;
mod corrections;
mod inputs;
mod render;
mod study_people;

pub(crate) use command::run;

//! `llull compare`

mod command;
mod corrections;
mod inputs;
mod render;
mod study_annotators;

pub(crate) use command::run;

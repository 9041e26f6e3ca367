//! `llull compare`

mod command;
mod corrections;
mod inputs;
mod missing_bounds;
mod render;
mod study_people;

pub(crate) use command::run;

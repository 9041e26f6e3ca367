//! `llull plan`

mod command;
mod figures;
mod paradigms;
mod progress;
mod setup;
mod table;

pub(crate) use command::run;

//! `llull export`: labels, runs, training sets and requests for other tools.

mod command;
mod fine_tune;
mod inputs;
mod judgment_list;
mod pairs;
mod ratings;
mod rows;
mod written;

pub(crate) use command::run;

//! `llull rank`

mod command;
mod comparisons;
mod labels;

pub(crate) use command::run;

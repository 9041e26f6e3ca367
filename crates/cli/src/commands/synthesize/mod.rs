//! `llull synthesize`

mod asking;
mod command;
mod models;
mod output;

pub(crate) use command::run;

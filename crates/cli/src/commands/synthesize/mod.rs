//! `llull synthesize`

mod asking;
mod command;
mod models;
mod neighbours;
mod output;

pub(crate) use command::run;

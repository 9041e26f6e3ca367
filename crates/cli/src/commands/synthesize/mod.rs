//! `llull synthesize`

mod command;
mod models;
mod neighbours;
mod output;
mod writing_session;

pub(crate) use command::run;

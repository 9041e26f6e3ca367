//! `llull run`, and the summary that other commands print, too.
//!
//! These are `llull report` and `llull demo`.

mod command;
mod evidence_text;
mod figures_table;
mod summary;

pub(crate) use command::run;
pub(crate) use summary::{Detail, show, show_in_ci};

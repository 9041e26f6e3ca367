//! `llull measure`: systems under labels.

mod arguments;
mod figures;
mod forms;
mod measured;
mod names;
mod rows;
mod run;
mod unlabelled;

pub(crate) use names::{parse, parse_each};
pub(crate) use run::run;
pub(crate) use unlabelled::warn_of_unlabelled;

//! `llull judge`, and the judgments that other commands work with.

mod command;
mod estimate_text;
mod stop_text;
mod study_evidence;

pub(crate) use command::{dry_run, run};
pub(crate) use study_evidence::{ask, asked_judges, exit_of, exit_of_report, inputs, what_is_known};

//! Judging, and the judgments that other commands work with.

mod command;
mod estimate_text;
mod listed_pairs;
mod study_evidence;

pub(crate) use command::{dry_run, note_base, run};
pub(crate) use estimate_text::estimate_text;
pub(crate) use listed_pairs::run_pairs;
pub(crate) use study_evidence::{
    LoadedStudy, announce_key, ask, ask_about, ask_of, ask_until, asked_judges, exit_of, exit_of_report,
    inputs, load_study, print_endpoint, probe, remarks, show_estimates, warn_of_checks,
};

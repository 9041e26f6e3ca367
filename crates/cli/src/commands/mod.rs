//! The commands, one file or folder each.

mod agree;
mod checks;
mod compare;
mod completions;
mod context;
mod demo;
mod dispatch;
mod doctor;
mod init;
mod judge;
mod label;
mod ledger;
mod measure;
mod plan;
mod pool;
mod prompt;
mod rank;
mod report;
mod resampling;
mod retrieve;
mod run;

pub(crate) use checks::{each_rater_once, each_run_once, one_standard_input, place};
pub(crate) use context::Context;
pub(crate) use dispatch::dispatch;
pub(crate) use resampling::{bootstrap, correction};

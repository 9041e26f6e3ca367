//! `llull agree`: labels and systems, or with `--preferences` pairwise answers.

mod command;
mod inputs;
mod labels;
mod preferences;
mod same_file;

pub(crate) use command::run;

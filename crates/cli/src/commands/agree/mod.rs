//! `llull agree`: labels and systems, or with `--preferences` pairwise answers.

mod inputs;
mod labels;
mod preferences;
mod run;
mod same_file;

pub(crate) use run::run;

//! `llull agree`: labels and systems, or with `--preferences` pairwise answers, or with `--people` a study's judges and
//! what people said of documents side by side.

mod command;
mod inputs;
mod labels;
mod people;
mod preferences;

pub(crate) use command::run;

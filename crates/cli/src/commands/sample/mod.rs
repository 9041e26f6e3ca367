//! `llull sample`: draws pairs for annotators, and reads their labels.

mod command;
mod of_files;
mod of_study;
mod plan_text;
mod request;
mod status_text;

pub(super) use command::run;

//! `llull evaluate`

mod annotators;
mod asked;
mod command;
mod facts;
mod judged;
mod named;
mod render;
mod report_files;
mod retrievers;

pub(crate) use command::run;

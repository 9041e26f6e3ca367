//! `llull agree`: compares labels, systems, pairwise answers, or annotators.
//!
//! Pairwise answers are compared with `--preferences`, and a study's judges with annotators' side-by-side answers with
//! `--people`.

mod annotators;
mod command;
mod inputs;
mod labels;
mod preferences;

pub(crate) use command::run;

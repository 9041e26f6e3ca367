//! `llull rank`

mod command;
mod comparisons;
mod connectedness;
mod contradictions;
mod graphs;
mod json;
mod judges;
mod labels;
mod preference_files;
mod ranking;
mod score_order;
mod table;

pub(crate) use command::run;

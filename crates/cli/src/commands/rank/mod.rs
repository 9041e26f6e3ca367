//! `llull rank`

mod command;
mod comparisons;
mod contradictions;
mod json;
mod judges;
mod labels;
mod ranking;
mod score_order;
mod table;

pub(crate) use command::run;

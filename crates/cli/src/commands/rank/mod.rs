//! `llull rank`: from comparisons to tiers or ratings.

mod input;
mod ranked;
mod render;
mod run;
mod tier_labels;

pub(crate) use run::run;

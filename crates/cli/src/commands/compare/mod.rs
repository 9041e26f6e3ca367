//! `llull compare`: whether one system is better than another.

mod render;
mod run;

pub(crate) use run::run;

//! `cargo xtask tidy`: checks rules by reading the files.
//!
//! The rules are those of ARCHITECTURE.md and CONTRIBUTING.md.

mod check;
mod complaint;
mod cycles;
mod graph;
mod layers;
mod length;
mod line_width;
mod links;
mod module_style;
mod module_tree;
mod names;
mod phrases;
mod resolve;
mod sources;
mod syntax;
mod word_budget;

pub(crate) use check::run;

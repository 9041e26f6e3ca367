//! `cargo xtask tidy`: the rules of ARCHITECTURE.md and CONTRIBUTING.md that can be read off the files.

mod check;
mod circles;
mod complaint;
mod graph;
mod layers;
mod length;
mod line_width;
mod module_style;
mod module_tree;
mod names;
mod phrases;
mod resolve;
mod sources;
mod syntax;

pub(crate) use check::run;

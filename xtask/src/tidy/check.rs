//! Runs all rules.

use anyhow::Result;

use super::complaint::Complaint;
use super::sources::{self, Source};
use super::{cycles, layers, length, line_width, links, module_style, names, phrases, word_budget};

/// Checks the repository that the current directory belongs to. Complaints are in the order of the rules, then of the
/// files.
///
/// # Errors
///
/// Returns an error if the repository cannot be read.
pub(crate) fn run() -> Result<Vec<Complaint>> {
    std::env::set_current_dir(sources::root()?)?;
    Ok(check(&sources::read()?))
}

fn check(sources: &[Source]) -> Vec<Complaint> {
    let rules = [
        cycles::check,
        module_style::check,
        length::check,
        line_width::check,
        links::check,
        names::check,
        layers::check,
        phrases::check,
        word_budget::check,
    ];
    rules.iter().flat_map(|rule| rule(sources)).collect()
}

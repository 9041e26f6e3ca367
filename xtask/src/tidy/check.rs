//! All rules, and which of them decide.

use anyhow::Result;

use super::complaint::Complaint;
use super::sources::{self, Source};
use super::{circles, duplicate_types, layers, length, line_width, module_style, names};

/// Rules that are reported by `--all` and `--list` only, until every crate keeps them.
const OFF: [&str; 6] = [
    circles::RULE,
    duplicate_types::RULE,
    length::FILE,
    length::MEDIAN,
    line_width::RULE,
    module_style::RULE,
];

/// What is to be reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The rules that decide.
    On,
    /// Every rule, of these owners only, or of all if none is named.
    All(Vec<String>),
}

/// Checks the repository that the current directory belongs to. Complaints are in the order of the rules, then of the
/// files.
///
/// # Errors
///
/// Returns an error if the repository cannot be read.
pub(crate) fn run(choice: &Choice) -> Result<Vec<Complaint>> {
    std::env::set_current_dir(sources::root()?)?;
    let mut complaints = check(&sources::read()?);
    match choice {
        Choice::On => complaints.retain(|complaint| !OFF.contains(&complaint.rule)),
        Choice::All(owners) if owners.is_empty() => {}
        // A duplicate name belongs to several crates, which are its owner's parts.
        Choice::All(owners) => complaints.retain(|complaint| {
            complaint.owner.split(' ').any(|part| owners.iter().any(|owner| owner == part))
        }),
    }
    Ok(complaints)
}

fn check(sources: &[Source]) -> Vec<Complaint> {
    let rules = [
        circles::check,
        duplicate_types::check,
        module_style::check,
        length::check,
        line_width::check,
        names::check,
        layers::check,
    ];
    rules.iter().flat_map(|rule| rule(sources)).collect()
}

//! A public type's name belongs to one crate, so that a name says which type is meant.

use std::collections::{BTreeMap, BTreeSet};

use super::complaint::{Complaint, owner};
use super::module_tree::{self, Crate, ModuleId};
use super::resolve::Target;
use super::sources::Source;

/// The name of the rule.
pub(super) const RULE: &str = "duplicates";

/// Checks the public types of all crates. What a crate re-exports from another one is not its own.
pub(super) fn check(sources: &[Source]) -> Vec<Complaint> {
    let mut owners: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let crates = module_tree::crates(sources);
    for found in crates.iter().filter(|found| found.folder.starts_with("crates/")) {
        for (name, file) in public_types(found) {
            owners.entry(name).or_default().insert(owner(&found.folder).to_owned(), file);
        }
    }
    let duplicates = owners.into_iter().filter(|(_, owners)| owners.len() > 1);
    let complaint = |(name, owners): (String, BTreeMap<String, String>)| {
        let files: Vec<&str> = owners.values().map(String::as_str).collect();
        let message = format!("this public type is in {} crates: {}", owners.len(), files.join(", "));
        Complaint { rule: RULE, place: name, message }
    };
    duplicates.map(complaint).collect()
}

/// The public types of a crate by name, with the files that define them.
fn public_types(found: &Crate) -> BTreeMap<String, String> {
    let mut types = BTreeMap::new();
    let mut seen = BTreeSet::new();
    collect(found, 0, &mut seen, &mut types);
    types
}

fn collect(found: &Crate, id: ModuleId, seen: &mut BTreeSet<ModuleId>, types: &mut BTreeMap<String, String>) {
    let Some(module) = found.modules.get(id).filter(|_| seen.insert(id)) else { return };
    for (name, definition) in &module.definitions {
        if definition.is_pub && definition.is_type {
            types.insert(name.clone(), module.file.clone());
        }
    }
    for (child, is_pub) in module.children.values() {
        if *is_pub {
            collect(found, *child, seen, types);
        }
    }
    for (leaf, _) in module.uses.iter().filter(|(_, is_pub)| *is_pub) {
        match (found.resolve(id, &leaf.path), &leaf.name) {
            (Some(Target::Module(other)), _) => collect(found, other, seen, types),
            (Some(Target::Item(other, item)), Some(name)) => {
                let definer = found.modules.get(other);
                if let Some(module) = definer.filter(|module| module.definitions[&item].is_type) {
                    types.insert(name.clone(), module.file.clone());
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_of_two_crates() {
        let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
        let sources = [
            source("crates/a/Cargo.toml", ""),
            source("crates/a/src/lib.rs", "mod one; pub use one::{Row, Other as Renamed, row};"),
            source(
                "crates/a/src/one.rs",
                "pub struct Row; pub struct Other; pub struct Hidden; pub fn row() {}",
            ),
            source("crates/b/Cargo.toml", ""),
            source("crates/b/src/lib.rs", "pub mod two; pub use a::Renamed;"),
            source(
                "crates/b/src/two.rs",
                "pub enum Row {} pub struct Hidden; pub(crate) struct Other; pub fn row() {}",
            ),
        ];
        let found: Vec<String> = check(&sources).iter().map(ToString::to_string).collect();
        let expected =
            "Row: this public type is in 2 crates: crates/a/src/one.rs, crates/b/src/two.rs [duplicates]";
        assert_eq!(found, [expected]);
    }
}

//! Resolves a path to the module that defines its item.
//!
//! It follows re-exports.

use std::collections::BTreeSet;

use super::module_tree::{Crate, ModuleId};
use super::syntax::UseLeaf;

/// The target of a path of this crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    Module(ModuleId),
    /// An item that is defined in this module.
    Item(ModuleId, String),
}

/// Names that were looked up in a module, and are not there or are still being looked up. Imports that go round end at
/// them, and no module is searched twice, however many globs lead to it.
type Searched = BTreeSet<(ModuleId, String)>;

impl Crate {
    /// The target of a path in this module; `None` if it is not in this crate.
    pub(super) fn resolve(&self, from: ModuleId, path: &[String]) -> Option<Target> {
        self.resolve_within(from, path, &mut Searched::new())
    }

    fn resolve_within(&self, from: ModuleId, path: &[String], searched: &mut Searched) -> Option<Target> {
        let mut at = from;
        let mut rest = path;
        let mut anchored = false;
        while let Some((first, others)) = rest.split_first() {
            match first.as_str() {
                "crate" => at = 0,
                "self" => {}
                "super" => at = self.modules.get(at)?.parent?,
                _ => break,
            }
            (rest, anchored) = (others, true);
        }
        if !anchored && path.is_empty() {
            return None;
        }
        while let Some((name, others)) = rest.split_first() {
            match self.member(at, name, searched)? {
                Target::Module(module) => (at, rest) = (module, others),
                // The rest are variants, associated items and the like.
                item @ Target::Item(..) => return Some(item),
            }
        }
        Some(Target::Module(at))
    }

    /// The meaning of a name in a module: a child, a definition, or an import.
    fn member(&self, module: ModuleId, name: &str, searched: &mut Searched) -> Option<Target> {
        let key = (module, name.to_owned());
        if !searched.insert(key.clone()) {
            return None;
        }
        let found = self.member_of(module, name, searched)?;
        searched.remove(&key);
        Some(found)
    }

    fn member_of(&self, module: ModuleId, name: &str, searched: &mut Searched) -> Option<Target> {
        let found = self.modules.get(module)?;
        if found.definitions.contains(name) {
            return Some(Target::Item(module, name.to_owned()));
        }
        if let Some(child) = found.children.get(name) {
            return Some(Target::Module(*child));
        }
        let imported = |leaf: &UseLeaf| leaf.name.as_deref() == Some(name);
        if let Some(leaf) = found.uses.iter().find(|leaf| imported(leaf)) {
            // `use x;` names a crate, or a sibling module
            let same = leaf.path.len() == 1 && leaf.path.first().is_some_and(|first| first == name);
            return if same { None } else { self.resolve_within(module, &leaf.path, searched) };
        }
        let mut globs = found.uses.iter().filter(|leaf| leaf.name.is_none());
        globs.find_map(|leaf| match self.resolve_within(module, &leaf.path, searched)? {
            Target::Module(other) if other != module => self.member(other, name, searched),
            _ => None,
        })
    }
}

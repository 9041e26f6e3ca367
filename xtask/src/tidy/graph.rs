//! The graph of files that use each other, and its cycles.

use std::collections::{BTreeMap, BTreeSet};

use super::module_tree::{Crate, ModuleId};
use super::resolve::Target;

/// Edges from a node to those that it uses, with the names that it uses them for.
pub(super) type Graph<'a> = BTreeMap<&'a str, BTreeMap<&'a str, BTreeSet<String>>>;

/// The files of a crate. A file uses another one if its code, outside tests, names an item defined there; a module's
/// re-exports from below it do not count.
pub(super) fn of_files(found: &Crate) -> Graph<'_> {
    let mut graph = Graph::new();
    for (id, module) in found.modules.iter().enumerate() {
        for leaf in &module.uses {
            let Some(target) = found.resolve(id, &leaf.path) else { continue };
            if is_reexport_from_below(found, id, &target) {
                continue;
            }
            match (target, &leaf.name) {
                (Target::Item(to, name), _) => add(&mut graph, found, id, to, name),
                // Its used items appear among the paths.
                (Target::Module(_), Some(_)) => {}
                (Target::Module(all), None) => add_glob(&mut graph, found, id, all),
            }
        }
        for path in &module.paths {
            if let Some(Target::Item(to, name)) = found.resolve(id, path) {
                add(&mut graph, found, id, to, name);
            }
        }
    }
    graph
}

/// Everything that `use module::*` brings in.
fn add_glob<'a>(graph: &mut Graph<'a>, found: &'a Crate, from: ModuleId, all: ModuleId) {
    let Some(module) = found.modules.get(all) else { return };
    if !module.definitions.is_empty() {
        add(graph, found, from, all, "*".to_owned());
    }
    for leaf in &module.uses {
        if let Some(Target::Item(to, name)) = found.resolve(all, &leaf.path) {
            add(graph, found, from, to, name);
        }
    }
}

/// Whether a module only re-exports items from below it, without code of its own.
fn is_reexport_from_below(found: &Crate, from: ModuleId, target: &Target) -> bool {
    let (Target::Item(to, _) | Target::Module(to)) = target;
    let holds_code = found.modules.get(from).is_some_and(|module| !module.definitions.is_empty());
    *to != from && found.is_within(*to, from) && !holds_code
}

fn add<'a>(graph: &mut Graph<'a>, found: &'a Crate, from: ModuleId, to: ModuleId, name: String) {
    if let (Some(from), Some(to)) = (found.modules.get(from), found.modules.get(to))
        && from.file != to.file
    {
        graph.entry(&from.file).or_default().entry(&to.file).or_default().insert(name);
    }
}

/// The cycles of a graph: sets of two nodes or more each of which leads to every other.
pub(super) fn cycles<'a>(graph: &Graph<'a>) -> Vec<BTreeSet<&'a str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        graph.keys().map(|node| (*node, reachable(graph, node))).collect();
    let mut cycles: Vec<BTreeSet<&str>> = Vec::new();
    for (node, others) in &reached {
        let cycle: BTreeSet<&str> = others
            .iter()
            .filter(|other| reached.get(*other).is_some_and(|back| back.contains(node)))
            .copied()
            .collect();
        if cycle.len() > 1 && !cycles.contains(&cycle) {
            cycles.push(cycle);
        }
    }
    cycles
}

fn reachable<'a>(graph: &Graph<'a>, from: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for next in graph.get(node).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(*next) {
                open.push(next);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_of_two_and_of_three() {
        let mut graph = Graph::new();
        for (from, to) in [("a", "b"), ("b", "a"), ("b", "c"), ("d", "e"), ("e", "f"), ("f", "d"), ("f", "g")]
        {
            graph.entry(from).or_default().entry(to).or_default();
        }
        assert_eq!(cycles(&graph), [BTreeSet::from(["a", "b"]), BTreeSet::from(["d", "e", "f"])]);
    }
}

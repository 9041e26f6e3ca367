//! Finds import cycles between the top-level modules of a crate.
//!
//! A folder counts as one module. Inside a module files may use each other. The crate's `error` may name the errors of
//! its rooms, which name it back by `?`.

use std::collections::{BTreeMap, BTreeSet};

use super::complaint::Complaint;
use super::graph::{self, Graph};
use super::module_tree::{self, Crate, ModuleId};
use super::sources::Source;

/// The name of the rule.
pub(super) const RULE: &str = "cycles";

/// The most names that are shown for one edge between modules.
const NAMES: usize = 4;

/// Checks all crates.
pub(super) fn check(sources: &[Source]) -> Vec<Complaint> {
    module_tree::crates(sources).iter().flat_map(of_crate).collect()
}

fn of_crate(found: &Crate) -> Vec<Complaint> {
    let unread = found.unread.iter().map(|(file, error)| Complaint::new(RULE, file, error.as_str()));
    let files = graph::of_files(found);
    let mut complaints: Vec<Complaint> = unread.collect();
    complaints.extend(cycles(found, &among_siblings(found, 0, &files)));
    complaints
}

/// The graph of the files, from a module's view: each of its children is one node, with all modules below it.
fn among_siblings<'a>(found: &'a Crate, parent: ModuleId, files: &Graph<'_>) -> Graph<'a> {
    let mut child_of: BTreeMap<&str, &str> = BTreeMap::new();
    let Some(parent) = found.modules.get(parent) else { return Graph::new() };
    for (name, child) in &parent.children {
        for (id, module) in found.modules.iter().enumerate() {
            if module.file != parent.file && found.is_within(id, *child) {
                child_of.insert(&module.file, name);
            }
        }
    }
    let mut graph = Graph::new();
    for (from, edges) in files {
        for (to, names) in edges {
            if let (Some(from), Some(to)) = (child_of.get(from), child_of.get(to))
                && from != to
                && *from != "error"
            {
                graph.entry(from).or_default().entry(to).or_default().extend(names.iter().cloned());
            }
        }
    }
    graph
}

fn cycles(found: &Crate, graph: &Graph<'_>) -> Vec<Complaint> {
    let cycles = graph::cycles(graph);
    let described = cycles.iter().map(|cycle| {
        let message = format!("a cycle among top-level modules: {}", edges(found, graph, cycle));
        Complaint::new(RULE, &found.folder, message)
    });
    described.collect()
}

/// The edges of a cycle: `a -> b (X, Y); b -> a (Z)`.
fn edges(found: &Crate, graph: &Graph<'_>, cycle: &BTreeSet<&str>) -> String {
    let short = |file: &str| file.strip_prefix(&format!("{}/", found.folder)).unwrap_or(file).to_owned();
    let mut described = Vec::new();
    for from in cycle {
        for (to, names) in graph.get(from).into_iter().flatten().filter(|(to, _)| cycle.contains(*to)) {
            let more = if names.len() > NAMES { ", ..." } else { "" };
            let names: Vec<&str> = names.iter().take(NAMES).map(String::as_str).collect();
            described.push(format!("{} -> {} ({}{more})", short(from), short(to), names.join(", ")));
        }
    }
    described.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let source = |(name, text): &(&str, &str)| Source {
            path: format!("crates/x/{name}"),
            text: (*text).to_owned(),
        };
        let manifest = ("Cargo.toml", "");
        let sources: Vec<Source> = [manifest].iter().chain(files).map(source).collect();
        check(&sources).into_iter().map(|complaint| complaint.message).collect()
    }

    #[test]
    fn two_files() {
        let files = [
            ("src/lib.rs", "mod a; mod b; pub use a::A; pub use b::B;"),
            ("src/a.rs", "use crate::b::B; pub struct A(B);"),
            ("src/b.rs", "pub struct B; impl B { fn a(&self) -> crate::A { todo!() } }"),
        ];
        assert_eq!(found(&files), ["a cycle among top-level modules: a -> b (B); b -> a (A)"]);
    }

    #[test]
    fn the_error_of_a_crate_names_those_of_its_rooms() {
        let files = [
            ("src/lib.rs", "mod a; mod error;"),
            ("src/a.rs", "use crate::error::E; pub struct AError; fn f() -> E { todo!() }"),
            ("src/error.rs", "use crate::a::AError; pub enum E { A(AError) }"),
        ];
        assert!(found(&files).is_empty());
    }

    #[test]
    fn a_name_is_followed_to_the_file_that_defines_it() {
        // b imports from the folder's module an item that c defines, so the files have no cycle
        let files = [
            ("src/lib.rs", "mod a; mod b;"),
            ("src/a/mod.rs", "mod c; mod d; pub(crate) use c::C; pub(crate) use d::D;"),
            ("src/a/c.rs", "pub(crate) struct C;"),
            ("src/a/d.rs", "use super::C; use crate::b; pub(crate) struct D(C, b::B);"),
            ("src/b.rs", "use crate::a::C; pub(crate) struct B(C);"),
        ];
        assert_eq!(found(&files), ["a cycle among top-level modules: a -> b (B); b -> a (C)"]);
    }

    #[test]
    fn tests_documentation_and_reexports_do_not_count() {
        let files = [
            ("src/lib.rs", "//! crate::b\nmod a; mod b; pub use b::B;"),
            ("src/a.rs", "/// [`crate::b::B`]\npub struct A;\n#[cfg(test)] mod tests { use crate::b::B; }"),
            ("src/b.rs", "use super::a; pub struct B(a::A);"),
        ];
        assert!(found(&files).is_empty());
    }

    #[test]
    fn files_of_a_module_may_use_each_other() {
        let files = [
            ("src/lib.rs", "mod a;"),
            ("src/a.rs", "mod b; use b::B; pub struct A(B); pub const LIMIT: u8 = 1;"),
            ("src/a/b.rs", "use super::LIMIT; pub struct B;"),
        ];
        assert!(found(&files).is_empty());
    }
}

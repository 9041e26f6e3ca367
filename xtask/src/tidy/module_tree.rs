//! The modules of a crate, with their definitions, imports and names.

use std::collections::{BTreeMap, BTreeSet};

use super::sources::Source;
use super::syntax::{self, Item, Kind, UseLeaf};

/// The place of a module in [`Crate::modules`].
pub(super) type ModuleId = usize;

/// A crate: its modules, the root first.
pub(super) struct Crate {
    /// The folder of its sources, such as `crates/core/src`.
    pub(super) folder: String,
    pub(super) modules: Vec<Module>,
    /// Files that could not be read as Rust, with the lexer's message.
    pub(super) unread: Vec<(String, String)>,
}

pub(super) struct Module {
    /// The module that declares it.
    pub(super) parent: Option<ModuleId>,
    /// The file that it is in, from the root of the repository.
    pub(super) file: String,
    /// Modules declared in it.
    pub(super) children: BTreeMap<String, ModuleId>,
    /// The names of its definitions.
    pub(super) definitions: BTreeSet<String>,
    /// Its imports.
    pub(super) uses: Vec<UseLeaf>,
    /// Paths that its code names.
    pub(super) paths: Vec<Vec<String>>,
}

/// Reads the crates among the sources: those with a `src/lib.rs`, else a `src/main.rs`.
pub(super) fn crates(sources: &[Source]) -> Vec<Crate> {
    let texts: BTreeMap<&str, &str> =
        sources.iter().map(|source| (source.path.as_str(), source.text.as_str())).collect();
    let folders = sources.iter().filter_map(|source| source.path.strip_suffix("/Cargo.toml"));
    let root = |folder: &str| {
        let file = |name: &str| format!("{folder}/src/{name}.rs");
        [file("lib"), file("main")].into_iter().find(|file| texts.contains_key(file.as_str()))
    };
    folders.filter_map(|folder| Some(read(&texts, folder, root(folder)?))).collect()
}

fn read(texts: &BTreeMap<&str, &str>, folder: &str, root: String) -> Crate {
    let mut found = Crate { folder: format!("{folder}/src"), modules: Vec::new(), unread: Vec::new() };
    let below = found.folder.clone();
    found.add(texts, None, root, below);
    found
}

impl Crate {
    /// Adds the module of a file, and all below it. `folder` is where the files of its children are.
    fn add(
        &mut self,
        texts: &BTreeMap<&str, &str>,
        parent: Option<ModuleId>,
        file: String,
        folder: String,
    ) -> ModuleId {
        let items = syntax::items(texts.get(file.as_str()).copied().unwrap_or_default());
        let items = items.unwrap_or_else(|error| {
            self.unread.push((file.clone(), error));
            Vec::new()
        });
        self.add_items(texts, parent, file, &folder, items)
    }

    fn add_items(
        &mut self,
        texts: &BTreeMap<&str, &str>,
        parent: Option<ModuleId>,
        file: String,
        folder: &str,
        items: Vec<Item>,
    ) -> ModuleId {
        let id = self.modules.len();
        self.modules.push(Module {
            parent,
            file: file.clone(),
            children: BTreeMap::new(),
            definitions: BTreeSet::new(),
            uses: Vec::new(),
            paths: Vec::new(),
        });
        for item in items {
            let Item { kind, name, paths, inner_uses, .. } = item;
            match kind {
                Kind::Module(Some(items)) => {
                    let below = format!("{folder}/{name}");
                    let child = self.add_items(texts, Some(id), file.clone(), &below, items);
                    self.modules[id].children.insert(name, child);
                }
                Kind::Module(None) => {
                    let below = format!("{folder}/{name}");
                    let files = [format!("{below}.rs"), format!("{below}/mod.rs")];
                    if let Some(file) = files.into_iter().find(|file| texts.contains_key(file.as_str())) {
                        let child = self.add(texts, Some(id), file, below);
                        self.modules[id].children.insert(name, child);
                    }
                }
                Kind::Use(leaves) => {
                    self.modules[id].uses.extend(leaves);
                }
                Kind::Other => {
                    let module = &mut self.modules[id];
                    if !name.is_empty() {
                        module.definitions.insert(name);
                    }
                    module.paths.extend(paths);
                    module.uses.extend(inner_uses);
                }
            }
        }
        id
    }

    /// Whether a module is another one, or below it.
    pub(super) fn is_within(&self, module: ModuleId, ancestor: ModuleId) -> bool {
        let mut at = Some(module);
        while let Some(id) = at {
            if id == ancestor {
                return true;
            }
            at = self.modules.get(id).and_then(|module| module.parent);
        }
        false
    }
}

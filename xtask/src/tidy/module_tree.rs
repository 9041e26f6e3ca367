//! The modules of a crate, with what each defines, imports and names.

use std::collections::BTreeMap;

use super::sources::Source;
use super::syntax::{self, Item, Kind, UseLeaf};

/// The place of a module in [`Crate::modules`].
pub(super) type ModuleId = usize;

/// A crate: its modules, the root first.
pub(super) struct Crate {
    /// The folder of its sources, such as `crates/core/src`.
    pub(super) folder: String,
    /// The modules.
    pub(super) modules: Vec<Module>,
    /// Files that could not be read as Rust, with the lexer's message.
    pub(super) unread: Vec<(String, String)>,
}

/// A module.
pub(super) struct Module {
    /// Its name; `crate` for the root.
    pub(super) name: String,
    /// The module that declares it.
    pub(super) parent: Option<ModuleId>,
    /// The file that it is in, from the root of the repository.
    pub(super) file: String,
    /// Modules declared in it, and whether they are `pub`.
    pub(super) children: BTreeMap<String, (ModuleId, bool)>,
    /// What it defines.
    pub(super) definitions: BTreeMap<String, Definition>,
    /// What it imports, and whether it exports it (`pub`).
    pub(super) uses: Vec<(UseLeaf, bool)>,
    /// Paths that its code names.
    pub(super) paths: Vec<Vec<String>>,
}

/// An item that has a name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Definition {
    /// Whether it is `pub` without restriction.
    pub(super) is_pub: bool,
    /// Whether it is a struct, enum, union, trait or type alias.
    pub(super) is_type: bool,
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
    found.add(texts, "crate", None, root, below);
    found
}

impl Crate {
    /// Adds the module of a file, and all below it. `folder` is where the files of its children are.
    fn add(
        &mut self,
        texts: &BTreeMap<&str, &str>,
        name: &str,
        parent: Option<ModuleId>,
        file: String,
        folder: String,
    ) -> ModuleId {
        let items = syntax::items(texts.get(file.as_str()).copied().unwrap_or_default());
        let items = items.unwrap_or_else(|error| {
            self.unread.push((file.clone(), error));
            Vec::new()
        });
        self.add_items(texts, name, parent, file, &folder, items)
    }

    fn add_items(
        &mut self,
        texts: &BTreeMap<&str, &str>,
        name: &str,
        parent: Option<ModuleId>,
        file: String,
        folder: &str,
        items: Vec<Item>,
    ) -> ModuleId {
        let id = self.modules.len();
        self.modules.push(Module {
            name: name.to_owned(),
            parent,
            file: file.clone(),
            children: BTreeMap::new(),
            definitions: BTreeMap::new(),
            uses: Vec::new(),
            paths: Vec::new(),
        });
        for item in items {
            let Item { kind, name, is_pub, paths, inner_uses, .. } = item;
            match kind {
                Kind::Module(Some(items)) => {
                    let below = format!("{folder}/{name}");
                    let child = self.add_items(texts, &name, Some(id), file.clone(), &below, items);
                    self.modules[id].children.insert(name, (child, is_pub));
                }
                Kind::Module(None) => {
                    let below = format!("{folder}/{name}");
                    let files = [format!("{below}.rs"), format!("{below}/mod.rs")];
                    if let Some(file) = files.into_iter().find(|file| texts.contains_key(file.as_str())) {
                        let child = self.add(texts, &name, Some(id), file, below);
                        self.modules[id].children.insert(name, (child, is_pub));
                    }
                }
                Kind::Use(leaves) => {
                    self.modules[id].uses.extend(leaves.into_iter().map(|leaf| (leaf, is_pub)));
                }
                Kind::Type | Kind::Other => {
                    let module = &mut self.modules[id];
                    if !name.is_empty() {
                        let is_type = matches!(kind, Kind::Type);
                        module.definitions.insert(name, Definition { is_pub, is_type });
                    }
                    module.paths.extend(paths);
                    module.uses.extend(inner_uses.into_iter().map(|leaf| (leaf, false)));
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

//! The imports between files of a crate, read from the sources with `syn`: `use` trees, and paths in the code that begin with
//! `crate`, `super` or `self`. Tests are ignored, both inside a file and in files declared by `#[cfg(test)] mod`, and so are
//! the paths of `pub(in …)`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

use super::super::root;

/// A module's path from the root of its crate.
type Module = Vec<String>;

/// The imports of one crate.
pub(super) struct Graph {
    /// By file (its path below `src`): the files that it imports from.
    edges: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    /// Reads `crates/<name>/src`.
    pub(super) fn of_crate(name: &str) -> Self {
        let source = root().join("crates").join(name).join("src");
        let mut files = BTreeMap::new();
        collect(&source, &source, &mut files);
        assert!(!files.is_empty(), "there are no sources of {name}");
        let mut modules: BTreeMap<Module, (String, Imports)> =
            files.into_iter().map(|(path, imports)| (module_of(&path), (path, imports))).collect();
        let tests: BTreeSet<Module> = modules
            .iter()
            .flat_map(|(module, (_, imports))| {
                imports.tests.iter().map(|test| module.iter().chain([test]).cloned().collect())
            })
            .collect();
        modules.retain(|module, _| !(1..=module.len()).any(|length| tests.contains(&module[..length])));
        let mut edges = BTreeMap::new();
        for (module, (path, imports)) in &modules {
            let targets = imports.paths.iter().filter_map(|import| target(&modules, module, import, 0));
            let others = targets.map(|target| modules[&target].0.clone()).filter(|target| target != path);
            edges.insert(path.clone(), others.collect());
        }
        Graph { edges }
    }

    /// All imports: (importing file, imported file).
    pub(super) fn edges(&self) -> impl Iterator<Item = (&str, &str)> {
        self.edges.iter().flat_map(|(from, targets)| targets.iter().map(move |to| (from.as_str(), to.as_str())))
    }

    /// The import cycles: sets of more than one file that reach each other.
    pub(super) fn cycles(&self) -> Vec<Vec<&str>> {
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            self.edges.keys().map(|file| (file.as_str(), self.reached_from(file))).collect();
        let mut seen = BTreeSet::new();
        let mut cycles = Vec::new();
        for (file, reachable) in &reached {
            if !reachable.contains(file) || !seen.insert(*file) {
                continue;
            }
            let cycle: Vec<&str> = reachable.iter().copied().filter(|other| reached[other].contains(file)).collect();
            seen.extend(&cycle);
            cycles.push(cycle);
        }
        cycles
    }

    fn reached_from(&self, file: &str) -> BTreeSet<&str> {
        let mut reached = BTreeSet::new();
        let mut open: Vec<&str> = self.edges[file].iter().map(String::as_str).collect();
        while let Some(next) = open.pop() {
            if reached.insert(next) {
                open.extend(self.edges[next].iter().map(String::as_str));
            }
        }
        reached
    }
}

/// What one file imports.
#[derive(Default)]
struct Imports {
    /// Paths that begin with `crate`, `super` or `self`. Paths of child modules begin with `self`.
    paths: Vec<Vec<String>>,
    /// Names that the file brings into scope, with their origin. Child modules reach them through `super`.
    names: BTreeMap<String, Vec<String>>,
    /// How many inline modules enclose the current position.
    depth: usize,
    children: BTreeSet<String>,
    /// Child modules that exist only for tests.
    tests: BTreeSet<String>,
}

impl Imports {
    fn read(text: &str) -> Self {
        let file = syn::parse_file(text).expect("the sources compile");
        let mut imports = Imports::default();
        for item in &file.items {
            if let Item::Mod(module) = item
                && module.content.is_none()
            {
                let names = if is_test(&module.attrs) { &mut imports.tests } else { &mut imports.children };
                names.insert(module.ident.to_string());
            }
        }
        imports.visit_file(&file);
        imports
    }

    fn add(&mut self, mut path: Vec<String>) {
        match path.first().map(String::as_str) {
            Some("crate" | "super" | "self") => {}
            Some(first) if self.children.contains(first) => path.insert(0, "self".to_owned()),
            _ => return,
        }
        // Relative to the file, the `super` of an inline module is the file itself.
        for _ in 0..self.depth {
            if path.first().is_some_and(|first| first == "super") {
                path.remove(0);
            }
        }
        if path.first().is_some_and(|first| !matches!(first.as_str(), "crate" | "super" | "self")) {
            path.insert(0, "self".to_owned());
        }
        self.paths.push(path);
    }

    fn add_tree(&mut self, tree: &UseTree, before: &[String]) {
        let joined = |name: String| before.iter().cloned().chain([name]).collect::<Vec<_>>();
        match tree {
            UseTree::Path(path) => self.add_tree(&path.tree, &joined(path.ident.to_string())),
            UseTree::Group(group) => group.items.iter().for_each(|item| self.add_tree(item, before)),
            UseTree::Glob(_) => self.add(before.to_vec()),
            UseTree::Name(name) if name.ident == "self" => self.add(before.to_vec()),
            UseTree::Name(name) => self.add_name(&name.ident.to_string(), joined(name.ident.to_string())),
            UseTree::Rename(name) => self.add_name(&name.rename.to_string(), joined(name.ident.to_string())),
        }
    }

    fn add_name(&mut self, name: &str, path: Vec<String>) {
        let known = self.paths.len();
        self.add(path);
        if let (0, Some(path)) = (self.depth, self.paths.get(known)) {
            self.names.insert(name.to_owned(), path.clone());
        }
    }
}

impl<'ast> Visit<'ast> for Imports {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_test(&module.attrs) {
            self.depth += 1;
            visit::visit_item_mod(self, module);
            self.depth -= 1;
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_test(&item.attrs) {
            self.add_tree(&item.tree, &[]);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        if !is_test(&function.attrs) {
            visit::visit_item_fn(self, function);
        }
    }

    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            self.add(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|condition| condition.is_ident("test"))
    })
}

/// The module that defines the item of a path, following re-exports of a `mod.rs`.
fn target(
    modules: &BTreeMap<Module, (String, Imports)>,
    from: &[String],
    import: &[String],
    depth: usize,
) -> Option<Module> {
    const MOST_REEXPORTS: usize = 8;
    let mut base = if import.first()? == "crate" { Vec::new() } else { from.to_vec() };
    let mut rest = &import[usize::from(import[0] != "super")..];
    while rest.first().is_some_and(|name| name == "super") {
        base.pop();
        rest = &rest[1..];
    }
    base.extend_from_slice(rest);
    let length = (0..=base.len()).rev().find(|length| modules.contains_key(&base[..*length]))?;
    let (module, item) = base.split_at(length);
    let reexport = item.first().and_then(|name| modules[module].1.names.get(name));
    match reexport {
        Some(path) if depth < MOST_REEXPORTS => target(modules, module, path, depth + 1),
        _ => Some(module.to_vec()),
    }
}

fn module_of(path: &str) -> Module {
    let mut parts: Module = path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|last| last == "mod") || parts == ["lib"] {
        parts.pop();
    }
    parts
}

fn collect(folder: &Path, source: &Path, files: &mut BTreeMap<String, Imports>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, source, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(source).unwrap().to_str().unwrap().to_owned();
            files.insert(name, Imports::read(&std::fs::read_to_string(&path).unwrap()));
        }
    }
}

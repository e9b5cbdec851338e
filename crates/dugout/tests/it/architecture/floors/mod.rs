//! Arrows between files: a file imports from its own floor or from a lower one, and circles stay small enough to read.

mod graph;

use graph::Graph;

/// The floors of `auth`, lowest first. The files of one floor may import each other.
///
/// `protocol` is on the ground because settings and rows hold parsed protocol values: templates, certificates, credentials.
const AUTH: &[&[&str]] = &[
    &["model", "error", "config", "protocol"],
    &["store"],
    &["outside"],
    &["state", "flows"],
    &["routes"],
    &["service", "lib"],
];

/// Files that may import each other in a circle: a module and its closest relatives, no more.
const LARGEST_CIRCLE: usize = 4;

#[test]
fn no_arrow_of_auth_runs_up() {
    let graph = Graph::of_crate("auth");
    assert!(graph.arrows().count() > 1_000, "the test no longer sees the imports of auth");
    let floor = |file: &str| {
        let top = file.split('/').next().unwrap().trim_end_matches(".rs");
        let found = AUTH.iter().position(|floor| floor.contains(&top));
        found.unwrap_or_else(|| panic!("{file} is on no floor: add its folder to one"))
    };
    let up: Vec<String> = graph
        .arrows()
        .filter(|(from, to)| floor(from) < floor(to))
        .map(|(from, to)| format!("{from} imports {to}"))
        .collect();
    assert!(up.is_empty(), "these imports run up a floor:\n{}", up.join("\n"));
}

#[test]
fn circles_of_files_are_small() {
    let graph = Graph::of_crate("auth");
    let large: Vec<String> = graph
        .circles()
        .into_iter()
        .filter(|circle| circle.len() > LARGEST_CIRCLE)
        .map(|circle| format!("{} files: {}", circle.len(), circle.join(", ")))
        .collect();
    assert!(large.is_empty(), "files of auth import each other in circles:\n{}", large.join("\n"));
}

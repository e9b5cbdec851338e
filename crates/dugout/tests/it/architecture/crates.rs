//! Which crate may use which.

use std::collections::BTreeSet;

use cargo_metadata::{DependencyKind, MetadataCommand};

use super::root;

/// Every edge between our crates. A service never depends on a service, nothing depends on what lies above it.
const ALLOWED: &[(&str, &[&str])] = &[
    ("pg", &[]),
    ("gateway", &["pg"]),
    ("auth", &["gateway", "pg"]),
    ("rest", &["gateway", "pg"]),
    ("storage", &["gateway", "pg"]),
    ("realtime", &["gateway", "pg"]),
    ("server", &["auth", "gateway", "pg", "realtime", "rest", "storage"]),
    ("sabermetrics", &[]),
    ("dugout", &["auth", "gateway", "pg", "realtime", "rest", "sabermetrics", "server", "storage"]),
];

#[test]
fn crates_depend_only_downwards() {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().unwrap();
    let ours: BTreeSet<&str> = metadata.packages.iter().map(|package| package.name.as_str()).collect();
    let named: BTreeSet<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    assert_eq!(ours, named, "a crate is missing in this test's table, or the table names one that is gone");
    for package in &metadata.packages {
        let name = package.name.as_str();
        let (_, allowed) = ALLOWED.iter().find(|(of, _)| *of == name).unwrap();
        // A package that names itself turns on a feature for its own tests: no edge.
        let others = package.dependencies.iter().filter(|dependency| package.name != dependency.name);
        for dependency in others.filter(|dependency| ours.contains(dependency.name.as_str())) {
            assert_eq!(
                dependency.kind,
                DependencyKind::Normal,
                "{name} has our own {} as a {} dependency: black-box tests live in crates/dugout/tests/it",
                dependency.name,
                dependency.kind
            );
            assert!(
                allowed.contains(&dependency.name.as_str()),
                "{name} may not depend on {}: see the drawing in ARCHITECTURE.md",
                dependency.name
            );
        }
    }
}

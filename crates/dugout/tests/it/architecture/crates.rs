//! Which crate may use which.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, MetadataCommand};

use server::registry::SERVICES;

use super::root;

/// Edges between our crates that are no service. Nothing depends on what lies above it.
const ALLOWED: &[(&str, &[&str])] = &[
    ("pg", &[]),
    ("gateway", &["pg"]),
    ("sabermetrics", &[]),
    ("workbench", &["pg"]),
    ("server", BELOW),
    ("dugout", &["gateway", "pg", "rest", "sabermetrics", "server", "workbench"]),
];

/// What a service may depend on: never on another service.
const BELOW: &[&str] = &["gateway", "pg"];

/// Every edge that is allowed. The server alone depends on services, but for `dugout rest`, whose command line is PostgREST's own.
fn allowed() -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut allowed: BTreeMap<_, Vec<_>> = ALLOWED.iter().map(|(name, below)| (*name, below.to_vec())).collect();
    for service in SERVICES {
        allowed.insert(service.name, BELOW.to_vec());
        allowed.entry("server").or_default().push(service.name);
    }
    allowed
}

#[test]
fn crates_depend_only_downwards() {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().unwrap();
    let ours: BTreeSet<&str> = metadata.packages.iter().map(|package| package.name.as_str()).collect();
    let allowed = allowed();
    let named: BTreeSet<&str> = allowed.keys().copied().collect();
    assert_eq!(ours, named, "a crate is missing in this test's table, or the table names one that is gone");
    for package in &metadata.packages {
        let name = package.name.as_str();
        let allowed = &allowed[name];
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

//! Which crate may depend on which.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, MetadataCommand};

use server::registry::SERVICES;

use super::root;

/// Dependencies between our crates that are not services. Each depends only on lower ones.
const ALLOWED: &[(&str, &[&str])] = &[
    ("pg", &[]),
    ("gateway", &["pg"]),
    ("sabermetrics", &[]),
    ("workbench", &["pg"]),
    ("server", BELOW),
    ("dugout", &["gateway", "pg", "rest", "sabermetrics", "server", "workbench"]),
];

/// The crates that a service may depend on, never another service.
const BELOW: &[&str] = &["gateway", "pg"];

/// All allowed dependencies. Only the server depends on services, except that `dugout` needs `rest` for PostgREST's command line.
fn allowed() -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut allowed: BTreeMap<_, Vec<_>> = ALLOWED.iter().map(|(name, below)| (*name, below.to_vec())).collect();
    for service in SERVICES {
        allowed.insert(service.name, BELOW.to_vec());
        allowed.entry("server").or_default().push(service.name);
    }
    allowed
}

#[test]
fn crates_depend_on_lower_crates_only() {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().unwrap();
    let ours: BTreeSet<&str> = metadata.packages.iter().map(|package| package.name.as_str()).collect();
    let allowed = allowed();
    let named: BTreeSet<&str> = allowed.keys().copied().collect();
    assert_eq!(ours, named, "a crate is missing in this test's table, or the table names one that is gone");
    for package in &metadata.packages {
        let name = package.name.as_str();
        let allowed = &allowed[name];
        // A package that depends on itself enables a feature for its own tests.
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

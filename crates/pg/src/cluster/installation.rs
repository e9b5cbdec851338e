//! What is installed for the embedded cluster, without starting it.

use std::path::PathBuf;

use super::binaries::{self, Places, Version};
use super::config::ClusterConfig;
use super::error::ClusterError;
use super::extensions;

/// The PostgreSQL that a cluster would run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installation {
    /// The folder of its programs.
    pub programs: PathBuf,
    /// Its version.
    pub version: Version,
    /// Whether the extension `vector` can be created.
    pub has_vector: bool,
}

/// Looks for PostgreSQL as [`super::Cluster::start`] does.
///
/// # Errors
/// If no PostgreSQL is installed, or none that can run the cluster of the data directory.
pub fn installation(config: &ClusterConfig) -> Result<Installation, ClusterError> {
    let places = Places { explicit: config.bin_dir.as_deref(), npm_roots: &config.npm_roots };
    let binaries = binaries::find(&places, &config.data_dir.join("postgres"))?;
    let has_vector = extensions::is_installed(&binaries.folder, "vector");
    Ok(Installation { programs: binaries.folder, version: binaries.version, has_vector })
}

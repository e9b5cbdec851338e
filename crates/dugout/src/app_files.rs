//! The built frontend, embedded into release binaries and read from `frontend/dist` by debug ones.

use rust_embed::RustEmbed;
use server::{File, SiteFiles};

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../frontend/dist"]
#[allow_missing = true]
struct Dist;

/// The app's files.
pub struct AppFiles;

impl SiteFiles for AppFiles {
    fn get(&self, path: &str) -> Option<File> {
        let file = Dist::get(path)?;
        Some(File { content: file.data, hash: file.metadata.sha256_hash() })
    }
}

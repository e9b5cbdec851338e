//! Finds the project: the folder that contains `supabase/`.

use std::path::{Path, PathBuf};

use crate::exit::Failure;

/// The given folder, or the nearest one from `from` upwards that contains `supabase/config.toml`, as the Supabase CLI
/// searches for it. `None` if there is none: the server then has no migrations to apply.
///
/// # Errors
/// If the given folder contains no `supabase/`.
pub fn find(given: Option<&Path>, from: &Path) -> Result<Option<PathBuf>, Failure> {
    if let Some(given) = given {
        // `--project supabase` means the parent folder.
        let folder = if given.join("config.toml").is_file() && !given.join("supabase").is_dir() {
            given.join("..")
        } else {
            given.to_owned()
        };
        if !folder.join("supabase").is_dir() {
            return Err(Failure::new(format!(
                "--project {} holds no folder named supabase; give the folder that does, or run `supabase init` in it",
                given.display()
            )));
        }
        let folder = folder.canonicalize();
        return folder.map(Some).map_err(|error| Failure::new(format!("--project {}: {error}", given.display())));
    }
    Ok(from.ancestors().find(|folder| folder.join("supabase/config.toml").is_file()).map(Path::to_owned))
}

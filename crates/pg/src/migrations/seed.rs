//! Runs seed files: scripts that fill a new database. Patterns in `[db.seed] sql_paths` of config.toml name them.

use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use sha2::{Digest, Sha256};
use tokio_postgres::Client;

use super::error::MigrationError;
use super::run::{self, Record};
use super::skips::Skips;
use super::split::split;
use super::{create_tables, is_undefined_table, lock, open};
use crate::Target;

/// A seed file that is new or has changed. Paths are relative to the project, such as `supabase/seed.sql`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seeded {
    /// It ran.
    Run(String),
    /// It has run before with other contents. As in the CLI, only its hash is updated.
    HashUpdated(String),
}

/// Runs the seed files that have not run yet. `patterns` are relative to `supabase_folder`, as in config.toml. Files run in the
/// order of the patterns, each once and in its own transaction. A pattern without a file causes a warning.
///
/// # Errors
/// [`MigrationError::Failed`] names the file, the statement and the line; the files before it stay applied.
pub async fn seed(target: &Target, supabase_folder: &Path, patterns: &[String]) -> Result<Vec<Seeded>, MigrationError> {
    seed_skipping(target, supabase_folder, patterns, &mut Skips::default()).await
}

/// Like [`seed`]. `skips` decides whether statements that need a missing extension are skipped.
///
/// # Errors
/// Those of [`seed`].
pub async fn seed_skipping(
    target: &Target,
    supabase_folder: &Path,
    patterns: &[String],
    skips: &mut Skips,
) -> Result<Vec<Seeded>, MigrationError> {
    let files = find(supabase_folder, patterns);
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let client = open(target).await?;
    lock(&client).await?;
    let known = known(&client).await?;
    let mut seeded = Vec::new();
    for (name, path) in files {
        let bytes = fs::read(&path).map_err(|source| MigrationError::Unreadable { path: path.clone(), source })?;
        let hash = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let statements = match known.get(&name) {
            Some(found) if *found == hash => continue,
            Some(_) => Vec::new(),
            None => split(&run::read(&path)?),
        };
        if seeded.is_empty() {
            create_tables(&client, include_str!("queries/create_seed_files.sql")).await?;
        }
        let record = Record { sql: include_str!("queries/upsert_seed_file.sql"), params: &[&name, &hash] };
        run::script(&client, &path, &statements, &record, skips).await?;
        seeded.push(if known.contains_key(&name) { Seeded::HashUpdated(name) } else { Seeded::Run(name) });
    }
    Ok(seeded)
}

/// The hashes of the files that have run, by path.
async fn known(client: &Client) -> Result<HashMap<String, String>, MigrationError> {
    let doing = "reading supabase_migrations.seed_files";
    match client.query("select path, hash from supabase_migrations.seed_files", &[]).await {
        Ok(rows) => rows
            .iter()
            .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
            .collect::<Result<_, _>>()
            .map_err(MigrationError::driver(doing)),
        Err(error) if is_undefined_table(&error) => Ok(HashMap::new()),
        Err(error) => Err(MigrationError::driver(doing)(error)),
    }
}

/// The files that match the patterns, each once: the path as the CLI records it, and the path to open.
fn find(supabase_folder: &Path, patterns: &[String]) -> Vec<(String, PathBuf)> {
    // In the CLI's records, paths begin with the name of the supabase folder.
    let root = supabase_folder.parent().unwrap_or(supabase_folder);
    let folder = supabase_folder.file_name().unwrap_or_default();
    let mut files: Vec<(String, PathBuf)> = Vec::new();
    for pattern in patterns.iter().filter(|pattern| !pattern.is_empty()) {
        let relative = clean(&Path::new(folder).join(pattern));
        let mut found = matching(root, &relative);
        if found.is_empty() {
            tracing::warn!("no files matched the seed pattern {}", relative.display());
        }
        found.sort();
        for file in found {
            if !files.contains(&file) {
                files.push(file);
            }
        }
    }
    files
}

fn matching(root: &Path, relative: &Path) -> Vec<(String, PathBuf)> {
    let root = root.to_string_lossy();
    let prefix =
        if root.is_empty() || relative.is_absolute() { PathBuf::new() } else { glob::Pattern::escape(&root).into() };
    match glob::glob(&prefix.join(relative).to_string_lossy()) {
        Ok(paths) => paths
            .flatten()
            .filter(|path| path.is_file())
            .map(|path| (path.strip_prefix(&*root).unwrap_or(&path).to_string_lossy().into_owned(), path))
            .collect(),
        Err(error) => {
            tracing::warn!("the seed pattern {} is not valid: {error}", relative.display());
            Vec::new()
        }
    }
}

/// Removes `.` and `..` without looking at the file system.
fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if cleaned.file_name().is_some() => {
                cleaned.pop();
            }
            other => cleaned.push(other),
        }
    }
    cleaned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_find_each_file_once_and_in_order() {
        let root = tempfile::tempdir().unwrap();
        let project = root.path().join("odd [name]");
        let supabase = project.join("supabase");
        fs::create_dir_all(supabase.join("seeds")).unwrap();
        fs::create_dir_all(project.join("data")).unwrap();
        for file in ["supabase/seed.sql", "supabase/seeds/b.sql", "supabase/seeds/a.sql", "data/more.sql"] {
            fs::write(project.join(file), "").unwrap();
        }
        let patterns = ["./seeds/b.sql", "seeds/*.sql", "../data/*.sql", "seed.sql", "none.sql", ""].map(str::to_owned);
        let names: Vec<String> = find(&supabase, &patterns).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["supabase/seeds/b.sql", "supabase/seeds/a.sql", "data/more.sql", "supabase/seed.sql"]);
    }
}

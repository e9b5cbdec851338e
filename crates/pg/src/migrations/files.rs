//! Finds migrations in the folder, and those that the database lacks.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::MigrationError;

/// A file `<version>_<name>.sql` of the migrations folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migration {
    /// The digits before the first underscore, usually a timestamp.
    pub version: String,
    /// The part between that underscore and `.sql`.
    pub name: String,
    /// The file.
    pub path: PathBuf,
}

/// Whether files that are older than the last applied one are accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// They are an error, the CLI's default: they were written for another state of the database.
    #[default]
    Strict,
    /// They are applied first, as with the CLI's `--include-all`.
    IncludeAll,
}

/// The migrations of a folder in the order of their file names; none if the folder is missing. Files with other names are
/// skipped with a warning, as in the CLI (pkg/migration/list.go).
///
/// # Errors
/// [`MigrationError::Unreadable`].
pub fn local(folder: &Path) -> Result<Vec<Migration>, MigrationError> {
    let unreadable = |source| MigrationError::Unreadable { path: folder.to_owned(), source };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(unreadable)?;
        let is_folder = entry.file_type().map_err(unreadable)?.is_dir();
        names.push((entry.file_name().to_string_lossy().into_owned(), is_folder));
    }
    names.sort();
    let mut migrations = Vec::new();
    for (position, (name, is_folder)) in names.into_iter().enumerate() {
        if is_folder {
            continue;
        }
        if position == 0 && is_old_init(&name) {
            tracing::warn!("skipping migration {name}: replace \"init\" with a different file name to apply it");
            continue;
        }
        match parse(&name) {
            Some((version, title)) => {
                migrations.push(Migration { version, name: title, path: folder.join(&name) });
            }
            None => {
                tracing::warn!("skipping migration {name}: its name must match the pattern \"<timestamp>_name.sql\"")
            }
        }
    }
    Ok(migrations)
}

/// `^([0-9]+)_(.*)\.sql$`
fn parse(name: &str) -> Option<(String, String)> {
    let (version, title) = name.strip_suffix(".sql")?.split_once('_')?;
    let digits = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| (version.to_owned(), title.to_owned()))
}

/// Whether this is a dump of the whole platform, which early versions of the CLI wrote as the first migration.
fn is_old_init(name: &str) -> bool {
    let Some(stem) = name.strip_suffix("_init.sql") else { return false };
    let digits: String = stem.chars().rev().take_while(char::is_ascii_digit).take(14).collect();
    let timestamp: String = digits.chars().rev().collect();
    timestamp.len() == 14 && timestamp.as_str() < "20211209000000"
}

/// The local migrations that are not applied yet. Versions are compared as text, as in the CLI (pkg/migration/apply.go,
/// FindPendingMigrations).
pub(super) fn pending(
    local: Vec<Migration>,
    applied: &[String],
    order: Order,
    folder: &Path,
) -> Result<Vec<Migration>, MigrationError> {
    let known = |version: &String| local.iter().any(|migration| migration.version == *version);
    let missing: Vec<String> = applied.iter().filter(|version| !known(version)).cloned().collect();
    if !missing.is_empty() {
        return Err(MigrationError::MissingLocal { versions: missing, folder: folder.to_owned() });
    }
    let last = applied.iter().max().cloned().unwrap_or_default();
    let pending: Vec<Migration> = local.into_iter().filter(|migration| !applied.contains(&migration.version)).collect();
    let late: Vec<String> = pending
        .iter()
        .filter(|migration| migration.version < last)
        .map(|migration| migration.path.display().to_string())
        .collect();
    match order {
        Order::Strict if !late.is_empty() => Err(MigrationError::OutOfOrder(late)),
        _ => Ok(pending),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn migrations(versions: &[&str]) -> Vec<Migration> {
        let migration = |version: &&str| Migration {
            version: (*version).to_owned(),
            name: "x".to_owned(),
            path: format!("{version}_x.sql").into(),
        };
        versions.iter().map(migration).collect()
    }

    fn versions(local: &[&str], applied: &[&str], order: Order) -> Result<Vec<String>, String> {
        let applied: Vec<String> = applied.iter().map(|version| (*version).to_owned()).collect();
        pending(migrations(local), &applied, order, Path::new("supabase/migrations"))
            .map(|pending| pending.into_iter().map(|migration| migration.version).collect())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn names_are_accepted_and_skipped_as_by_the_cli() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "20210101000000_init.sql",
            "20230101000000_init.sql",
            "1_.sql",
            "2_two_words.sql",
            "3.sql",
            "_4.sql",
            "5a_x.sql",
            "6_x.SQL",
            "README.md",
        ] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::create_dir(folder.path().join("7_folder.sql")).unwrap();
        let found: Vec<(String, String)> =
            local(folder.path()).unwrap().into_iter().map(|found| (found.version, found.name)).collect();
        let expected = [("1", ""), ("20210101000000", "init"), ("20230101000000", "init"), ("2", "two_words")];
        assert_eq!(found, expected.map(|(version, name)| (version.to_owned(), name.to_owned())));
        fs::remove_file(folder.path().join("1_.sql")).unwrap();
        assert_eq!(
            local(folder.path()).unwrap()[0].version,
            "20230101000000",
            "an old init as the first file is skipped"
        );
        assert_eq!(local(&folder.path().join("none")).unwrap(), []);
    }

    #[test]
    fn pending_migrations_come_after_the_last_applied_one() {
        assert_eq!(versions(&["1", "2", "3"], &[], Order::Strict).unwrap(), ["1", "2", "3"]);
        assert_eq!(versions(&["1", "2", "3"], &["1", "2"], Order::Strict).unwrap(), ["3"]);
        assert_eq!(versions(&["1"], &["1"], Order::Strict).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn missing_and_late_versions_are_named() {
        let missing = versions(&["1", "4"], &["1", "2", "3"], Order::IncludeAll).unwrap_err();
        assert!(missing.contains("not found in local migrations directory: 2, 3"), "{missing}");
        assert!(missing.contains("repair --status reverted 2 3"), "{missing}");
        let late = versions(&["1", "2", "3"], &["1", "3"], Order::Strict).unwrap_err();
        assert!(late.contains("2_x.sql"), "{late}");
        assert_eq!(versions(&["1", "2", "3", "4"], &["1", "3"], Order::IncludeAll).unwrap(), ["2", "4"]);
    }
}

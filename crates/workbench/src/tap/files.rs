//! Which files are tests.

use std::io;
use std::path::{Path, PathBuf};

/// A path that was given does not lead to tests.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be read: {error}", .path.display())]
pub struct FilesError {
    path: PathBuf,
    error: io::Error,
}

/// The test files at `paths`, in order: a file as it is, of a folder every `.sql` and `.pg` below it by name.
///
/// # Errors
/// [`FilesError`] for a path that does not exist.
pub fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>, FilesError> {
    let mut found = Vec::new();
    for path in paths {
        let failed = |error| FilesError { path: path.clone(), error };
        if path.metadata().map_err(failed)?.is_dir() {
            below(path, &mut found).map_err(failed)?;
        } else {
            found.push(path.clone());
        }
    }
    Ok(found)
}

fn below(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries = folder.read_dir()?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // A link may lead back to a folder above.
        if entry.file_type()?.is_dir() {
            below(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "sql" || extension == "pg") {
            found.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_searched_by_name_and_files_are_taken_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("b")).unwrap();
        for name in ["c.sql", "a.pg", "b/x.sql", "b/note.md", "other.txt"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let names = |paths: &[&str]| {
            let paths: Vec<_> = paths.iter().map(|path| folder.path().join(path)).collect();
            let found = find(&paths).unwrap();
            let names = found.iter().map(|path| path.strip_prefix(folder.path()).unwrap().display().to_string());
            names.collect::<Vec<_>>()
        };
        assert_eq!(names(&[""]), ["a.pg", "b/x.sql", "c.sql"]);
        assert_eq!(names(&["other.txt", "b"]), ["other.txt", "b/x.sql"]);
        assert!(find(&[folder.path().join("none")]).is_err());
    }
}

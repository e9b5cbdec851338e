//! Makes found binaries usable: creates the npm package's links, and copies binaries that PostgreSQL's user cannot reach.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::binaries::Binaries;
use super::error::ClusterError;
use super::owner::Owner;

/// An entry of the package's `pg-symlinks.json`. Both paths begin with `native/`.
#[derive(Debug, Deserialize)]
struct Link {
    source: PathBuf,
    target: PathBuf,
}

/// The binaries to run: those that were found, or a copy of them below `data_dir`.
pub(super) fn prepare(found: Binaries, owner: &Owner, data_dir: &Path) -> Result<Binaries, ClusterError> {
    // Absolute, because PostgreSQL starts in another working directory.
    let folder = found.folder.canonicalize().map_err(ClusterError::io("read", &found.folder))?;
    let Some(tree) = folder.parent().filter(|tree| tree.join("share").is_dir()) else {
        // A system's installation: the path of share/ is compiled in, so a copy would not work.
        owner.require_passage(&folder)?;
        return Ok(Binaries { folder, ..found });
    };
    let linked = link_libraries(tree);
    if linked.is_ok() && owner.obstacle(&folder).is_none() {
        return Ok(Binaries { folder, ..found });
    }
    let copy = data_dir.join("postgres-bin").join(format!("{}-{:016x}", found.version, fingerprint(&folder)));
    if !copy.exists() {
        copy_whole(tree, &copy)?;
    }
    link_libraries(&copy).map_err(ClusterError::io("link libraries in", &copy))?;
    let folder = copy.join("bin");
    owner.require_passage(&folder)?;
    Ok(Binaries { folder, ..found })
}

/// Creates the links to libraries, as npm's postinstall script does. With `--ignore-scripts` that script does not run.
fn link_libraries(tree: &Path) -> io::Result<()> {
    let list = match fs::read(tree.join("pg-symlinks.json")) {
        Ok(list) => list,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let links: Vec<Link> = serde_json::from_slice(&list)?;
    for link in links {
        let (Ok(source), Ok(target)) = (link.source.strip_prefix("native"), link.target.strip_prefix("native")) else {
            continue;
        };
        let at = tree.join(target);
        if at.symlink_metadata().is_ok() {
            continue;
        }
        // Source and target are in the same folder, so the file name is the relative path.
        let Some(name) = source.file_name().filter(|_| source.parent() == target.parent()) else { continue };
        match symlink(name, &at) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => other?,
        }
    }
    Ok(())
}

/// Identifies an installation, so that a changed one is copied again.
fn fingerprint(folder: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    folder.hash(&mut hasher);
    if let Ok(found) = fs::metadata(folder.join("postgres")) {
        (found.len(), found.mtime(), found.mtime_nsec()).hash(&mut hasher);
    }
    hasher.finish()
}

/// Copies to a temporary folder and renames it, so that an existing copy is complete.
fn copy_whole(tree: &Path, copy: &Path) -> Result<(), ClusterError> {
    let parent = copy.parent().unwrap_or(copy);
    fs::create_dir_all(parent).map_err(ClusterError::io("create", parent))?;
    readable(parent).map_err(ClusterError::io("open", parent))?;
    let unfinished = copy.with_extension("unfinished");
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished).map_err(ClusterError::io("remove", &unfinished))?;
    }
    copy_tree(tree, &unfinished).map_err(ClusterError::io("copy PostgreSQL's binaries to", &unfinished))?;
    fs::rename(&unfinished, copy).map_err(ClusterError::io("rename", &unfinished))
}

fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    let kind = fs::symlink_metadata(from)?.file_type();
    if kind.is_symlink() {
        return symlink(fs::read_link(from)?, to);
    }
    if !kind.is_dir() {
        fs::copy(from, to)?;
        return readable(to);
    }
    fs::create_dir(to)?;
    readable(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy_tree(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// Lets every user read the file, and execute or enter it if the owner may. PostgreSQL's binaries are not secret.
fn readable(path: &Path) -> io::Result<()> {
    let mode = fs::metadata(path)?.permissions().mode();
    let run = if mode & 0o100 != 0 { 0o111 } else { 0 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode | 0o444 | run))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::binaries::Version;

    fn package(root: &Path) -> Binaries {
        for folder in ["bin", "lib", "share"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        fs::write(root.join("bin/postgres"), "").unwrap();
        fs::write(root.join("lib/libpq.so.5.17"), "library").unwrap();
        let list = r#"[{"source":"native/lib/libpq.so.5.17","target":"native/lib/libpq.so.5"},
                       {"source":"native/lib/libpq.so.5.17","target":"../outside"}]"#;
        fs::write(root.join("pg-symlinks.json"), list).unwrap();
        Binaries { folder: root.join("bin"), version: Version { major: 17, minor: 10 } }
    }

    #[test]
    fn missing_links_are_created_inside_the_package_only() {
        let root = tempfile::tempdir().unwrap();
        let tree = root.path().join("native");
        package(&tree);
        link_libraries(&tree).unwrap();
        link_libraries(&tree).unwrap();
        assert_eq!(fs::read_to_string(tree.join("lib/libpq.so.5")).unwrap(), "library");
        assert!(!root.path().join("outside").exists());
    }

    #[test]
    fn a_copy_is_complete_and_readable() {
        let root = tempfile::tempdir().unwrap();
        let tree = root.path().join("native");
        package(&tree);
        fs::set_permissions(tree.join("lib"), fs::Permissions::from_mode(0o700)).unwrap();
        let copy = root.path().join("bin/17.10");
        fs::create_dir_all(copy.with_extension("unfinished").join("left over")).unwrap();
        copy_whole(&tree, &copy).unwrap();
        assert_eq!(fs::metadata(copy.join("lib")).unwrap().permissions().mode() & 0o777, 0o755);
        assert_eq!(fs::read_to_string(copy.join("lib/libpq.so.5.17")).unwrap(), "library");
        assert!(!copy.join("left over").exists());
    }
}

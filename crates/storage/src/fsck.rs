//! `dugout storage fsck`: rows without files, and files without rows. Crashes only cause the latter; the former are caused by a
//! restored database, a lost disk or a wrong folder.

use std::fmt::Write;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::StreamExt;
use pg::pool::{Connection, Transaction};
use pg::{Access, Isolation, Pool, Session};
use uuid::Uuid;

use crate::backend::{Files, Parts, Place, Remote};
use crate::config::Config;
use crate::error::StorageError;
use crate::store::{sweep, uploads};

/// Number of rows or files per query.
const BATCH: usize = 1000;

/// Options.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// Remove rows without files, and files without rows.
    pub(crate) repair: bool,
    /// Repair even if more than half of the rows or files would go.
    pub(crate) force: bool,
    /// Ignore files that changed within this time: an upload may be about to write their row.
    pub(crate) grace: Duration,
}

/// The result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// Number of rows.
    pub(crate) rows: u64,
    /// Number of files.
    pub(crate) files: u64,
    /// Objects without a file, as `bucket/key`.
    pub(crate) without_file: Vec<String>,
    /// Files without an object.
    pub(crate) without_row: Vec<PathBuf>,
    /// Files of interrupted uploads.
    pub(crate) unfinished: Vec<PathBuf>,
}

impl Found {
    /// Why a repair would more likely destroy than mend: `None` if at least half of the rows and files have each other.
    fn doubt(&self, folder: &Path) -> Option<String> {
        let (lost, orphans) = (self.without_file.len() as u64, self.without_row.len() as u64);
        let folder = folder.display();
        if 2 * lost > self.rows {
            return Some(format!(
                "{lost} of the {} objects have no file in {folder}: this is most likely the wrong folder; nothing was repaired",
                self.rows
            ));
        }
        (2 * orphans > self.files).then(|| {
            format!(
                "{orphans} of the {} files in {folder} belong to no object: this is most likely the wrong database; nothing \
                 was repaired",
                self.files
            )
        })
    }

    /// True if rows and files match.
    pub(crate) fn is_clean(&self) -> bool {
        self.without_file.is_empty() && self.without_row.is_empty() && self.unfinished.is_empty()
    }

    /// Lines for a person.
    pub(crate) fn report(&self, repair: bool) -> String {
        let (row, file) = match repair {
            true => ("Removed the object without a file", "Removed the file of no object"),
            false => ("Object without a file", "File of no object"),
        };
        let unfinished = if repair { "Removed the unfinished file" } else { "Unfinished file" };
        let mut text = String::new();
        for key in &self.without_file {
            let _ = writeln!(text, "{row}: {key}");
        }
        for (words, paths) in [(file, &self.without_row), (unfinished, &self.unfinished)] {
            for path in paths {
                let _ = writeln!(text, "{words}: {}", path.display());
            }
        }
        let _ = writeln!(text, "Looked at {} objects and {} files.", self.rows, self.files);
        text
    }
}

/// Compares all rows with all files, and repairs the differences if asked to.
///
/// # Errors
/// A message: what cannot be read, or that most objects or files lack the other half, so that nothing was repaired.
pub(crate) async fn fsck(pool: &Pool, config: &Config, check: Options) -> Result<Found, String> {
    let said = |error: StorageError| format!("the database cannot be read: {error}");
    let mut connection = pool.get().await.map_err(|error| format!("the database cannot be reached: {error}"))?;
    let refused = |error: object_store::Error| error.to_string();
    let remote =
        config.remote.as_ref().map(|remote| Remote::new(remote, &config.tenant)).transpose().map_err(refused)?;
    let files = Files::new(config).with_remote(remote);
    let mut found = Found::default();
    let lost = lost(&mut connection, &files, &mut found).await.map_err(said)?;
    let limit = SystemTime::now().checked_sub(check.grace).unwrap_or(UNIX_EPOCH);
    compare(&mut connection, &files, limit, &mut found).await?;
    if !check.repair {
        return Ok(found);
    }
    // Nothing is removed before everything has been compared.
    if let Some(doubt) = found.doubt(files.folder()).filter(|_| !check.force) {
        return Err(format!("{doubt} (--force does it all the same)"));
    }
    for place in &lost {
        let tx = begin(&mut connection).await.map_err(said)?;
        sweep::delete(&tx, place).await.map_err(said)?;
        tx.commit().await.map_err(|error| said(StorageError::database(error)))?;
    }
    for path in found.without_row.iter().chain(&found.unfinished) {
        let said = |error: StorageError| format!("{} cannot be removed: {error}", path.display());
        files.remove_path(path.clone()).await.map_err(said)?;
    }
    Ok(found)
}

/// Adds the files that no row names.
async fn compare(
    connection: &mut Connection,
    files: &Files,
    limit: SystemTime,
    found: &mut Found,
) -> Result<(), String> {
    let said = |error: StorageError| format!("the database cannot be read: {error}");
    let unread = |error: io::Error| format!("the folder {} cannot be read: {error}", files.folder().display());
    let mut batch = Vec::new();
    if let Some(remote) = files.remote() {
        let mut all = remote.all();
        while let Some(next) = all.next().await {
            let (name, at) = next.map_err(|error| format!("the S3 server cannot be read: {error}"))?;
            batch.push((files.folder().join(name), at <= limit));
            if batch.len() >= BATCH {
                orphans(connection, files, &mut batch, found).await.map_err(said)?;
            }
        }
    }
    let mut folders: Vec<PathBuf> =
        files.remote().is_none().then(|| files.folder().to_path_buf()).into_iter().collect();
    while let Some(folder) = folders.pop() {
        for (path, is_folder) in entries(&folder).map_err(unread)? {
            match is_folder {
                true => folders.push(path),
                false => {
                    let old = is_old(&path, limit);
                    batch.push((path, old));
                }
            }
            if batch.len() >= BATCH {
                orphans(connection, files, &mut batch, found).await.map_err(said)?;
            }
        }
    }
    orphans(connection, files, &mut batch, found).await.map_err(said)?;
    for (path, is_folder) in entries(files.unfinished_folder()).map_err(unread)? {
        if !is_folder && is_old(&path, limit) {
            found.unfinished.push(path);
        }
    }
    for (folder, is_folder) in entries(Parts::new(files).all()).map_err(unread)? {
        let upload = folder.file_name().and_then(|name| name.to_str()).and_then(|name| Uuid::parse_str(name).ok());
        let Some(upload) = upload.filter(|_| is_folder) else { continue };
        let tx = begin(connection).await.map_err(said)?;
        let known = uploads::part_ids(&tx, upload).await.map_err(said)?;
        tx.rollback().await.map_err(|error| said(StorageError::database(error)))?;
        for (path, _) in entries(&folder).map_err(unread)? {
            let id = path.file_name().and_then(|name| name.to_str()).and_then(|name| Uuid::parse_str(name).ok());
            if !id.is_some_and(|id| known.contains(&id)) && is_old(&path, limit) {
                found.unfinished.push(path);
            }
        }
    }
    Ok(())
}

async fn begin(connection: &mut Connection) -> Result<Transaction<'_>, StorageError> {
    let mut session = Session::new("service_role");
    session.set("storage.allow_delete_query", "true");
    let begun = connection.begin(&session, Isolation::ReadCommitted, Access::ReadWrite).await;
    begun.map_err(StorageError::database)
}

/// The rows without a file.
async fn lost(connection: &mut Connection, files: &Files, found: &mut Found) -> Result<Vec<Place>, StorageError> {
    let (mut bucket, mut name, mut lost) = (String::new(), String::new(), Vec::new());
    loop {
        let tx = begin(connection).await?;
        let rows = sweep::after(&tx, &bucket, &name, i64::try_from(BATCH).unwrap_or(i64::MAX)).await?;
        let Some(last) = rows.last() else { return Ok(lost) };
        (bucket, name) = (last.bucket.clone(), last.key.clone());
        found.rows += rows.len() as u64;
        let mut missing = Vec::new();
        for place in rows {
            if !files.exists(&place).await? {
                missing.push(place);
            }
        }
        // The object may have been replaced in the meantime.
        let gone = sweep::unnamed(&tx, &missing).await?;
        tx.rollback().await.map_err(StorageError::database)?;
        let still = missing.into_iter().enumerate().filter(|(at, _)| !gone.contains(at)).map(|(_, place)| place);
        for place in still {
            if files.exists(&place).await? {
                continue;
            }
            found.without_file.push(format!("{}/{}", place.bucket, place.key));
            lost.push(place);
        }
    }
}

/// Adds the files of the batch that no row names to the result. Each says whether it is old enough.
async fn orphans(
    connection: &mut Connection,
    files: &Files,
    batch: &mut Vec<(PathBuf, bool)>,
    found: &mut Found,
) -> Result<(), StorageError> {
    found.files += batch.len() as u64;
    let paths = std::mem::take(batch);
    // A path is a version of a key, or a key from upstream's first releases.
    let places: Vec<Place> = paths.iter().flat_map(|(path, _)| files.places(path)).collect();
    let tx = begin(connection).await?;
    let unnamed = sweep::unnamed(&tx, &places).await?;
    tx.rollback().await.map_err(StorageError::database)?;
    let named: std::collections::HashSet<PathBuf> = places
        .iter()
        .enumerate()
        .filter(|(at, _)| unnamed.binary_search(at).is_err())
        .map(|(_, place)| files.path(place))
        .collect();
    let orphans = paths.into_iter().filter(|(path, old)| *old && !named.contains(path));
    found.without_row.extend(orphans.map(|(path, _)| path));
    Ok(())
}

/// The entries of a folder, and whether they are folders; empty if the folder does not exist.
fn entries(folder: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    entries.map(|entry| entry.and_then(|entry| Ok((entry.path(), entry.file_type()?.is_dir())))).collect()
}

/// Uses the time of the last status change, which hard links update too.
fn is_old(path: &Path, limit: SystemTime) -> bool {
    let limit = limit.duration_since(UNIX_EPOCH).map_or(0, |limit| limit.as_secs());
    fs::symlink_metadata(path).is_ok_and(|data| u64::try_from(data.ctime()).is_ok_and(|changed| changed <= limit))
}

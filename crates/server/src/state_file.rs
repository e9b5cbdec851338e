//! The state file in the data directory. While a server runs, `dugout status` and other commands read its addresses and keys
//! from it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};

use crate::private_file::Draft;
use crate::secrets::Secrets;

const FILE: &str = "state.json";

/// Addresses and keys, under the names of `supabase status -o env`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub struct State {
    /// The origin of every API.
    pub api_url: String,
    /// The data API.
    pub rest_url: String,
    /// PostgreSQL, as the owner of the project's tables.
    pub db_url: String,
    /// The JWT of the role anon.
    pub anon_key: String,
    /// The JWT of the role service_role.
    pub service_role_key: String,
    /// Signs both keys.
    pub jwt_secret: String,
    /// The opaque anon key.
    pub publishable_key: String,
    /// The opaque service_role key.
    pub secret_key: String,
    /// The page of kept mails, if mails are kept instead of sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mailpit_url: Option<String>,
    /// What the services add.
    #[serde(flatten)]
    pub of_services: BTreeMap<String, String>,
}

/// The state file of a running server; removed when dropped. A lock on it shows that the server is alive, since the kernel
/// releases it however the process ends. A process id would not do: it can be reused, in a container even by the same command.
#[derive(Debug)]
pub(crate) struct StateFile {
    file: File,
    path: PathBuf,
}

/// The file exists but cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{0} cannot be read: {1}; run this as the user who started the server")]
pub struct StateError(PathBuf, std::io::Error);

impl State {
    pub(crate) fn new(api_url: &str, db_url: String, secrets: &Secrets) -> Self {
        State {
            api_url: api_url.to_owned(),
            rest_url: format!("{api_url}/rest/v1"),
            db_url,
            anon_key: secrets.anon_key.clone(),
            service_role_key: secrets.service_role_key.reveal().clone(),
            jwt_secret: secrets.jwt_secret.reveal().clone(),
            publishable_key: secrets.publishable_key.clone(),
            secret_key: secrets.secret_key.reveal().clone(),
            mailpit_url: None,
            of_services: BTreeMap::new(),
        }
    }

    pub(crate) fn write(&self, data_dir: &Path) -> std::io::Result<StateFile> {
        let path = data_dir.join(FILE);
        let draft = Draft::new(&path, serde_json::to_string_pretty(self)?.as_bytes())?;
        flock(draft.file(), FlockOperation::NonBlockingLockExclusive)?;
        Ok(StateFile { file: draft.replace()?, path })
    }

    /// The state of the server that runs in `data_dir`; `None` if no server runs.
    ///
    /// # Errors
    /// [`StateError`] if the file cannot be read.
    pub fn read(data_dir: &Path) -> Result<Option<Self>, StateError> {
        let path = data_dir.join(FILE);
        let failed = |error| StateError(path.clone(), error);
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        if flock(&file, FlockOperation::NonBlockingLockShared).is_ok() {
            return Ok(None);
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        serde_json::from_str(&text).map(Some).map_err(|error| failed(error.into()))
    }

    /// The values by name.
    pub fn entries(&self) -> serde_json::Map<String, serde_json::Value> {
        match serde_json::to_value(self) {
            Ok(serde_json::Value::Object(entries)) => entries,
            _ => serde_json::Map::new(),
        }
    }
}

impl Drop for StateFile {
    fn drop(&mut self) {
        // Two servers with an external database can share a data directory; the file may be the other's.
        let number = |metadata: std::io::Result<std::fs::Metadata>| metadata.map(|metadata| metadata.ino()).ok();
        if number(self.file.metadata()) == number(std::fs::metadata(&self.path)) {
            // A file left behind is harmless, since it is not locked.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_counts_only_while_its_server_lives() {
        let folder = std::env::temp_dir().join(format!("dugout-state-{}", std::process::id()));
        let state = State::new("http://h", "postgres://x".to_owned(), &Secrets::dev());
        assert!(State::read(&folder).unwrap().is_none());
        let file = state.write(&folder).unwrap();
        assert_eq!(State::read(&folder).unwrap().unwrap().api_url, "http://h");
        // SIGKILL leaves the file behind, without a lock.
        std::fs::copy(folder.join(FILE), folder.join("kept")).unwrap();
        drop(file);
        assert!(!folder.join(FILE).exists());
        std::fs::rename(folder.join("kept"), folder.join(FILE)).unwrap();
        assert!(State::read(&folder).unwrap().is_none());
        // When one of two servers stops, the other's file stays.
        let first = state.write(&folder).unwrap();
        let second = state.write(&folder).unwrap();
        drop(first);
        assert!(State::read(&folder).unwrap().is_some());
        drop(second);
        std::fs::remove_dir_all(folder).unwrap();
    }
}

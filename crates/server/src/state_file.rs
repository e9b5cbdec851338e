//! What a running server tells `dugout status` and `supabase`-minded tools: a file in the data directory, there while the
//! server runs.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::secrets::{Secrets, write_private};

const FILE: &str = "state.json";

/// Addresses and keys, under the names of `supabase status -o env`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub struct State {
    /// The origin of every API.
    pub api_url: String,
    /// The data API.
    pub rest_url: String,
    /// PostgreSQL, as a role that owns the project's tables.
    pub db_url: String,
    /// The JWT of the role anon.
    pub anon_key: String,
    /// The JWT of the role service_role.
    pub service_role_key: String,
    /// Signs the two.
    pub jwt_secret: String,
    /// The opaque anon key.
    pub publishable_key: String,
    /// The opaque service_role key.
    pub secret_key: String,
}

/// The state and the process that wrote it.
#[derive(Debug, Serialize, Deserialize)]
struct Written {
    pid: u32,
    state: State,
}

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
        }
    }

    pub(crate) fn write(&self, data_dir: &Path) -> std::io::Result<()> {
        let written = Written { pid: std::process::id(), state: self.clone() };
        write_private(&data_dir.join(FILE), serde_json::to_string_pretty(&written)?.as_bytes())
    }

    pub(crate) fn remove(data_dir: &Path) {
        // A file left behind is harmless: its process is gone, and `read` looks.
        let _ = std::fs::remove_file(data_dir.join(FILE));
    }

    /// The state of the server that runs in `data_dir`; `None` when none does.
    pub fn read(data_dir: &Path) -> Option<Self> {
        let text = std::fs::read(data_dir.join(FILE)).ok()?;
        let written: Written = serde_json::from_slice(&text).ok()?;
        let pid = rustix::process::Pid::from_raw(i32::try_from(written.pid).ok()?)?;
        // EPERM means that it lives and is somebody else's.
        let alive = match rustix::process::test_kill_process(pid) {
            Ok(()) => true,
            Err(error) => error == rustix::io::Errno::PERM,
        };
        alive.then_some(written.state)
    }

    /// The values under their names.
    pub fn entries(&self) -> serde_json::Map<String, serde_json::Value> {
        match serde_json::to_value(self) {
            Ok(serde_json::Value::Object(entries)) => entries,
            _ => serde_json::Map::new(),
        }
    }
}

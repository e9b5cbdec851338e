//! What every handler shares.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use gateway::service::ProjectKeys;
use gateway::{Keys, Secret};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};

use crate::config::Config;
use crate::flows::{Pool, Slot, Turns};
use crate::model::Project;
use crate::model::environment::Injected;
use crate::outside::deployments::Deployments;
use crate::outside::folders::Folders;

/// State shared by all handlers. Cheap to clone.
#[derive(Clone)]
pub(crate) struct State(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    /// Where the service is mounted.
    pub(crate) mount: &'static str,
    /// That of the server's public address.
    pub(crate) scheme: &'static str,
    pub(crate) config: Config,
    /// `None` without a folder `supabase`.
    pub(crate) project: Option<Project>,
    /// The Deno program, or a sentence that says why it cannot be used.
    pub(crate) deno: Result<PathBuf, String>,
    pub(crate) folders: Folders,
    /// Functions that were deployed to the running server.
    pub(crate) deployments: Deployments,
    /// Held while a deployment is written.
    pub(crate) deploying: tokio::sync::Mutex<()>,
    pub(crate) injected: Injected,
    /// Addresses that no function may connect to, in Deno's syntax.
    pub(crate) denied: Vec<String>,
    /// Verifies callers' tokens.
    pub(crate) keys: Keys,
    /// For native functions.
    pub(crate) pool: pg::Pool,
    pub(crate) turns: Turns,
    pub(crate) project_keys: ProjectKeys,
    /// Where processes are watched: this runtime lives as long as the server.
    pub(crate) runtime: Handle,
    /// One for each function that was called.
    pub(crate) slots: Mutex<HashMap<String, Arc<Slot>>>,
    /// One for each process that may run.
    pub(crate) places: Arc<Semaphore>,
    /// Processes that wait for a function.
    pub(crate) waiting: Pool,
    /// Whether files are looked at before each request.
    pub(crate) dev: bool,
    pub(crate) is_stopping: AtomicBool,
    /// True when long responses are cut: the server stops.
    pub(crate) draining: watch::Sender<bool>,
}

impl State {
    /// The token in the place of an opaque API key, as Supabase's gateway replaces it.
    pub(crate) fn token_of(&self, key: &str) -> Option<Secret<String>> {
        let ProjectKeys { anon, service_role, publishable, secret } = &self.0.project_keys;
        let keys = gateway::keys::ApiKeys {
            publishable: vec![Secret::new(publishable.clone())],
            secret: vec![secret.clone()],
        };
        match keys.role(key)? {
            "service_role" => Some(service_role.clone()),
            _ => Some(Secret::new(anon.clone())),
        }
    }
}

/// Addresses that functions may neither connect to nor listen on:
/// - the wildcard addresses: anyone could reach a port that a function opens there, without `verify_jwt`;
/// - the admin server;
/// - the metadata services of clouds, which hand out the machine's credentials.
///
/// Deno compares addresses after resolving names. Connecting to `0.0.0.0` would also reach 127.0.0.1.
pub(crate) fn denied(admin_port: Option<u16>) -> Vec<String> {
    let mut denied = ["0.0.0.0", "[::]", "169.254.0.0/16", "[fd00:ec2::254]"].map(str::to_owned).to_vec();
    if let Some(port) = admin_port {
        denied.extend(["127.0.0.1", "[::1]"].map(|host| format!("{host}:{port}")));
    }
    denied
}

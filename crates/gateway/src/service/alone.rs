//! A service alone at `/`, in the place of its upstream container.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::client_ip::TrustedProxies;
use crate::settings::Problem;
use crate::{CallerPolicy, Secret};

use super::Configured;

/// How a service runs alone.
#[derive(Clone, Copy)]
pub struct Alone {
    /// What is served: `the auth API`.
    pub title: &'static str,
    /// What the command line says of it, after the title: `configured by GOTRUE_* variables`.
    pub about: &'static str,
    /// Reads upstream's variables.
    pub configure: fn(BTreeMap<String, String>) -> Result<AloneConfig, Vec<Problem>>,
}

/// What upstream's variables say.
pub struct AloneConfig {
    /// The service.
    pub service: Arc<dyn Configured>,
    /// Address to listen on.
    pub host: String,
    /// Port to listen on.
    pub port: u16,
    /// The database, with the role to log in as.
    pub database_url: Secret<String>,
    /// The variable that the URL came from, for messages.
    pub database_variable: &'static str,
    /// Connections at most.
    pub connections: usize,
    /// Proxies whose word about the client is believed.
    pub proxies: TrustedProxies,
    /// How credentials become callers; its keys are those of the service.
    pub policy: CallerPolicy,
    /// Sentences to show before starting.
    pub warnings: Vec<String>,
}

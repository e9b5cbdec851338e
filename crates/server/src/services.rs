//! Starts the services once, and mounts them in every worker.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use actix_web::middleware::from_fn;
use actix_web::web::{self, ServiceConfig};
use futures_util::future::join_all;
use gateway::events::Events;
use gateway::mail::{Mailbox, Post};
use gateway::service::{Condition, Context, Host, Login, Manifest, Service};
use gateway::{Keys, PublicUrl, Secret, caller};
use pg::{Budget, Listener};

use crate::config::Config;
use crate::database::Ready;
use crate::error::StartError;
use crate::secrets::Secrets;

/// How long a service may take to finish its work after the last request, such as sending queued mail.
pub(crate) const CLOSE_PATIENCE: Duration = Duration::from_secs(5);

/// Prefixes of Supabase's services that no crate implements. They answer 404, because the app's page would mislead a client.
const ABSENT: [&str; 2] = ["/graphql/v1", "/pg"];

/// All known services, running or not. Clones share them.
#[derive(Clone)]
pub(crate) struct Services(Arc<Vec<Known>>);

struct Known {
    manifest: &'static Manifest,
    /// `None` if the settings disable it or it has nothing to run.
    running: Option<Arc<dyn Service>>,
}

impl Services {
    /// No services, for tests.
    #[cfg(test)]
    pub(crate) fn none() -> Self {
        Services(Arc::default())
    }

    /// Starts the services one after the other. They receive no requests yet.
    pub(crate) async fn start(
        config: &Config,
        ready: &Ready,
        secrets: &Secrets,
        keys: &Keys,
        events: &Events,
        (public_url, admin_port): (&PublicUrl, Option<u16>),
        listener: &Listener,
    ) -> Result<Self, StartError> {
        let budget = config.budget();
        let host = Host {
            public_url: public_url.clone(),
            jwt_secret: secrets.jwt_secret.clone(),
            anon_key: secrets.anon_key.clone(),
            lasting_secret: secrets.role_key.clone(),
            data_dir: config.data_dir.clone(),
            dev: config.dev,
            // The mailbox shows every mail to everyone on this machine, so only development has one.
            mailbox: config.dev.then(Mailbox::default),
            project_keys: secrets.project_keys(),
            database_url: ready.public.is_tcp().then(|| Secret::new(ready.public.url())),
            admin_port,
        };
        let mut known = Vec::new();
        for (manifest, configured) in &config.services {
            let mut running = None;
            if let Some(configured) = configured {
                let context = Context {
                    mount: manifest.prefix,
                    keys: keys.clone(),
                    events: events.clone(),
                    listener: listener.clone(),
                    target: ready.login(manifest.login).clone(),
                    connections: budget.of(manifest.name),
                    acquire_timeout: config.acquire_timeout,
                    workers: config.workers,
                    host: Some(host.clone()),
                };
                let started = configured.start(context).await;
                running = Some(started.map_err(|error| StartError::Service(manifest.name, error.to_string()))?);
            }
            known.push(Known { manifest, running });
        }
        Ok(Services(Arc::new(known)))
    }

    /// Mounts each service at its prefix. Prefixes of absent services answer 404.
    pub(crate) fn mount(&self, app: &mut ServiceConfig) {
        for Known { manifest, running } in &*self.0 {
            let scope = web::scope(manifest.prefix);
            match running {
                Some(service) => {
                    service.mount_at_root(app);
                    app.service(scope.wrap(from_fn(caller::resolve)).configure(|scope| service.mount(scope)))
                }
                None => app.service(scope),
            };
        }
        for prefix in ABSENT {
            app.service(web::scope(prefix));
        }
    }

    /// Sets the gauges of the metrics.
    pub(crate) fn gauge(&self, events: &Events) {
        for service in self.running() {
            service.gauges(events);
        }
    }

    /// The first condition that is not [`Condition::Well`].
    pub(crate) async fn condition(&self) -> Condition {
        for service in self.running() {
            let condition = service.condition().await;
            if condition != Condition::Well {
                return condition;
            }
        }
        Condition::Well
    }

    /// The paths where requests may become WebSockets: see [`Manifest::upgrades`].
    pub(crate) fn upgrades(&self) -> Vec<String> {
        let running = self.0.iter().filter(|known| known.running.is_some());
        running.flat_map(|known| known.manifest.upgrades(known.manifest.prefix)).collect()
    }

    /// The prefixes of services that handle cross-origin requests themselves.
    pub(crate) fn with_own_cors(&self) -> Vec<&'static str> {
        let own = |known: &&Known| known.running.as_ref().is_some_and(|service| service.handles_cors());
        self.0.iter().filter(own).map(|known| known.manifest.prefix).collect()
    }

    /// What `dugout status` shows of them.
    pub(crate) fn status(&self) -> BTreeMap<String, String> {
        self.running().flat_map(|service| service.status()).map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// The mailbox, if mails are kept instead of sent.
    pub(crate) fn mailbox(&self) -> Option<Mailbox> {
        self.running().find_map(|service| service.mailbox())
    }

    /// Sends mails to users.
    pub(crate) fn post(&self) -> Option<Arc<dyn Post>> {
        self.running().find_map(|service| service.post())
    }

    /// Prepares the services for the end of HTTP. Called before HTTP stops.
    pub(crate) async fn drain(&self) {
        join_all(self.running().map(|service| service.drain())).await;
    }

    /// Ends the services. Called after the last request.
    pub(crate) async fn close(&self, within: Duration) {
        join_all(self.running().map(|service| service.close(within))).await;
    }

    fn running(&self) -> impl Iterator<Item = &Arc<dyn Service>> {
        self.0.iter().filter_map(|known| known.running.as_ref())
    }
}

impl Ready {
    fn login(&self, login: Login) -> &pg::Target {
        match login {
            Login::Authenticator => &self.authenticator,
            Login::Own(role) | Login::Owner(role) => self.logins.get(role).unwrap_or(&self.authenticator),
        }
    }
}

/// Connections of the server itself, outside the pool: for the health check, and for the metadata of pages.
pub(crate) const HEALTH_CONNECTIONS: usize = 1;
pub(crate) const META_CONNECTIONS: usize = 2;
/// The connection that listens to notifications.
const LISTENER_CONNECTIONS: usize = 1;

impl Config {
    /// How the connections to the database are divided.
    pub fn budget(&self) -> Budget {
        use pg::budget::Part;
        let parts = self.services.iter().map(|(manifest, configured)| {
            (manifest.name, if configured.is_some() { manifest.connections } else { Part::Nothing })
        });
        let parts: Vec<_> = parts.chain([("listener", Part::Exactly(LISTENER_CONNECTIONS))]).collect();
        Budget::deal(self.pool, &parts).beside("health", HEALTH_CONNECTIONS).beside("page heads", META_CONNECTIONS)
    }
}

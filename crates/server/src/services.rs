//! The services, started once and mounted in every worker.

use std::sync::Arc;
use std::time::Duration;

use actix_web::middleware::from_fn;
use actix_web::web::{self, ServiceConfig};
use futures_util::future::join_all;
use gateway::events::Events;
use gateway::mail::Mailbox;
use gateway::service::{Condition, Context, Host, Login, Manifest, Service, Table};
use gateway::{Keys, PublicUrl, Route, caller};
use pg::{Budget, Listener};

use crate::config::Config;
use crate::database::Ready;
use crate::error::StartError;
use crate::secrets::Secrets;

/// How long a service may take to finish what is under way when the last request has ended: mails that are due.
pub(crate) const CLOSE_PATIENCE: Duration = Duration::from_secs(5);

/// Prefixes of Supabase's services that no crate implements. Named, because a client that asks for one must not be answered with
/// the app's page.
const ABSENT: [&str; 3] = ["/functions/v1", "/graphql/v1", "/pg"];

/// The services that this server knows, with those that run. Cloning shares them.
#[derive(Clone)]
pub(crate) struct Services(Arc<Vec<Known>>);

struct Known {
    manifest: &'static Manifest,
    /// `None` where the settings switch it off, and where there is nothing to run.
    running: Option<Arc<dyn Service>>,
}

impl Services {
    /// None at all, for tests of what stands beside them.
    #[cfg(test)]
    pub(crate) fn none() -> Self {
        Services(Arc::default())
    }

    /// Starts them, one after the other; nothing is served yet.
    pub(crate) async fn start(
        config: &Config,
        ready: &Ready,
        secrets: &Secrets,
        keys: &Keys,
        events: &Events,
        public_url: &PublicUrl,
        listener: &Listener,
    ) -> Result<Self, StartError> {
        let budget = config.budget();
        let host = Host {
            public_url: public_url.clone(),
            jwt_secret: secrets.jwt_secret.clone(),
            lasting_secret: secrets.role_key.clone(),
            data_dir: config.data_dir.clone(),
            dev: config.dev,
            // The mailbox of development shows every mail to everybody on this machine.
            mailbox: config.dev.then(Mailbox::default),
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

    /// Mounts each at its prefix. What is absent answers 404 there.
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
        let is_known = |prefix: &&str| self.0.iter().any(|known| known.manifest.prefix == *prefix);
        for prefix in ABSENT.iter().filter(|prefix| !is_known(prefix)) {
            app.service(web::scope(prefix));
        }
    }

    /// The paths where requests may become WebSockets.
    pub(crate) fn upgrades(&self) -> Vec<String> {
        let running = self.0.iter().filter(|known| known.running.is_some());
        running.flat_map(|known| upgrades(known.manifest, known.manifest.prefix)).collect()
    }

    /// Sets the gauges of the metrics.
    pub(crate) fn gauge(&self, events: &Events) {
        for service in self.running() {
            service.gauges(events);
        }
    }

    /// The first condition that is not well.
    pub(crate) async fn condition(&self) -> Condition {
        for service in self.running() {
            let condition = service.condition().await;
            if condition != Condition::Well {
                return condition;
            }
        }
        Condition::Well
    }

    /// The mailbox, where mails are kept in it instead of sent.
    pub(crate) fn mailbox(&self) -> Option<Mailbox> {
        self.running().find_map(|service| service.mailbox())
    }

    /// Before HTTP stops.
    pub(crate) async fn drain(&self) {
        join_all(self.running().map(|service| service.drain())).await;
    }

    /// When the last request has ended.
    pub(crate) async fn close(&self, within: Duration) {
        join_all(self.running().map(|service| service.close(within))).await;
    }

    fn running(&self) -> impl Iterator<Item = &Arc<dyn Service>> {
        self.0.iter().filter_map(|known| known.running.as_ref())
    }
}

/// The paths of a service where requests may become WebSockets, below `prefix`.
pub(crate) fn upgrades(manifest: &Manifest, prefix: &str) -> Vec<String> {
    let paths = |table: Table| {
        let paths = table.routes.iter().filter_map(Route::upgrade);
        paths.map(|path| format!("{prefix}{}{path}", table.at)).collect::<Vec<_>>()
    };
    (manifest.tables)().into_iter().flat_map(paths).collect()
}

impl Ready {
    fn login(&self, login: Login) -> &pg::Target {
        match login {
            Login::Authenticator => &self.authenticator,
            Login::Own(role) => self.logins.get(role).unwrap_or(&self.authenticator),
        }
    }
}

/// Connections of the server itself, beside the pool: the health check's, and those that fill in the heads of pages.
pub(crate) const HEALTH_CONNECTIONS: usize = 1;
pub(crate) const META_CONNECTIONS: usize = 2;
/// The connection that listens to notifications.
const LISTENER_CONNECTIONS: usize = 1;

impl Config {
    /// Who gets how many connections to the database.
    pub fn budget(&self) -> Budget {
        use pg::budget::Part;
        let parts = self.services.iter().map(|(manifest, configured)| {
            (manifest.name, if configured.is_some() { manifest.connections } else { Part::Nothing })
        });
        let parts: Vec<_> = parts.chain([("listener", Part::Exactly(LISTENER_CONNECTIONS))]).collect();
        Budget::deal(self.pool, &parts).beside("health", HEALTH_CONNECTIONS).beside("page heads", META_CONNECTIONS)
    }
}

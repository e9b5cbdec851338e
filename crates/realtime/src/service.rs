//! Realtime as one of the server's services.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actix_web::web;
use gateway::events::Events;
use gateway::service::{Alone, BoxFuture, Configured, Context, Failed, Login, Manifest, Schema, Service, Table};
use gateway::settings::{Problem, Report, Resolved, Setting, setting};
use pg::budget::Part;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::changes::Changes;
use crate::changes::stream::Reader;
use crate::config::Config;
use crate::hub::{Control, Hub};
use crate::relay::{self, Relay, Servers};
use crate::state::{Shared, State};
use crate::{alone, partitions, routes, sessions, wire};

/// Realtime, as the server knows it.
pub const SERVICE: Manifest = Manifest {
    name: "realtime",
    prefix: "/realtime/v1",
    login: Login::Owner("supabase_realtime_admin"),
    schema: Some(Schema { name: "realtime", owner: "supabase_realtime_admin", migrations: &crate::SCHEMA }),
    connections: Part::Divided(8),
    settings: SETTINGS,
    variables: &[],
    tables,
    configure,
    alone: Some(Alone {
        title: "realtime",
        about: "configured by the variables of its container",
        configure: alone::configure,
    }),
};

/// How long the end of the stream of changes may take.
const READING_ENDS: Duration = Duration::from_secs(3);

const SETTINGS: &[Setting] = &[
    setting("realtime.enabled", "true", "Whether channels are served").config("realtime.enabled"),
    setting("realtime.max_concurrent_users", "200", "Sockets that may be open at once; 0 is no limit")
        .dugout("realtime.max_concurrent_users")
        .env("TENANT_MAX_CONCURRENT_USERS"),
    setting(
        "realtime.max_events_per_second",
        "100",
        "Messages per second that clients may send and receive, as the average of a minute; 0 is no limit",
    )
    .dugout("realtime.max_events_per_second")
    .env("TENANT_MAX_EVENTS_PER_SECOND"),
    setting(
        "realtime.max_joins_per_second",
        "100",
        "Joins of channels and new sockets per second, as the average of a minute; 0 is no limit",
    )
    .dugout("realtime.max_joins_per_second")
    .env("TENANT_MAX_JOINS_PER_SECOND"),
    setting("realtime.max_channels_per_client", "100", "Channels that one socket may join; 0 is no limit")
        .dugout("realtime.max_channels_per_client")
        .env("TENANT_MAX_CHANNELS_PER_CLIENT"),
    setting(
        "realtime.max_presence_events_per_second",
        "1000",
        "Presence messages per second, as the average of a minute; 0 is no limit",
    )
    .dugout("realtime.max_presence_events_per_second"),
    setting("realtime.max_payload_size_in_kb", "3000", "Maximum size of the payload of one message, in kilobytes")
        .dugout("realtime.max_payload_size_in_kb"),
    setting("realtime.presence_calls", "5", "Calls of track and untrack on one channel in 30 seconds; 0 is no limit")
        .dugout("realtime.presence_calls")
        .env("CLIENT_PRESENCE_MAX_CALLS"),
    setting("realtime.private_only", "false", "Whether clients may join private channels only")
        .dugout("realtime.private_only")
        .env("DUGOUT_REALTIME_PRIVATE_ONLY"),
    setting("realtime.max_waiting", "8388608", "Bytes that may wait for one client before it is disconnected")
        .dugout("realtime.max_waiting"),
    setting(
        "realtime.nats_url",
        "",
        "NATS servers that carry broadcasts and presence between instances on one database, as nats:// or tls:// URLs separated by \
         commas; if unset, or while they cannot be reached, NOTIFY does",
    )
    .dugout("realtime.nats_url")
    .env("DUGOUT_NATS_URL")
    .flag("--nats-url")
    .secret(),
    setting("realtime.nats_credentials", "", "File with the credentials for NATS, as `nsc` writes it")
        .dugout("realtime.nats_credentials")
        .env("DUGOUT_NATS_CREDENTIALS"),
];

fn tables() -> Vec<Table> {
    vec![Table { at: "", routes: routes::routes(), wire: Arc::new(wire::RealtimeWire) }]
}

/// Realtime with its settings.
pub(crate) struct Realtime {
    pub(crate) config: Config,
    /// What carries messages between instances.
    pub(crate) nats: Option<Servers>,
}

fn configure(resolved: &Resolved, report: &mut Report) -> Option<Arc<dyn Configured>> {
    let problems = &mut report.problems;
    let enabled: bool = resolved.parse("realtime.enabled", "true or false", problems).unwrap_or(true);
    let private_only: bool = resolved.parse("realtime.private_only", "true or false", problems).unwrap_or(false);
    let mut number = |name: &str| resolved.parse::<u64>(name, "a number", problems);
    let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let defaults = Config::default();
    let config = Config {
        max_concurrent_users: number("realtime.max_concurrent_users").map_or(defaults.max_concurrent_users, whole),
        max_events_per_second: number("realtime.max_events_per_second").unwrap_or(defaults.max_events_per_second),
        max_joins_per_second: number("realtime.max_joins_per_second").unwrap_or(defaults.max_joins_per_second),
        max_channels_per_client: number("realtime.max_channels_per_client")
            .map_or(defaults.max_channels_per_client, whole),
        max_presence_events_per_second: number("realtime.max_presence_events_per_second")
            .unwrap_or(defaults.max_presence_events_per_second),
        max_payload: number("realtime.max_payload_size_in_kb")
            .map_or(defaults.max_payload, |kilobytes| whole(kilobytes).saturating_mul(1000)),
        presence_calls: number("realtime.presence_calls").map_or(defaults.presence_calls, whole),
        max_waiting: number("realtime.max_waiting").map_or(defaults.max_waiting, whole),
        private_only,
        ..defaults
    };
    let nats = nats(resolved, problems);
    enabled.then(|| Arc::new(Realtime { config, nats }) as Arc<dyn Configured>)
}

fn nats(resolved: &Resolved, problems: &mut Vec<Problem>) -> Option<Servers> {
    let credentials = resolved.given("realtime.nats_credentials").map(PathBuf::from);
    let servers = Servers::parse(resolved.given("realtime.nats_url")?, credentials);
    servers.map_err(|message| resolved.complain("realtime.nats_url", &message, problems)).ok()
}

impl Configured for Realtime {
    fn start(&self, context: Context) -> BoxFuture<'_, Result<Arc<dyn Service>, Failed>> {
        Box::pin(async move {
            let pool = context.pool()?;
            let (hub, changes) = (Arc::new(Hub::default()), Arc::new(Changes::new(pool.capacity())));
            let (relay, posts) = Relay::new(self.nats.clone());
            let state = State::new(Shared {
                config: self.config.clone(),
                clock: context.keys.clock().clone(),
                hub: Arc::clone(&hub),
                changes: Arc::clone(&changes),
                relay: Arc::clone(&relay),
                stopping: AtomicBool::new(false),
                pool,
            });
            let reader = Reader {
                target: context.target.clone(),
                pool: state.pool.clone(),
                hub,
                changes,
                max_payload: self.config.max_payload,
                max_record: self.config.max_record,
            };
            let listener = context.listener.clone();
            let relaying = relay::run(relay, state.pool.clone(), Arc::clone(&state.hub), listener, posts);
            let (stop, stopped) = watch::channel(false);
            let reading = tokio::spawn(reader.run(stopped));
            let tasks = [
                tokio::spawn(partitions::keep(state.clone())).abort_handle(),
                tokio::spawn(relaying).abort_handle(),
                tokio::spawn(sessions::watch(context.listener.clone(), state.pool.clone(), Arc::clone(&state.hub)))
                    .abort_handle(),
            ];
            Ok(Arc::new(Running { state, tasks: tasks.into(), stop, reading: Mutex::new(Some(reading)) })
                as Arc<dyn Service>)
        })
    }
}

/// Realtime while it runs.
struct Running {
    state: State,
    tasks: Vec<tokio::task::AbortHandle>,
    /// Ends the reading of changes.
    stop: watch::Sender<bool>,
    reading: Mutex<Option<JoinHandle<()>>>,
}

impl Service for Running {
    fn mount(&self, scope: &mut web::ServiceConfig) {
        let mut service = web::scope("").app_data(web::Data::new(self.state.clone()));
        for table in tables() {
            service = service.configure(|scope| table.mount(scope));
        }
        scope.service(service);
    }

    fn gauges(&self, events: &Events) {
        events.pool("realtime", self.state.pool.status());
    }

    fn drain(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            self.state.stopping.store(true, Ordering::Relaxed);
            self.state.hub.tell(&Control::Restart);
            // The server gives up on it at its own time limit.
            while self.state.hub.sockets() > 0 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        })
    }

    fn close(&self, _: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async {
            self.tasks.iter().for_each(tokio::task::AbortHandle::abort);
            self.stop.send_replace(true);
            self.state.relay.goodbye(&self.state.pool).await;
            let reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(reading) = reading {
                // PostgreSQL keeps what a connection that is not closed has not read. It is given a moment in any case.
                let _ = tokio::time::timeout(READING_ENDS, reading).await;
            }
            self.state.pool.close();
        })
    }
}

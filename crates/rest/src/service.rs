//! The data API as a service of the server. `dugout rest`, which replaces PostgREST's container, has its own command
//! line, log, signals and admin server (`standalone`).

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::web;
use gateway::events::Events;
use gateway::service::{BoxFuture, Condition, Configured, Context, Failed, Login, Manifest, Service};
use gateway::settings::{Report, Resolved, Setting, setting};
use pg::budget::Part;
use tokio::task::AbortHandle;

use crate::config::Config;
use crate::routes;
use crate::runtime::rest::{CATALOG_CONNECTIONS, Rest, Setup};

/// The registration of the data API.
pub const SERVICE: Manifest = Manifest {
    name: "rest",
    prefix: PREFIX,
    login: Login::Authenticator,
    schema: None,
    connections: Part::Remainder,
    settings: SETTINGS,
    variables: &[],
    tables: || vec![routes::table()],
    configure,
    alone: None,
};

const PREFIX: &str = "/rest/v1";

/// The default of the CLI's template.
const DEFAULT_SCHEMAS: &str = "public,graphql_public";

/// DEVIATION (stricter): under `dugout start`, anonymous requests hold at most half of the data API's connections;
/// PostgREST and `dugout rest` have no such limit.
const ANONYMOUS_SHARE: &str = "anon_lane_share";

const SETTINGS: &[Setting] = &[
    setting("api.schemas", DEFAULT_SCHEMAS, "The schemas that are exposed; the first is the default")
        .config("api.schemas")
        .env("PGRST_DB_SCHEMAS"),
    setting(
        "api.extra_search_path",
        "public,extensions",
        "Schemas behind the exposed one in the search path of requests",
    )
    .config("api.extra_search_path")
    .env("PGRST_DB_EXTRA_SEARCH_PATH"),
    setting("api.max_rows", "1000", "Rows of a response at most").config("api.max_rows").env("PGRST_DB_MAX_ROWS"),
    setting(
        ANONYMOUS_SHARE,
        "50",
        "The data API's connections that anonymous requests may hold while users send requests, in percent",
    )
    .dugout("database.anon_lane_share")
    .env("DUGOUT_ANON_LANE_SHARE"),
];

/// How long the start waits for the catalog. Afterwards requests get 503 until it is loaded.
const CATALOG_PATIENCE: Duration = Duration::from_secs(10);

/// Delay before watching resumes after a failure; it doubles up to [`WATCH_MAX_DELAY`].
const WATCH_DELAY: Duration = Duration::from_secs(1);
const WATCH_MAX_DELAY: Duration = Duration::from_secs(30);

/// The message of [`Condition::Degraded`].
const OUTDATED: &str = "the data API does not follow changes of the database; the log says why";

fn configure(resolved: &Resolved, report: &mut Report) -> Option<Arc<dyn Configured>> {
    const PERCENT: &str = "a percentage from 1 to 100";
    let problems = &mut report.problems;
    let share = resolved.parse::<u8>(ANONYMOUS_SHARE, PERCENT, problems).unwrap_or(100);
    if !(1..=100).contains(&share) {
        resolved.complain(ANONYMOUS_SHARE, &format!("must be {PERCENT}"), problems);
    }
    let mut schemas = resolved.list("api.schemas");
    if schemas.is_empty() {
        // As with PostgREST, an empty list means the default.
        schemas = DEFAULT_SCHEMAS.split(',').map(str::to_owned).collect();
    }
    let max_rows = resolved.parse::<u64>("api.max_rows", "a number of rows", problems);
    let config = Config {
        db_anon_role: Some("anon".to_owned()),
        db_schemas: schemas,
        db_extra_search_path: resolved.list("api.extra_search_path"),
        db_max_rows: max_rows.and_then(|rows| i64::try_from(rows).ok()),
        anon_share: share,
        ..Config::default()
    };
    Some(Arc::new(DataApi(config)))
}

/// The configured data API.
struct DataApi(Config);

impl Configured for DataApi {
    fn start(&self, context: Context) -> BoxFuture<'_, Result<Arc<dyn Service>, Failed>> {
        Box::pin(async move {
            let config = Config {
                db_pool: context.connections.saturating_sub(CATALOG_CONNECTIONS).max(1),
                db_pool_acquisition_timeout: context.acquire_timeout,
                openapi_server_proxy_uri: context.host.map(|host| host.public_url.join(context.mount)),
                ..self.0.clone()
            };
            let rest = Rest::new(Setup {
                target: context.target,
                listener: context.listener,
                config,
                sources: None,
                policy: None,
                workers: context.workers,
                observer: Arc::new(context.events),
            })?;
            let rest = Arc::new(rest);
            let watch = watched(&rest).await;
            Ok(Arc::new(Running { rest, watch }) as Arc<dyn Service>)
        })
    }
}

/// The running data API.
struct Running {
    rest: Arc<Rest>,
    watch: AbortHandle,
}

impl Service for Running {
    fn mount(&self, scope: &mut web::ServiceConfig) {
        routes::mount(&self.rest, PREFIX, scope);
    }

    fn gauges(&self, events: &Events) {
        events.pool("rest", self.rest.connections());
    }

    fn condition(&self) -> BoxFuture<'_, Condition> {
        Box::pin(async {
            match self.rest.is_current().await {
                true => Condition::Well,
                false => Condition::Degraded(OUTDATED),
            }
        })
    }

    fn close(&self, _: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async {
            self.watch.abort();
            self.rest.close();
        })
    }
}

/// Starts watching the catalog and waits for the first load, so that early requests wait a little instead of getting
/// 503.
async fn watched(rest: &Arc<Rest>) -> AbortHandle {
    let watching = Arc::clone(rest);
    let watch = tokio::spawn(async move {
        let mut delay = WATCH_DELAY;
        loop {
            let begun = Instant::now();
            let Err(error) = watching.watch().await;
            // PostgREST ends here, and its supervisor restarts it. A service among others keeps trying: a
            // changed password may be changed back.
            if begun.elapsed() > WATCH_MAX_DELAY {
                delay = WATCH_DELAY;
            }
            tracing::error!(event = "catalog_watch_failed", detail = %error, retry_in_seconds = delay.as_secs());
            tokio::time::sleep(delay).await;
            delay = (delay * 2).min(WATCH_MAX_DELAY);
        }
    });
    let started = Instant::now();
    while !rest.is_ready() && started.elapsed() < CATALOG_PATIENCE {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    watch.abort_handle()
}

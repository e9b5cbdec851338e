//! Functions as one of the server's services.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix_web::middleware::from_fn;
use actix_web::web;
use gateway::caller;
use gateway::events::Events;
use gateway::service::{BoxFuture, Configured, Context, Failed, Finding, Login, Manifest, Service, Table};
use gateway::settings::{Report, Resolved, Setting, setting};
use pg::budget::Part;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};

use crate::config::{self, Config, Limits};
use crate::flows::{Pool, Turns};
use crate::model::Project;
use crate::model::environment::Injected;
use crate::outside::deno;
use crate::outside::deployments::Deployments;
use crate::outside::folders::Folders;
use crate::state::{Inner, State, denied};
use crate::{access_token, routes, wire};

/// Functions, as the server knows them.
///
/// DEVIATION (missing): `edge_runtime.policy`, the inspector, and the models of `Supabase.ai`. A function always has one process.
pub const SERVICE: Manifest = Manifest {
    name: "functions",
    prefix: "/functions/v1",
    login: Login::Authenticator,
    schema: None,
    // For native functions. A connection is made when one is called.
    connections: Part::Exactly(2),
    settings: SETTINGS,
    variables: &[],
    tables,
    configure,
    alone: None,
};

const SETTINGS: &[Setting] = &[
    setting("edge_runtime.enabled", "true", "Whether functions are served").config("edge_runtime.enabled"),
    setting("functions.deno", "", "The program Deno; without it the npm package, or the one in PATH")
        .dugout("functions.deno")
        .env("DUGOUT_DENO"),
    setting(
        "functions.cache",
        "",
        "Where downloaded modules are kept; without it `functions/deno` in the data directory",
    )
    .dugout("functions.cache")
    .env("DUGOUT_FUNCTIONS_CACHE"),
    setting("functions.memory_mb", "256", "Memory of a function's process, in mebibytes")
        .dugout("functions.memory_mb")
        .env("DUGOUT_FUNCTIONS_MEMORY_MB"),
    setting("functions.cpu_ms", "2000", "CPU time of a process between two pieces of response, in milliseconds")
        .dugout("functions.cpu_ms")
        .env("DUGOUT_FUNCTIONS_CPU_MS"),
    setting("functions.wall_clock_s", "400", "From a request to the end of its response, in seconds")
        .dugout("functions.wall_clock_s")
        .env("DUGOUT_FUNCTIONS_WALL_CLOCK_S"),
    setting("functions.response_s", "150", "From a request to the start of its response, in seconds")
        .dugout("functions.response_s")
        .env("DUGOUT_FUNCTIONS_RESPONSE_S"),
    setting("functions.boot_s", "10", "From the start of a process until it serves, in seconds")
        .dugout("functions.boot_s")
        .env("DUGOUT_FUNCTIONS_BOOT_S"),
    setting("functions.idle_s", "60", "How long a process without requests is kept, in seconds")
        .dugout("functions.idle_s")
        .env("DUGOUT_FUNCTIONS_IDLE_S"),
    setting("functions.processes", "32", "Processes at most; the one that is idle for the longest time makes room")
        .dugout("functions.processes")
        .env("DUGOUT_FUNCTIONS_PROCESSES"),
    setting(
        "functions.warm",
        "1",
        "Processes that wait for a function, so that its first request is answered sooner; 0 for none",
    )
    .dugout("functions.warm")
    .env("DUGOUT_FUNCTIONS_WARM"),
];

fn tables() -> Vec<Table> {
    vec![Table { at: "", routes: routes::routes(), wire: Arc::new(wire::FunctionsWire) }]
}

fn configure(resolved: &Resolved, report: &mut Report) -> Option<Arc<dyn Configured>> {
    const COUNT: &str = "a whole number above 0";
    let problems = &mut report.problems;
    let enabled: bool = resolved.parse("edge_runtime.enabled", "true or false", problems).unwrap_or(true);
    let defaults = Limits::default();
    let mut number = |key| resolved.positive(key, COUNT, problems).map(|number| number as u64);
    let limits = Limits {
        memory: number("functions.memory_mb").unwrap_or(defaults.memory),
        cpu: number("functions.cpu_ms").map_or(defaults.cpu, Duration::from_millis),
        wall_clock: number("functions.wall_clock_s").map_or(defaults.wall_clock, Duration::from_secs),
        response: number("functions.response_s").map_or(defaults.response, Duration::from_secs),
        boot: number("functions.boot_s").map_or(defaults.boot, Duration::from_secs),
        idle: number("functions.idle_s").map_or(defaults.idle, Duration::from_secs),
        processes: resolved.positive("functions.processes", COUNT, problems).unwrap_or(defaults.processes),
    };
    let config = Config {
        supabase: config::supabase(resolved),
        deno: resolved.given("functions.deno").map(Into::into),
        cache: resolved.given("functions.cache").map(Into::into),
        functions: config::functions(resolved, problems),
        secrets: config::secrets(resolved, &mut report.warnings),
        limits,
        warm: resolved.parse("functions.warm", "a whole number", problems).unwrap_or(1),
    };
    enabled.then(|| Arc::new(Functions { config }) as Arc<dyn Configured>)
}

/// Functions with their settings.
struct Functions {
    config: Config,
}

impl Configured for Functions {
    fn findings(&self) -> Vec<Finding> {
        let root = self.config.supabase.as_deref().and_then(std::path::Path::parent);
        let found = deno::find(self.config.deno.as_deref(), root).map(|program| program.display().to_string());
        vec![Finding { what: "Deno", found, is_needed: false }]
    }

    fn start(&self, context: Context) -> BoxFuture<'_, Result<Arc<dyn Service>, Failed>> {
        Box::pin(async move {
            let config = self.config.clone();
            let host = context.host.as_ref().ok_or("functions need the server around them")?;
            let settings = config.functions.clone();
            let project = config.supabase.clone().map(|supabase| Project { supabase, settings });
            let root = config.supabase.as_deref().and_then(std::path::Path::parent);
            let inner = Inner {
                mount: context.mount,
                scheme: if host.public_url.as_str().starts_with("https:") { "https" } else { "http" },
                deno: deno::find(config.deno.as_deref(), root),
                folders: Folders::new(&host.data_dir, config.cache.as_deref())?,
                deployments: Deployments::open(&host.data_dir)?,
                deploying: tokio::sync::Mutex::default(),
                injected: Injected::new(host, &context.keys.jwks()),
                denied: denied(host.admin_port),
                keys: context.keys.clone(),
                pool: context.pool()?,
                project_keys: host.project_keys.clone(),
                runtime: Handle::current(),
                slots: Mutex::default(),
                dev: host.dev,
                places: Arc::new(Semaphore::new(config.limits.processes.min(Semaphore::MAX_PERMITS))),
                waiting: Pool::default(),
                is_stopping: AtomicBool::new(false),
                turns: Turns::default(),
                draining: watch::Sender::new(false),
                project,
                config,
            };
            let state = State(Arc::new(inner));
            state.fill_pool(Duration::ZERO);
            Ok(Arc::new(state) as Arc<dyn Service>)
        })
    }
}

impl Service for State {
    fn mount(&self, scope: &mut web::ServiceConfig) {
        let mut service = web::scope("").app_data(web::Data::new(self.clone()));
        for table in tables() {
            service = service.configure(|scope| table.mount(scope));
        }
        scope.service(service);
    }

    fn mount_at_root(&self, app: &mut web::ServiceConfig) {
        let table = routes::management();
        let service = web::scope("").app_data(web::Data::new(self.clone())).configure(|scope| table.mount(scope));
        // The access token becomes the service role's key before the caller is looked at.
        let scope = web::scope(routes::MANAGEMENT).wrap(from_fn(caller::resolve)).wrap(from_fn(access_token::resolve));
        app.service(scope.app_data(web::Data::new(self.clone())).service(service));
    }

    /// For the command line: what the Supabase CLI signs in with.
    fn status(&self) -> Vec<(&'static str, String)> {
        vec![(access_token::NAME, access_token::of(&self.0.project_keys).reveal().clone())]
    }

    fn handles_cors(&self) -> bool {
        true
    }

    fn gauges(&self, events: &Events) {
        events.pool("functions", self.0.pool.status());
    }

    fn drain(&self) -> BoxFuture<'_, ()> {
        Box::pin(async { State::drain(self) })
    }

    fn close(&self, within: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            self.stop(within).await;
            self.0.pool.close();
        })
    }
}

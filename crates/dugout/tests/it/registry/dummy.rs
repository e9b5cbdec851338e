//! A service that uses every part of the manifest, as its crate would.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix_web::http::Method;
use actix_web::{HttpRequest, HttpResponse, web};
use gateway::events::Events;
use gateway::limits::Class;
use gateway::service::{
    Alone, AloneConfig, BoxFuture, Configured, Context, Failed, Login, Manifest, Schema, Service, Table,
};
use gateway::settings::{Problem, Report, Resolved, Setting, setting};
use gateway::wire::Plain;
use gateway::{Anyone, CallerPolicy, Keys, Route, Secret, body};
use pg::Pool;
use pg::bootstrap::{ServiceMigration, ServiceSchema};
use pg::budget::Part;
use pg::pool::Query;
use tokio::sync::watch;

pub const SERVICE: Manifest = Manifest {
    name: "dummy",
    prefix: "/dummy/v1",
    login: Login::Own(ROLE),
    schema: Some(Schema { name: "dummy", owner: ROLE, migrations: &MIGRATIONS }),
    connections: Part::Exactly(1),
    settings: &[setting("dummy.greeting", "Hello", "What is said first")
        .config("dummy.greeting")
        .env("DUMMY_GREETING")],
    variables: &[UPSTREAM],
    tables,
    configure,
    alone: Some(Alone { title: "the dummy API", about: "configured by DUMMY_* variables", configure: alone }),
};

pub const ROLE: &str = "dugout_test_dummy";
/// The largest body, in bytes.
pub const BODY_LIMIT: usize = 16;
/// The largest number of requests of one client.
pub const LIMIT: u32 = 3;

/// Whether a request waits for the service to be drained.
pub static WAITING: AtomicBool = AtomicBool::new(false);

const UPSTREAM: Setting = setting("DUMMY_UPSTREAM", "", "What upstream calls a secret").secret();
const MIGRATIONS: ServiceSchema = ServiceSchema {
    role: None,
    recorded: "select version from dummy.migrations",
    record: "insert into dummy.migrations select unnest($1::text[])",
    files: &[ServiceMigration {
        name: "1_greetings",
        sql: "-- covers: 1\ncreate table dummy.migrations (version text); create table dummy.greetings (text text);",
    }],
};

fn tables() -> Vec<Table> {
    let class = Class { name: "greeting", count: LIMIT, period: Duration::from_secs(3600) };
    let routes = vec![
        Route::new(Method::GET, "/greeting", greeting),
        Route::new(Method::GET, "/limited", greeting).limited(class),
        Route::new(Method::POST, "/echo", echo).body_limit(BODY_LIMIT),
        Route::new(Method::GET, "/until-drained", until_drained),
    ];
    vec![Table { at: "", routes, wire: Arc::new(Plain) }]
}

fn configure(resolved: &Resolved, report: &mut Report) -> Option<Arc<dyn Configured>> {
    let greeting = resolved.text("dummy.greeting").to_owned();
    if greeting.contains('!') {
        resolved.complain("dummy.greeting", "must not shout", &mut report.problems);
    }
    Some(Arc::new(Dummy { greeting }))
}

fn alone(variables: std::collections::BTreeMap<String, String>) -> Result<AloneConfig, Vec<Problem>> {
    let variable = |name: &str| variables.get(name).cloned().unwrap_or_default();
    Ok(AloneConfig {
        service: Arc::new(Dummy { greeting: variable("DUMMY_GREETING") }),
        host: "127.0.0.1".to_owned(),
        port: 0,
        database_url: Secret::new(variable("DATABASE_URL")),
        database_variable: "DATABASE_URL",
        connections: 1,
        proxies: gateway::client_ip::TrustedProxies::default(),
        policy: CallerPolicy::supabase(Keys::builder().build(), gateway::keys::ApiKeys::default()),
        warnings: Vec::new(),
    })
}

struct Dummy {
    greeting: String,
}

impl Configured for Dummy {
    fn start(&self, context: Context) -> BoxFuture<'_, Result<Arc<dyn Service>, Failed>> {
        Box::pin(async move {
            let running = Running {
                greeting: self.greeting.clone(),
                pool: context.pool()?,
                draining: Arc::new(watch::Sender::new(false)),
            };
            Ok(Arc::new(running) as Arc<dyn Service>)
        })
    }
}

#[derive(Clone)]
struct Running {
    greeting: String,
    pool: Pool,
    draining: Arc<watch::Sender<bool>>,
}

impl Service for Running {
    fn mount(&self, scope: &mut web::ServiceConfig) {
        scope.app_data(web::Data::new(self.clone()));
        for table in tables() {
            table.mount(scope);
        }
    }

    fn gauges(&self, events: &Events) {
        events.pool("dummy", self.pool.status());
    }

    fn drain(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            self.draining.send_replace(true);
        })
    }

    fn close(&self, _: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async { self.pool.close() })
    }
}

/// Returns the greeting and the service's login role, which owns its table.
async fn greeting(_: Anyone, running: web::Data<Running>) -> HttpResponse {
    let connection = running.pool.get().await.unwrap();
    let row = connection.query_one("select current_user::text, count(*) from dummy.greetings", &[]).await.unwrap();
    HttpResponse::Ok().body(format!("{} from {}", running.greeting, row.get::<_, String>(0)))
}

async fn echo(_: Anyone, request: HttpRequest, payload: web::Payload) -> Result<HttpResponse, actix_web::Error> {
    let body = body::read(&request, &mut payload.into_inner()).await;
    let body = body.map_err(|refusal| gateway::wire::refuse(&request, refusal))?;
    Ok(HttpResponse::Ok().body(body.into_bytes()))
}

/// Responds when the service is drained. If HTTP stopped first, it would never respond.
async fn until_drained(_: Anyone, running: web::Data<Running>) -> HttpResponse {
    WAITING.store(true, Ordering::SeqCst);
    let _ = running.draining.subscribe().wait_for(|draining| *draining).await;
    HttpResponse::Ok().body("drained")
}

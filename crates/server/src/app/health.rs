//! Whether the server can do its work: `/health` for everyone, `/live`, `/ready` and `/metrics` on the admin port.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::http::header::RETRY_AFTER;
use actix_web::web::{self, Data};
use actix_web::{HttpResponse, Responder};
use gateway::Anyone;
use gateway::events::Events;
use gateway::service::Condition;
use serde_json::json;
use tokio::sync::Mutex;

use crate::services::Services;

/// How old an answer may be: anybody may ask, and a flood of questions must neither reach the database nor keep a load
/// balancer's probe from its answer.
const FRESH: Duration = Duration::from_millis(500);

/// When the database was asked, and what came of it.
type Checked = (Instant, Result<Condition, String>);

/// Answers whether the database answers. Cloning shares the pool and the last answer.
#[derive(Clone)]
pub(crate) struct Health {
    pool: pg::Pool,
    postgres_version: Arc<str>,
    services: Services,
    last: Arc<Mutex<Option<Checked>>>,
}

impl Health {
    /// Nobody has asked yet.
    pub(crate) fn new(pool: pg::Pool, postgres_version: &str, services: Services) -> Self {
        Health { pool, postgres_version: postgres_version.into(), services, last: Arc::default() }
    }

    /// `Err` with the reason when the database cannot be asked. Those who ask meanwhile wait for the same answer.
    async fn check(&self) -> Result<Condition, String> {
        let mut last = self.last.lock().await;
        if let Some((asked, answer)) = &*last
            && asked.elapsed() < FRESH
        {
            return answer.clone();
        }
        let answer = self.ask().await;
        *last = Some((Instant::now(), answer.clone()));
        answer
    }

    async fn ask(&self) -> Result<Condition, String> {
        use pg::pool::Query;
        let connection = self.pool.get().await.map_err(|error| error.to_string())?;
        connection.execute("select 1", &[]).await.map_err(|error| error.to_string())?;
        Ok(self.services.condition().await)
    }
}

/// `GET /health`: 200 with the PostgreSQL version, or 503 with Retry-After. `status` is `ok`, or `degraded` while requests are
/// answered with an outdated catalog. The reason is for the log, not for the world.
pub(super) async fn health(_: Anyone, health: Data<Health>) -> impl Responder {
    match health.check().await {
        Ok(condition) => {
            let mut body = json!({ "status": "ok", "postgres": &*health.postgres_version });
            if let Condition::Degraded(reason) = condition {
                body["status"] = "degraded".into();
                body["reason"] = reason.into();
            }
            HttpResponse::Ok().insert_header(("cache-control", "no-store")).json(body)
        }
        Err(_) => HttpResponse::ServiceUnavailable()
            .insert_header((RETRY_AFTER, "1"))
            .insert_header(("cache-control", "no-store"))
            .json(json!({ "status": "unavailable", "reason": "the database does not answer" })),
    }
}

/// The admin port: for the operator's own eyes and scrapers, on the loopback address only.
pub(crate) fn admin(health: Health, services: Services, events: Events, app: &mut web::ServiceConfig) {
    app.app_data(Data::new(health))
        .app_data(Data::new(services))
        .app_data(Data::new(events))
        .route("/live", web::get().to(|| async { HttpResponse::Ok().finish() }))
        .route("/ready", web::get().to(ready))
        .route("/metrics", web::get().to(metrics));
}

/// As PostgREST's `/ready`, which is 503 with an outdated catalog, too.
async fn ready(health: Data<Health>) -> impl Responder {
    match health.check().await {
        Ok(Condition::Well) => HttpResponse::Ok().finish(),
        Ok(Condition::Degraded(reason)) => HttpResponse::ServiceUnavailable().body(reason),
        Err(reason) => HttpResponse::ServiceUnavailable().body(reason),
    }
}

async fn metrics(events: Data<Events>, health: Data<Health>, services: Data<Services>) -> impl Responder {
    events.pool("health", health.pool.status());
    services.gauge(&events);
    HttpResponse::Ok().content_type("application/openmetrics-text; version=1.0.0; charset=utf-8").body(events.render())
}

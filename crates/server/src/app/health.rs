//! Health checks: `/health` for everyone; `/live`, `/ready` and `/metrics` on the admin port.

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

/// How long a result is reused. Anyone may call `/health`: a flood of requests must neither reach the database nor delay
/// the probe of a load balancer.
const FRESH: Duration = Duration::from_millis(500);

/// When the database was last checked, and the result.
type Checked = (Instant, Result<Condition, String>);

/// Checks the database and the services. Clones share the pool and the last result.
#[derive(Clone)]
pub(crate) struct Health {
    pool: pg::Pool,
    postgres_version: Arc<str>,
    services: Services,
    last: Arc<Mutex<Option<Checked>>>,
}

impl Health {
    /// No check has run yet.
    pub(crate) fn new(pool: pg::Pool, postgres_version: &str, services: Services) -> Self {
        Health { pool, postgres_version: postgres_version.into(), services, last: Arc::default() }
    }

    /// `Err` contains the reason if the database cannot be reached. Concurrent callers wait for the same check.
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

/// `GET /health`: 200 with the PostgreSQL version, or 503 with Retry-After. `status` is `ok`, or `degraded` while the
/// catalog of the data API is outdated. Why the database cannot be reached is not disclosed here.
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

/// Routes of the admin port, which listens on 127.0.0.1 only.
pub(crate) fn admin(health: Health, services: Services, events: Events, app: &mut web::ServiceConfig) {
    app.app_data(Data::new(health))
        .app_data(Data::new(services))
        .app_data(Data::new(events))
        .route("/live", web::get().to(|| async { HttpResponse::Ok().finish() }))
        .route("/ready", web::get().to(ready))
        .route("/metrics", web::get().to(metrics));
}

/// `GET /ready`: like PostgREST's, also 503 while the catalog is outdated.
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

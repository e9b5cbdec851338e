//! All log events and metrics as one enum with two consumers: the structured log and the metrics.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

/// An event. Its fields are facts; none holds a secret, a token or a query string.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A request was answered.
    Request {
        /// The request's id.
        id: &'a str,
        /// The HTTP method.
        method: &'a str,
        /// The path without its query.
        path: &'a str,
        /// The status of the response.
        status: u16,
        /// From the first byte of the request to the start of the response.
        duration: Duration,
        /// The client's address.
        client_ip: IpAddr,
        /// The length of the body, if known beforehand.
        bytes: Option<u64>,
    },
    /// A defect or an outage ended a request with a 5xx status.
    Fault {
        /// The id that the client got.
        error_id: &'a str,
        /// The service.
        service: &'static str,
        /// Source file and line of the failure.
        location: &'a str,
        /// What went wrong, with SQLSTATE and context for a database error.
        detail: &'a str,
    },
    /// The catalog of the data API was loaded.
    CatalogLoaded {
        /// How long it took.
        duration: Duration,
        /// Number of tables and views.
        relations: usize,
        /// Number of functions.
        routines: usize,
    },
    /// The catalog could not be loaded; the previous one, if any, stays in use.
    CatalogFailed {
        /// The reason.
        detail: &'a str,
    },
    /// A refresh token was reused after its reuse interval: its session is revoked.
    RefreshTokenReuse {
        /// The session.
        session_id: &'a str,
    },
    /// A user signed in, up or out; `action` is GoTrue's name in its audit log.
    AuthAction {
        /// `login`, `user_signedup`, `logout`, `token_refreshed`, …
        action: &'static str,
        /// The user.
        user_id: &'a str,
    },
    /// A mail server or SMS provider accepted a message to a user.
    MessageSent {
        /// `confirmation`, `email_change`, …
        kind: &'static str,
        /// The user.
        user_id: &'a str,
    },
    /// A password was hashed, to store or compare it.
    PasswordHashed,
    /// A message to a user could not be sent.
    MessageNotSent {
        /// `confirmation`, `email_change`, …
        kind: &'static str,
        /// The user.
        user_id: &'a str,
        /// Why; never its content.
        reason: &'a str,
    },
    /// The project's own text for a message could not be used; the built-in one was sent.
    TemplateFailed {
        /// `confirmation`, `email_change`, …
        kind: &'static str,
        /// Why.
        reason: &'a str,
    },
    /// A hook was called.
    Hook {
        /// `send-email`, `before-user-created`, …
        name: &'static str,
        /// How long it took, with all attempts.
        duration: Duration,
        /// Why it failed, if it did; never what it said about a user.
        failure: Option<&'a str>,
    },
    /// An external service could not be reached, and we continued without it.
    Outage {
        /// `haveibeenpwned`
        name: &'static str,
        /// Why.
        reason: &'a str,
    },
    /// Expired rows were deleted.
    CleanedUp {
        /// `revoked_tokens`, `flow_state`, …
        kind: &'static str,
        /// The number of rows.
        rows: u64,
    },
    /// Expired rows could not be deleted; the next round tries again.
    CleanupFailed {
        /// `revoked_tokens`, `flow_state`, …
        kind: &'static str,
        /// Why.
        detail: &'a str,
    },
    /// A request was answered 429.
    RateLimited {
        /// The request's id.
        request_id: &'a str,
        /// The limit: `signup`, `token`, `emails of the project`, `password hashing`, …
        class: &'static str,
        /// The client.
        client_ip: IpAddr,
        /// The value of `Retry-After`, in seconds.
        retry_after: i64,
    },
    /// A peer that is no trusted proxy sent `X-Forwarded-For`. Emitted once: see [`Events::undeclared_proxy`].
    UndeclaredProxy {
        /// The peer.
        peer: IpAddr,
    },
    /// The embedded PostgreSQL stopped or started again.
    Postgres {
        /// `up` or `down`.
        state: &'static str,
        /// Why, if known.
        detail: &'a str,
    },
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RequestLabels {
    service: &'static str,
    method: &'static str,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ServiceLabel {
    service: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct NameLabel {
    name: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct PoolLabels {
    pool: &'static str,
    state: &'static str,
}

/// Consumes events. Clones share the metrics.
#[derive(Clone)]
pub struct Events {
    inner: Arc<Inner>,
}

struct Inner {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    durations: Family<ServiceLabel, Histogram, fn() -> Histogram>,
    others: Family<NameLabel, Counter>,
    connections: Family<PoolLabels, Gauge>,
    warned_of_proxy: AtomicBool,
    /// (prefix, name): a fixed set, so that a scanner's paths cannot grow the metrics.
    services: Vec<(&'static str, &'static str)>,
}

fn duration_buckets() -> Histogram {
    // 0.5 ms to 16 s.
    Histogram::new(exponential_buckets(0.0005, 2.0, 16))
}

impl Default for Events {
    fn default() -> Self {
        Events::of([])
    }
}

impl Events {
    /// Counts requests by service: each has a prefix and a name.
    pub fn of(services: impl IntoIterator<Item = (&'static str, &'static str)>) -> Self {
        let mut registry = Registry::with_prefix("dugout");
        let requests = Family::default();
        let durations: Family<ServiceLabel, Histogram, fn() -> Histogram> =
            Family::new_with_constructor(duration_buckets);
        let others = Family::default();
        let connections = Family::default();
        registry.register("http_requests", "Requests answered", requests.clone());
        registry.register("http_request_duration_seconds", "Time until the answer began", durations.clone());
        registry.register("events", "Other events by name", others.clone());
        registry.register("db_connections", "Connections by pool and state", connections.clone());
        Events {
            inner: Arc::new(Inner {
                registry,
                requests,
                durations,
                others,
                connections,
                warned_of_proxy: AtomicBool::new(false),
                services: services.into_iter().collect(),
            }),
        }
    }

    /// Logs and counts the event.
    pub fn emit(&self, event: Event<'_>) {
        self.count(&event);
        log(&event);
    }

    /// Warns of an undeclared proxy, but only once: any client can send the header with each request.
    pub fn undeclared_proxy(&self, peer: IpAddr) {
        if !self.inner.warned_of_proxy.swap(true, Ordering::Relaxed) {
            self.emit(Event::UndeclaredProxy { peer });
        }
    }

    /// Sets the connection gauges of a pool.
    pub fn pool(&self, pool: &'static str, (open, idle, waiting): (usize, usize, usize)) {
        for (state, value) in [("open", open), ("idle", idle), ("waiting", waiting)] {
            let value = i64::try_from(value).unwrap_or(i64::MAX);
            self.inner.connections.get_or_create(&PoolLabels { pool, state }).set(value);
        }
    }

    /// The metrics in the OpenMetrics text format.
    pub fn render(&self) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = prometheus_client::encoding::text::encode(&mut text, &self.inner.registry);
        text
    }

    fn count(&self, event: &Event<'_>) {
        if let Event::Request { method, path, status, duration, .. } = event {
            let of = |(prefix, _): &&(&str, &str)| path.starts_with(prefix);
            let service = self.inner.services.iter().find(of).map_or("app", |(_, service)| service);
            let labels = RequestLabels { service, method: known_method(method), status: *status };
            self.inner.requests.get_or_create(&labels).inc();
            self.inner.durations.get_or_create(&ServiceLabel { service }).observe(duration.as_secs_f64());
        } else {
            self.inner.others.get_or_create(&NameLabel { name: event.name() }).inc();
        }
    }
}

impl Event<'_> {
    fn name(&self) -> &'static str {
        match self {
            Event::Request { .. } => "request",
            Event::Fault { .. } => "fault",
            Event::CatalogLoaded { .. } => "catalog_loaded",
            Event::CatalogFailed { .. } => "catalog_failed",
            Event::RefreshTokenReuse { .. } => "refresh_token_reuse",
            Event::AuthAction { action, .. } => action,
            Event::MessageSent { .. } => "message_sent",
            Event::PasswordHashed => "password_hashed",
            Event::MessageNotSent { .. } => "message_not_sent",
            Event::TemplateFailed { .. } => "template_failed",
            Event::Hook { failure: None, .. } => "hook",
            Event::Hook { .. } => "hook_failed",
            Event::Outage { .. } => "outage",
            Event::CleanedUp { .. } => "cleaned_up",
            Event::CleanupFailed { .. } => "cleanup_failed",
            Event::RateLimited { .. } => "rate_limited",
            Event::UndeclaredProxy { .. } => "undeclared_proxy",
            Event::Postgres { .. } => "postgres",
        }
    }
}

fn log(event: &Event<'_>) {
    let name = event.name();
    match event {
        // A log line per request would cost more than many requests do, so all are counted and few are logged. As in
        // PostgREST, requests that failed on our side are always logged, and the others with
        // `DUGOUT_LOG=info,gateway::events=debug`.
        Event::Request { id, method, path, status, duration, client_ip, bytes } => {
            let duration_ms = duration.as_secs_f64() * 1000.0;
            if *status >= 500 {
                tracing::info!(
                    event = name, request_id = id, http.method = method, http.path = path, http.status = status,
                    duration_ms, client.ip = %client_ip, http.bytes = bytes,
                );
            } else {
                tracing::debug!(
                    event = name, request_id = id, http.method = method, http.path = path, http.status = status,
                    duration_ms, client.ip = %client_ip, http.bytes = bytes,
                );
            }
        }
        Event::Fault { error_id, service, location, detail } => {
            tracing::error!(event = name, error.id = error_id, service, location, detail);
        }
        Event::CatalogLoaded { duration, relations, routines } => {
            tracing::info!(event = name, duration_ms = duration.as_secs_f64() * 1000.0, relations, routines);
        }
        Event::CatalogFailed { detail } => tracing::warn!(event = name, detail),
        Event::RefreshTokenReuse { session_id } => tracing::warn!(event = name, session_id),
        Event::AuthAction { user_id, .. } => tracing::info!(event = name, user_id),
        Event::MessageSent { kind, user_id } => tracing::info!(event = name, kind, user_id),
        // Only counted.
        Event::PasswordHashed => tracing::trace!(event = name),
        Event::MessageNotSent { kind, user_id, reason } => tracing::warn!(event = name, kind, user_id, reason),
        Event::TemplateFailed { kind, reason } => tracing::warn!(event = name, kind, reason),
        Event::Hook { name: hook, duration, failure: None } => {
            tracing::info!(event = name, hook, duration_ms = duration.as_secs_f64() * 1000.0);
        }
        Event::Hook { name: hook, duration, failure: Some(failure) } => {
            tracing::warn!(event = name, hook, duration_ms = duration.as_secs_f64() * 1000.0, failure);
        }
        Event::Outage { name: of, reason } => tracing::warn!(event = name, of, reason),
        Event::CleanedUp { kind, rows } => tracing::info!(event = name, kind, rows),
        Event::CleanupFailed { kind, detail } => tracing::warn!(event = name, kind, detail),
        Event::RateLimited { request_id, class, client_ip, retry_after } => {
            tracing::info!(event = name, request_id, class, client.ip = %client_ip, retry_after);
        }
        Event::UndeclaredProxy { peer } => tracing::warn!(
            event = name, %peer,
            detail = "X-Forwarded-For is ignored from this peer: if it is your proxy, name it in trusted_proxies (DUGOUT_TRUSTED_PROXIES), \
                or all clients behind it count as one"
        ),
        Event::Postgres { state, detail } => tracing::warn!(event = name, state, detail),
    }
}

fn known_method(method: &str) -> &'static str {
    const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    METHODS.iter().find(|known| **known == method).copied().unwrap_or("other")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_service_and_never_by_path() {
        let events = Events::of([("/auth/v1", "auth"), ("/rest/v1", "rest")]);
        for path in ["/rest/v1/players", "/rest/v1/teams", "/wp-login.php"] {
            events.emit(Event::Request {
                id: "1",
                method: "GET",
                path,
                status: 200,
                duration: Duration::from_millis(1),
                client_ip: [127, 0, 0, 1].into(),
                bytes: None,
            });
        }
        let text = events.render();
        assert!(text.contains(r#"dugout_http_requests_total{service="rest",method="GET",status="200"} 2"#), "{text}");
        assert!(text.contains(r#"service="app""#) && !text.contains("wp-login"), "{text}");
    }
}

//! Hooks that are HTTP servers.
//!
//! Source: supabase/auth, `internal/hooks/hookshttp/hookshttp.go`.
//!
//! DEVIATION (safer): a redirect from a hook is a failure; GoTrue follows it.

use std::time::Duration;

use actix_web::mime::Mime;
use chrono::{DateTime, Utc};
use gateway::HttpClient;
use gateway::http_client::{HttpError, Reply};
use url::Url;
use uuid::Uuid;

use super::signature::signatures;
use crate::config::Hook;
use crate::error::HookError;

/// Time limit of all attempts together, in seconds.
pub(super) const SECONDS: u64 = 5;
const ATTEMPTS: u32 = 3;
/// Pause before the next attempt if the server was unreachable.
const BACKOFF: Duration = Duration::from_secs(2);
/// Maximum size of a hook's answer, in bytes.
const LIMIT: usize = 200 * 1024;

/// The outcome of one attempt.
enum Attempt {
    Answered(Option<Vec<u8>>),
    /// The server asks for a retry.
    Later,
    Unreachable,
}

/// Posts `body` to the hook; returns its answer, if any.
pub(crate) async fn call(
    client: &HttpClient,
    hook: &Hook,
    url: &Url,
    body: &str,
    now: DateTime<Utc>,
) -> Result<Option<Vec<u8>>, HookError> {
    let attempts = async {
        let mut attempt = 1;
        loop {
            let last = attempt == ATTEMPTS;
            match ask(client, hook, url, body, now).await? {
                Attempt::Answered(answer) => return Ok(answer),
                Attempt::Later if last => return Err(unavailable()),
                Attempt::Later => {}
                Attempt::Unreachable if last => return Err(HookError::Unreachable),
                Attempt::Unreachable => tokio::time::sleep(BACKOFF).await,
            }
            attempt += 1;
        }
    };
    let in_time = tokio::time::timeout(Duration::from_secs(SECONDS), attempts).await;
    in_time.unwrap_or(Err(HookError::TimedOut(SECONDS)))
}

async fn ask(
    client: &HttpClient,
    hook: &Hook,
    url: &Url,
    body: &str,
    now: DateTime<Utc>,
) -> Result<Attempt, HookError> {
    let (id, seconds) = (Uuid::new_v4().to_string(), now.timestamp());
    let time = seconds.to_string();
    let signature = signatures(&hook.secrets, &id, seconds, body);
    let headers = [
        ("webhook-id", id.as_str()),
        ("webhook-timestamp", &time),
        ("webhook-signature", &signature),
        ("accept-encoding", "identity"),
    ];
    match client.post_json(url, &headers, body.to_owned(), LIMIT).await {
        Ok(reply) => read(reply),
        Err(HttpError::TooLong(limit)) => Err(HookError::TooLong(limit)),
        Err(HttpError::TimedOut) => Err(HookError::TimedOut(SECONDS)),
        Err(_) => Ok(Attempt::Unreachable),
    }
}

fn read(reply: Reply) -> Result<Attempt, HookError> {
    let failed = |text: &str| Err(HookError::Failed(text.to_owned()));
    match reply.status {
        204 => Ok(Attempt::Answered(None)),
        200 | 202 => {
            check_type(reply.header("content-type"))?;
            Ok(Attempt::Answered(Some(reply.body)))
        }
        429 | 503 if !reply.header("retry-after").is_empty() => Ok(Attempt::Later),
        429 | 503 => Err(unavailable()),
        400 => failed("Invalid payload sent to hook"),
        401 => failed("Hook requires authorization token"),
        other => failed(&format!("Unexpected status code returned from hook: {other}")),
    }
}

fn unavailable() -> HookError {
    HookError::Failed("Service currently unavailable due to hook".to_owned())
}

fn check_type(declared: &str) -> Result<(), HookError> {
    if declared.is_empty() {
        return Err(HookError::ContentType("Invalid Content-Type: Missing Content-Type header".to_owned()));
    }
    match declared.parse::<Mime>() {
        Err(error) => Err(HookError::ContentType(format!("Invalid Content-Type header: {error}"))),
        Ok(kind) if kind.essence_str() == "application/json" => Ok(()),
        Ok(_) => Err(HookError::ContentType(format!("Invalid JSON response. Received content-type: {declared}"))),
    }
}

//! Posts events to the webhook, with retries.
//!
//! Source: supabase/storage, `src/storage/events/lifecycle/webhook.ts` and `src/internal/queue/queue.ts`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use chrono::{SecondsFormat, Utc};
use gateway::Secret;
use gateway::http_client::HttpClient;
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use url::Url;

use super::outbox::{self, Outbox, Waiting};
use crate::config::Endpoint;

/// How long the webhook may take to answer: upstream's time for a connection and for the answer.
const PATIENCE: Duration = Duration::from_secs(6);
/// Maximum number of events that are being sent.
const PENDING: u32 = 1000;
/// Maximum number of events that wait for a retry.
const WAITING: usize = 10_000;
/// Maximum number of retries of an event.
const REPETITIONS: u32 = 20;
/// The pause before the first retry. Each further pause is twice as long.
const PAUSE: Duration = Duration::from_secs(1);
/// The longest pause.
const LONGEST: Duration = Duration::from_secs(1 << 15);
/// Maximum size of an answer, in bytes; nobody reads it.
const ANSWER: usize = 64 * 1024;
/// What upstream calls a region that no setting names.
const REGION: &str = "not-specified";

/// The webhook.
#[derive(Clone)]
pub(crate) struct Webhook {
    to: Option<Arc<Url>>,
    key: Secret<String>,
    /// `{"ref": …, "host": …}`
    tenant: Value,
    client: HttpClient,
    turns: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    outbox: Outbox,
    /// Outlives the workers that handle requests.
    runtime: Handle,
}

impl Webhook {
    /// The webhook of `tenant`, which is reached at `host`. Starts to send the events that an earlier run left in `folder`. Must
    /// be called on the server's main runtime.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub(crate) fn new(endpoint: &Endpoint, tenant: &str, host: &str, folder: PathBuf) -> std::io::Result<Self> {
        let webhook = Webhook {
            to: endpoint.url.clone().map(Arc::new),
            key: endpoint.key.clone(),
            tenant: json!({ "ref": tenant, "host": host }),
            client: HttpClient::new(PATIENCE)?,
            turns: Arc::new(Semaphore::new(PENDING as usize)),
            waiting: Arc::new(Semaphore::new(WAITING)),
            outbox: Outbox::new(folder),
            runtime: Handle::current(),
        };
        if let Some(to) = &webhook.to {
            webhook.runtime.spawn(webhook.clone().resume(to.clone()));
        }
        Ok(webhook)
    }

    /// Whether anybody hears of events.
    pub(crate) fn is_configured(&self) -> bool {
        self.to.is_some()
    }

    /// Sends an event in the background, with retries. Adds the tenant to the payload.
    ///
    /// DEVIATION (more): no request waits for the webhook, as upstream with its queue. An event that failed waits in a file for
    /// its repetition, which a restart does not lose; upstream's queue is in the database, and without it events are sent once.
    pub(crate) fn send(&self, kind: &'static str, mut payload: Value) {
        let Some(to) = self.to.clone() else { return };
        let Ok(turn) = self.turns.clone().try_acquire_owned() else {
            tracing::error!(event = "storage_webhook_failed", kind, detail = "too many events are being sent");
            return;
        };
        payload["tenant"] = self.tenant.clone();
        let event = json!({
            "$version": "v1",
            "type": kind,
            "region": REGION,
            "payload": payload,
            "applyTime": Utc::now().timestamp_millis(),
        });
        self.runtime.spawn(self.clone().deliver(to, Waiting::new(event), Some(turn)));
    }

    /// Sends an event until it is delivered or all retries have failed. With a `turn` the first attempt is made now, without one
    /// after a pause.
    async fn deliver(self, to: Arc<Url>, mut event: Waiting, mut turn: Option<OwnedSemaphorePermit>) {
        let mut place = None;
        loop {
            if let Some(turn) = turn.take() {
                let sent = self.post(&to, &event).await;
                let Err(reason) = sent else {
                    return self.outbox.forget(&event).await;
                };
                event.attempts += 1;
                let kind = event.kind();
                tracing::error!(event = "storage_webhook_failed", kind, attempts = event.attempts, detail = reason);
                if event.attempts > REPETITIONS {
                    return self.outbox.forget(&event).await;
                }
                self.outbox.keep(&event).await;
                // [`Webhook::finish`] waits for the turn: release it only once the event is on disk.
                drop(turn);
            }
            if place.is_none() {
                let Ok(found) = self.waiting.clone().try_acquire_owned() else {
                    tracing::error!(event = "storage_webhook_lost", kind = event.kind(), "too many events wait");
                    return self.outbox.forget(&event).await;
                };
                place = Some(found);
            }
            tokio::time::sleep(pause(event.attempts)).await;
            turn = self.turns.clone().acquire_owned().await.ok();
        }
    }

    async fn post(&self, to: &Url, event: &Waiting) -> Result<(), String> {
        let body = json!({
            "type": "Webhook",
            "event": event.event,
            "sentAt": Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true),
            "tenant": self.tenant,
        });
        let authorization = format!("Bearer {}", self.key.reveal());
        let headers = [("authorization", authorization.as_str())];
        let headers = if self.key.reveal().is_empty() { &[][..] } else { &headers[..] };
        match self.client.post_json(to, headers, body.to_string(), ANSWER).await {
            Ok(reply) if (200..300).contains(&reply.status) => Ok(()),
            Ok(reply) => Err(format!("the webhook answered {}", reply.status)),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Sends the events that an earlier run of the server left.
    async fn resume(self, to: Arc<Url>) {
        for event in self.outbox.left().await {
            self.runtime.spawn(self.clone().deliver(to.clone(), event, None));
        }
    }

    /// Waits until no event is being sent: each is delivered, given up or waits for a retry.
    pub(crate) async fn finish(&self, within: Duration) {
        drop(tokio::time::timeout(within, self.turns.acquire_many(PENDING)).await);
        // Waiting events stay in their files for the next start.
        self.turns.close();
    }
}

/// The pause after `attempts` attempts, with jitter: between half of it and all of it, so that events are not all sent at once.
fn pause(attempts: u32) -> Duration {
    let whole = PAUSE.saturating_mul(1_u32.checked_shl(attempts).unwrap_or(u32::MAX)).min(LONGEST * 2);
    whole / 2 + whole.mul_f64(outbox::chance() / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_hours() {
        for (attempts, least) in [(0, 0.5), (1, 1.0), (2, 2.0), (5, 16.0), (16, 32768.0), (20, 32768.0), (90, 32768.0)]
        {
            let seconds = pause(attempts).as_secs_f64();
            assert!((least..=2.0 * least).contains(&seconds), "{seconds} s after {attempts}");
        }
    }
}

//! Posts events to the webhook.
//!
//! Source: supabase/storage, `src/storage/events/lifecycle/webhook.ts`.

use std::sync::Arc;
use std::time::Duration;

use chrono::{SecondsFormat, Utc};
use gateway::Secret;
use gateway::http_client::HttpClient;
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use url::Url;

use crate::config::Endpoint;

/// How long the webhook may take to answer: upstream's time for a connection and for the answer.
const PATIENCE: Duration = Duration::from_secs(6);
/// Maximum number of events that are being sent.
const PENDING: u32 = 1000;
/// Maximum size of an answer, in bytes; nobody reads it.
const ANSWER: usize = 64 * 1024;
/// What upstream calls a region that no setting names.
const REGION: &str = "not-specified";

/// The webhook.
#[derive(Clone, Debug)]
pub(crate) struct Webhook {
    to: Option<Arc<Url>>,
    key: Secret<String>,
    /// `{"ref": …, "host": …}`
    tenant: Value,
    client: HttpClient,
    turns: Arc<Semaphore>,
    /// Outlives the workers that handle requests.
    runtime: Handle,
}

impl Webhook {
    /// The webhook of `tenant`, which is reached at `host`. Must be called on the server's main runtime.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub(crate) fn new(endpoint: &Endpoint, tenant: &str, host: &str) -> std::io::Result<Self> {
        Ok(Webhook {
            to: endpoint.url.clone().map(Arc::new),
            key: endpoint.key.clone(),
            tenant: json!({ "ref": tenant, "host": host }),
            client: HttpClient::new(PATIENCE)?,
            turns: Arc::new(Semaphore::new(PENDING as usize)),
            runtime: Handle::current(),
        })
    }

    /// Whether anybody hears of events.
    pub(crate) fn is_configured(&self) -> bool {
        self.to.is_some()
    }

    /// Sends an event, whose payload lacks only the tenant. A failure is logged.
    ///
    /// DEVIATION (more): no request waits for the webhook, as upstream with its queue; events are sent once, without the
    /// queue's repetitions.
    pub(crate) fn send(&self, kind: &'static str, mut payload: Value) {
        let Some(to) = self.to.clone() else { return };
        let Ok(turn) = self.turns.clone().try_acquire_owned() else {
            tracing::error!(event = "storage_webhook_failed", kind, detail = "too many events are being sent");
            return;
        };
        payload["tenant"] = self.tenant.clone();
        let now = Utc::now();
        let body = json!({
            "type": "Webhook",
            "event": {
                "$version": "v1",
                "type": kind,
                "region": REGION,
                "payload": payload,
                "applyTime": now.timestamp_millis(),
            },
            "sentAt": now.to_rfc3339_opts(SecondsFormat::Millis, true),
            "tenant": self.tenant,
        });
        let (client, key) = (self.client.clone(), self.key.clone());
        self.runtime.spawn(async move {
            let _turn = turn;
            let authorization = format!("Bearer {}", key.reveal());
            let headers = [("authorization", authorization.as_str())];
            let headers = if key.reveal().is_empty() { &[][..] } else { &headers[..] };
            let failed = match client.post_json(&to, headers, body.to_string(), ANSWER).await {
                Ok(reply) if (200..300).contains(&reply.status) => return,
                Ok(reply) => format!("the webhook answered {}", reply.status),
                Err(error) => error.to_string(),
            };
            tracing::error!(event = "storage_webhook_failed", kind, detail = failed);
        });
    }

    /// Waits until all events are sent.
    pub(crate) async fn finish(&self, within: Duration) {
        drop(tokio::time::timeout(within, self.turns.acquire_many(PENDING)).await);
    }
}

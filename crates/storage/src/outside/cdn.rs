//! Purges the caches of a CDN.
//!
//! Source: supabase/storage, `src/storage/cdn/cdn-cache-manager.ts`.

use std::time::Duration;

use gateway::Secret;
use gateway::http_client::HttpClient;
use serde_json::{Value, json};
use url::Url;

use crate::config::Endpoint;
use crate::error::StorageError;

/// How long a purge may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// Maximum size of an answer, in bytes; nobody reads it.
const ANSWER: usize = 64 * 1024;

/// What to purge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Tenant,
    Bucket(String),
    Object(String, String),
}

/// The server that purges caches.
#[derive(Clone, Debug)]
pub(crate) struct Cdn {
    to: Option<Url>,
    key: Secret<String>,
    tenant: String,
    client: HttpClient,
}

impl Cdn {
    /// # Errors
    /// If TLS cannot be set up.
    pub(crate) fn new(endpoint: &Endpoint, tenant: &str) -> std::io::Result<Self> {
        let to = endpoint.url.clone().map(purge);
        let client = HttpClient::new(PATIENCE)?;
        Ok(Cdn { to, key: endpoint.key.clone(), tenant: tenant.to_owned(), client })
    }

    /// Purges a place; with `transforms` only what was made of its images.
    ///
    /// # Errors
    /// `MissingParameter` if no server is configured, `InternalError` if it does not answer with success.
    pub(crate) async fn purge(&self, place: &Place, transforms: bool) -> Result<(), StorageError> {
        let to =
            self.to.as_ref().ok_or_else(|| StorageError::missing_parameter("CDN_PURGE_ENDPOINT_URL is not set"))?;
        let authorization = format!("Bearer {}", self.key.reveal());
        let headers = [("authorization", authorization.as_str())];
        let headers = if self.key.reveal().is_empty() { &[][..] } else { &headers[..] };
        let body = self.body(place, transforms).to_string();
        let failed = match self.client.post_json(to, headers, body, ANSWER).await {
            Ok(reply) if (200..300).contains(&reply.status) => return Ok(()),
            Ok(reply) => format!("the server answered {}", reply.status),
            Err(error) => error.to_string(),
        };
        tracing::error!(event = "storage_cdn_failed", detail = failed);
        Err(StorageError::new(500, "InternalError", "InternalError", "Error purging cache"))
    }

    /// Purges a bucket after a change, if a server is configured. A failure is only logged.
    pub(crate) async fn bucket_changed(&self, bucket: &str) {
        if self.to.is_some() {
            drop(self.purge(&Place::Bucket(bucket.to_owned()), false).await);
        }
    }

    fn body(&self, place: &Place, transforms: bool) -> Value {
        let kind = match (place, transforms) {
            (Place::Tenant, false) => "tenant",
            (Place::Tenant, true) => "tenant-transforms",
            (Place::Bucket(_), false) => "bucket",
            (Place::Bucket(_), true) => "bucket-transforms",
            (Place::Object(..), false) => "object",
            (Place::Object(..), true) => "object-transforms",
        };
        let mut body = json!({ "type": kind, "tenant": { "ref": self.tenant } });
        if let Place::Bucket(bucket) | Place::Object(bucket, _) = place {
            body["bucketId"] = Value::from(bucket.clone());
        }
        if let Place::Object(_, name) = place {
            body["objectName"] = Value::from(name.clone());
        }
        body
    }
}

/// The address with `/purge` at the end of its path, and nothing after that.
fn purge(mut url: Url) -> Url {
    let path = format!("{}/purge", url.path().strip_suffix('/').unwrap_or(url.path()));
    url.set_path(&path);
    url.set_query(None);
    url.set_fragment(None);
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_ends_with_purge() {
        for (given, expected) in [
            ("https://cdn.test", "https://cdn.test/purge"),
            ("https://cdn.test/a/?b=c#d", "https://cdn.test/a/purge"),
            ("https://cdn.test/a", "https://cdn.test/a/purge"),
        ] {
            assert_eq!(purge(Url::parse(given).unwrap()).as_str(), expected);
        }
    }
}

//! Discovery documents (OpenID Connect Discovery) and keys (RFC 7517) of issuers, each cached for a while.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use gateway::HttpClient;
use moka::sync::Cache;
use openidconnect::core::CoreJsonWebKeySet;
use serde::Deserialize;
use tokio::sync::Mutex;
use url::Url;

use super::Failure;
use super::id_claims::is_apple;
use crate::model::timestamp::after;
use crate::protocol::discovery::Discovery;

/// Maximum number of cached issuers.
const CAPACITY: u64 = 1000;
/// Minimum interval between requests for new keys when a token matches no key.
const KEYS_REST: TimeDelta = TimeDelta::seconds(30);

/// Where to find an issuer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whereabouts<'a> {
    pub(crate) issuer: &'a str,
    /// Its discovery URL; `None` means the standard path below its name.
    pub(crate) discovery_url: Option<&'a str>,
}

/// An issuer with its discovery document.
#[derive(Debug)]
pub(crate) struct Issuer {
    pub(crate) discovery: Discovery,
    keys: Mutex<Option<(Arc<CoreJsonWebKeySet>, DateTime<Utc>)>>,
    ttl: Duration,
}

/// The cache of issuers. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Issuers {
    known: Cache<(String, String), Arc<Slot>>,
    ttl: Duration,
}

/// One issuer, with the time of the request. The lock is held during a request, so that an issuer is never asked twice
/// concurrently.
type Slot = Mutex<Option<(Arc<Issuer>, DateTime<Utc>)>>;

/// Which keys to verify a token with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keys {
    /// The cached keys.
    Known,
    /// Newer keys, unless they were fetched a moment ago.
    Fresh,
}

impl Issuers {
    /// Documents are cached for `ttl`.
    pub(crate) fn new(ttl: Duration) -> Self {
        Issuers { known: Cache::new(CAPACITY), ttl }
    }

    /// The issuer; the cached document if it cannot be reached.
    ///
    /// # Errors
    /// If it has never answered, or its document names another issuer.
    pub(crate) async fn find(
        &self,
        http: &HttpClient,
        place: Whereabouts<'_>,
        now: DateTime<Utc>,
    ) -> Result<Arc<Issuer>, Failure> {
        let slot = self.known.get_with(place.key(), Arc::default);
        let mut known = slot.lock().await;
        if let Some((issuer, _)) = known.as_ref().filter(|(_, asked)| now < after(*asked, self.ttl)) {
            return Ok(Arc::clone(issuer));
        }
        match discover(http, place).await {
            Ok(discovery) => {
                let issuer = Arc::new(Issuer { discovery, keys: Mutex::default(), ttl: self.ttl });
                *known = Some((Arc::clone(&issuer), now));
                Ok(issuer)
            }
            Err(failure) => known.as_ref().map(|(issuer, _)| Arc::clone(issuer)).ok_or(failure),
        }
    }

    /// Removes an issuer from the cache.
    pub(crate) fn forget(&self, place: Whereabouts<'_>) {
        self.known.invalidate(&place.key());
    }
}

impl Whereabouts<'_> {
    fn key(self) -> (String, String) {
        (self.issuer.to_owned(), self.url())
    }

    /// The URL of the discovery document.
    pub(crate) fn url(self) -> String {
        match self.discovery_url {
            Some(url) => url.to_owned(),
            None => format!("{}/.well-known/openid-configuration", self.issuer.trim_end_matches('/')),
        }
    }
}

/// Fetches the discovery document.
///
/// # Errors
/// If there is no answer, or it names another issuer. Apple's two names may name each other.
pub(crate) async fn discover(http: &HttpClient, place: Whereabouts<'_>) -> Result<Discovery, Failure> {
    let discovery: Discovery = document(http, &place.url()).await?;
    let same = discovery.issuer == place.issuer || is_apple(place.issuer) && is_apple(&discovery.issuer);
    if same {
        return Ok(discovery);
    }
    Err(Failure::Answer(format!("is that of another issuer: expected {:?}, got {:?}", place.issuer, discovery.issuer)))
}

impl Issuer {
    /// The keys that the issuer signs tokens with.
    ///
    /// # Errors
    /// If they cannot be fetched.
    pub(crate) async fn keys(
        &self,
        http: &HttpClient,
        which: Keys,
        now: DateTime<Utc>,
    ) -> Result<Arc<CoreJsonWebKeySet>, Failure> {
        let mut known = self.keys.lock().await;
        let good = |asked: DateTime<Utc>| match which {
            Keys::Known => now < after(asked, self.ttl),
            Keys::Fresh => now < asked + KEYS_REST,
        };
        if let Some((keys, _)) = known.as_ref().filter(|(_, asked)| good(*asked)) {
            return Ok(Arc::clone(keys));
        }
        match document(http, &self.discovery.jwks_uri).await {
            Ok(keys) => {
                let keys = Arc::new(keys);
                *known = Some((Arc::clone(&keys), now));
                Ok(keys)
            }
            // Keep using the known keys while the server is unavailable.
            Err(failure) => known.as_ref().map(|(keys, _)| Arc::clone(keys)).ok_or(failure),
        }
    }
}

async fn document<T: for<'de> Deserialize<'de>>(http: &HttpClient, url: &str) -> Result<T, Failure> {
    let url = Url::parse(url).map_err(|_| Failure::Answer("names an address that is none".to_owned()))?;
    let answer = http.get_with(&url, &[("accept", "application/json")], super::MAX_ANSWER).await?;
    if answer.status != 200 {
        return Err(Failure::Status(answer.status));
    }
    serde_json::from_slice(&answer.body).map_err(|error| Failure::Answer(format!("cannot be read: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_below_the_name_unless_they_are_elsewhere() {
        let at = |issuer, discovery_url| Whereabouts { issuer, discovery_url }.url();
        assert_eq!(at("https://id.test/", None), "https://id.test/.well-known/openid-configuration");
        assert_eq!(at("https://id.test", Some("https://other.test/d")), "https://other.test/d");
    }

    #[test]
    fn descriptions_are_read_with_what_is_missing() {
        let text = r#"{"issuer":"https://id.test","subject_types_supported":"pairwise","claims_supported":["a"]}"#;
        let discovery: Discovery = serde_json::from_str(text).unwrap();
        assert_eq!(discovery.subject_types_supported, ["pairwise"]);
        assert!(discovery.jwks_uri.is_empty());
    }
}

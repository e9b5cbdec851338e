//! What issuers of ID tokens publish of themselves: their addresses (OpenID Connect Discovery) and their keys (RFC 7517), each
//! kept for a while.

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

/// So many issuers are kept.
const CAPACITY: u64 = 1000;
/// A token that no key fits makes us ask for new keys, but not more often than this.
const KEYS_REST: TimeDelta = TimeDelta::seconds(30);

/// Where an issuer is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whereabouts<'a> {
    pub(crate) issuer: &'a str,
    /// Where it describes itself; `None` is the usual place below its name.
    pub(crate) discovery_url: Option<&'a str>,
}

/// An issuer that has described itself.
#[derive(Debug)]
pub(crate) struct Issuer {
    pub(crate) discovery: Discovery,
    keys: Mutex<Option<(Arc<CoreJsonWebKeySet>, DateTime<Utc>)>>,
    ttl: Duration,
}

/// All issuers we have met. Cloning shares them.
#[derive(Clone, Debug)]
pub(crate) struct Issuers {
    known: Cache<(String, String), Arc<Slot>>,
    ttl: Duration,
}

/// One issuer, with the time at which it was asked. Whoever asks holds the lock: nobody asks twice at once.
type Slot = Mutex<Option<(Arc<Issuer>, DateTime<Utc>)>>;

/// Which keys a token is checked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keys {
    /// Those we have.
    Known,
    /// Newer ones, unless they were asked for a moment ago.
    Fresh,
}

impl Issuers {
    /// What is published is believed for `ttl`.
    pub(crate) fn new(ttl: Duration) -> Self {
        Issuers { known: Cache::new(CAPACITY), ttl }
    }

    /// The issuer, as it describes itself. When it cannot be reached, as it did the last time.
    ///
    /// # Errors
    /// When it has never answered, or says that it is somebody else.
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

    /// The next time, the issuer is asked again.
    pub(crate) fn forget(&self, place: Whereabouts<'_>) {
        self.known.invalidate(&place.key());
    }
}

impl Whereabouts<'_> {
    fn key(self) -> (String, String) {
        (self.issuer.to_owned(), self.url())
    }

    /// Where the description is.
    pub(crate) fn url(self) -> String {
        match self.discovery_url {
            Some(url) => url.to_owned(),
            None => format!("{}/.well-known/openid-configuration", self.issuer.trim_end_matches('/')),
        }
    }
}

/// Asks an issuer to describe itself.
///
/// # Errors
/// When there is no answer, or it is somebody else's. Apple's two names describe each other.
pub(crate) async fn discover(http: &HttpClient, place: Whereabouts<'_>) -> Result<Discovery, Failure> {
    let discovery: Discovery = document(http, &place.url()).await?;
    let same = discovery.issuer == place.issuer || is_apple(place.issuer) && is_apple(&discovery.issuer);
    if same {
        return Ok(discovery);
    }
    Err(Failure::Answer(format!("is that of another issuer: expected {:?}, got {:?}", place.issuer, discovery.issuer)))
}

impl Issuer {
    /// The keys that its tokens are signed with.
    ///
    /// # Errors
    /// When they cannot be had.
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
            // Keys do not become bad because the server is away for a moment.
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

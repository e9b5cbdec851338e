//! Fetches metadata of SAML identity providers.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use lru::LruCache;
use url::Url;
use uuid::Uuid;

use crate::error::SamlError;
use crate::outside::providers::{Network, check_address};

/// Maximum size of metadata, in bytes.
const MAX_METADATA: usize = 1 << 20;
/// Minimum interval between attempts to replace stale metadata.
const PAUSE: TimeDelta = TimeDelta::seconds(60);
/// Maximum number of providers whose last attempt is remembered.
const REMEMBERED: NonZeroUsize = NonZeroUsize::new(1024).expect("it is not zero");

/// When stale metadata was last requested. Anyone can send an answer that seems to come from a provider, so attempts
/// must be limited. Clones share the state.
#[derive(Clone)]
pub(crate) struct Fetches(Arc<Mutex<LruCache<Uuid, DateTime<Utc>>>>);

impl Fetches {
    pub(crate) fn new() -> Self {
        Fetches(Arc::new(Mutex::new(LruCache::new(REMEMBERED))))
    }

    /// True if an attempt is allowed now; records it.
    pub(crate) fn may_try(&self, provider: Uuid, now: DateTime<Utc>) -> bool {
        let mut attempts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if attempts.peek(&provider).is_some_and(|last| now < *last + PAUSE) {
            return false;
        }
        attempts.put(provider, now);
        true
    }
}

/// Fetches metadata from the URL that an administrator set.
///
/// DEVIATION (stricter): `metadata_url` may only lead to public hosts, unless `CUSTOM_OAUTH_ALLOW_PRIVATE_ADDRESSES` is
/// on; redirects are not followed, the limit is 1 MiB, and a failed fetch answers 400. GoTrue connects anywhere and
/// answers 500.
///
/// # Errors
/// [`SamlError::MetadataUrlInvalid`], [`SamlError::MetadataUrlHost`], [`SamlError::MetadataFetch`],
/// [`SamlError::MetadataFetchStatus`], [`SamlError::MetadataNotUtf8`].
pub(crate) async fn fetch_metadata(network: &Network, allow_private: bool, address: &str) -> Result<String, SamlError> {
    let url = Url::parse(address).map_err(|_| SamlError::MetadataUrlInvalid)?;
    if !allow_private {
        check_address(address).await.map_err(|reason| SamlError::MetadataUrlHost(reason.to_owned()))?;
    }
    let headers = [("accept", "application/xml;charset=UTF-8"), ("accept-charset", "UTF-8")];
    let reply = network.for_custom(allow_private).get_with(&url, &headers, MAX_METADATA).await;
    let reply = reply.map_err(|failure| SamlError::MetadataFetch(failure.to_string()))?;
    if reply.status != 200 {
        let which = format!("{} error fetching SAML Metadata from URL '{address}'", reply.status);
        return Err(SamlError::MetadataFetchStatus(which));
    }
    String::from_utf8(reply.body.to_vec()).map_err(|_| SamlError::MetadataNotUtf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_provider_is_asked_once_a_minute() {
        let (fetches, now) = (Fetches::new(), DateTime::UNIX_EPOCH);
        let [one, other] = [Uuid::from_u128(1), Uuid::from_u128(2)];
        assert!(fetches.may_try(one, now) && !fetches.may_try(one, now + TimeDelta::seconds(59)));
        assert!(fetches.may_try(other, now) && fetches.clone().may_try(one, now + PAUSE));
    }
}

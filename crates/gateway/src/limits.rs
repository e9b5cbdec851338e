//! How often one client may ask.

mod rate;

use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use actix_web::{HttpRequest, web};
use lru::LruCache;

use crate::address;
use crate::events::{Event, Events};
use crate::request::RequestContext;
use crate::wire::Refusal;

pub use rate::{Rate, Seconds};

/// Buckets that are remembered at most: about 10 MB. The least recently used one makes room.
const CAPACITY: NonZeroUsize = NonZeroUsize::new(100_000).expect("more than none");

/// A limit that routes name: those of one class share a bucket for each client.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Class {
    /// As the route table shows it.
    pub name: &'static str,
    /// Requests of one client, all of which may come at once.
    pub count: u32,
    /// The time in which there are as many again.
    pub period: Duration,
}

/// The buckets of all classes, as app data. Cloning shares them. Clients are told apart by address, IPv6 by /64.
#[derive(Clone, Debug)]
pub struct Limiter(Arc<Mutex<LruCache<(&'static str, IpAddr), Seconds>>>);

impl Default for Limiter {
    fn default() -> Self {
        Limiter(Arc::new(Mutex::new(LruCache::new(CAPACITY))))
    }
}

impl Limiter {
    /// Counts a request at `now`.
    ///
    /// # Errors
    /// The whole seconds to wait.
    pub fn take(&self, class: Class, client: IpAddr, now: Seconds) -> Result<(), i64> {
        let count = f64::from(class.count);
        let rate = Rate::new(count, class.period.as_secs_f64(), count);
        let key = (class.name, address::network(client));
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let full_at = rate.take(buckets.get(&key).copied(), now).map_err(whole)?;
        buckets.put(key, full_at);
        Ok(())
    }
}

/// Counts a request against the class of its route. Without a [`Limiter`] in the app nothing is counted.
pub(crate) fn check(class: Class, request: &HttpRequest) -> Result<(), Refusal> {
    let Some(limiter) = request.app_data::<web::Data<Limiter>>() else { return Ok(()) };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
    let context = RequestContext::of(request);
    let Err(retry_after) = limiter.take(class, context.client_ip, now) else { return Ok(()) };
    if let Some(events) = request.app_data::<web::Data<Events>>() {
        let (request_id, client_ip) = (context.id.as_str(), context.client_ip);
        events.emit(Event::RateLimited { request_id, class: class.name, client_ip, retry_after });
    }
    Err(Refusal::TooManyRequests { class: class.name, seconds: retry_after })
}

/// What `Retry-After` says: whole seconds, at least one, at most a day.
#[allow(clippy::cast_possible_truncation)]
pub fn whole(wait: Seconds) -> i64 {
    wait.ceil().clamp(1.0, 86_400.0) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_and_classes_are_counted_apart_and_memory_is_bounded() {
        let class = |name| Class { name, count: 2, period: Duration::from_secs(60) };
        let limiter = Limiter::default();
        let client = |number: u32| IpAddr::V4(number.into());
        let now = 1_700_000_000.0;
        let take = |name, number| limiter.take(class(name), client(number), now);
        assert_eq!([take("a", 1), take("a", 1), take("a", 1)], [Ok(()), Ok(()), Err(30)]);
        assert_eq!([take("b", 1), take("a", 2)], [Ok(()), Ok(())]);
        assert_eq!(limiter.take(class("a"), client(1), now + 30.0), Ok(()));
        for number in 0..CAPACITY.get() + 10 {
            take("c", u32::try_from(number).unwrap()).unwrap();
        }
        assert_eq!(limiter.0.lock().unwrap().len(), CAPACITY.get());
    }
}

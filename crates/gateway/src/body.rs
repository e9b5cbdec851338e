//! Request bodies, read up to a limit, at a pace, within a budget.

use std::ops::Deref;

use actix_web::dev::Payload;
use actix_web::web::{Bytes, BytesMut, Data};
use actix_web::{HttpMessage, HttpRequest};
use futures_util::StreamExt;
use tokio::time::timeout_at;

use crate::address::{Reach, reach};
use crate::budget::{Budget, Holder, Owner, Reservation, UNCOUNTED};
use crate::caller::{Found, PolicyCell};
use crate::client_ip::{self, TrustedProxies};
use crate::gate::Fault;
use crate::pace::{self, Pace, Patience};
use crate::request::RequestContext;
use crate::wire::Refusal;

/// The limit of a route that names none, in bytes.
pub const DEFAULT_LIMIT: usize = 1024 * 1024;

/// What is reserved on the word of a client alone, in bytes.
const RESERVED: usize = UNCOUNTED;

/// The limits of the methods of one path, as app data of its resource.
#[derive(Clone, Debug)]
pub struct BodyLimits(pub Vec<(actix_web::http::Method, usize)>);

/// What holds for the bodies of all routes, as app data of the app.
#[derive(Clone, Debug)]
pub struct BodyRules {
    /// What all buffers together may hold.
    pub budget: Budget,
    /// The largest body of an anonymous request, in bytes, where the route's own limit is not smaller.
    pub anonymous_limit: usize,
}

/// A body. The budget has its bytes back when it is dropped.
#[derive(Debug)]
pub struct Held {
    bytes: Bytes,
    reservation: Option<Reservation>,
}

impl Held {
    /// The bytes, and what they hold of the budget.
    pub fn into_parts(self) -> (Bytes, Option<Reservation>) {
        (self.bytes, self.reservation)
    }

    /// The bytes, without what they hold of the budget: for bodies that are parsed at once.
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }
}

impl Deref for Held {
    type Target = Bytes;

    fn deref(&self) -> &Bytes {
        &self.bytes
    }
}

/// The limit of the request's route for its caller, in bytes.
pub fn limit(request: &HttpRequest) -> usize {
    let of_method =
        |limits: &BodyLimits| limits.0.iter().find(|(method, _)| method == request.method()).map(|(_, limit)| *limit);
    limit_for(request, request.app_data::<BodyLimits>().and_then(of_method).unwrap_or(DEFAULT_LIMIT))
}

/// `limit`, or that of anonymous requests if the request is one and that is smaller.
fn limit_for(request: &HttpRequest, limit: usize) -> usize {
    match request.app_data::<Data<BodyRules>>() {
        Some(rules) if rules.anonymous_limit < limit && owner(request) == Owner::Anonymous => rules.anonymous_limit,
        _ => limit,
    }
}

/// Whose buffers those of the request are. The project's own servers have no share, because one of them works for many users.
/// Nor has the network of an undeclared proxy at a private address: its clients cannot be told apart. At a public address
/// it has, because anyone can send a proxy's headers.
pub fn holder(request: &HttpRequest) -> Holder {
    let owner = owner(request);
    let mut holder = Holder::from(owner);
    if owner == Owner::Known {
        let extensions = request.extensions();
        let caller = extensions.get::<Found>().and_then(|found| found.caller.as_ref().ok());
        let Some(user) = caller.and_then(|caller| caller.claims.map().get("sub")?.as_str()) else { return holder };
        holder = holder.of_user(user);
    }
    let proxies = request.app_data::<Data<TrustedProxies>>().map(|proxies| &***proxies);
    let undeclared = client_ip::undeclared(request.peer_addr(), request.headers(), proxies);
    let is_hidden = undeclared.is_some_and(|peer| reach(peer) != Reach::Public);
    if is_hidden { holder } else { holder.at(RequestContext::of(request).client_ip) }
}

/// Whether the request's caller is anonymous: shows nothing that is good for another role.
pub fn owner(request: &HttpRequest) -> Owner {
    let anonymous = request.app_data::<Data<PolicyCell>>().and_then(|policy| policy.get().anonymous.clone());
    match request.extensions().get::<Found>() {
        Some(Found { caller: Ok(caller), .. }) if Some(&caller.role) != anonymous.as_ref() => Owner::Known,
        _ => Owner::Anonymous,
    }
}

/// Reads the whole body. A declared length over the limit is refused before a byte is read, and a client that stalls is not
/// waited for. Where the limit is zero the route knows no body: whatever comes is read and forgotten.
///
/// # Errors
/// [`Refusal::BodyTooLarge`], [`Refusal::BodyUnreadable`], and as [`Refusal::Request`] [`Fault::Slow`] and [`Fault::Busy`].
pub async fn read(request: &HttpRequest, payload: &mut Payload) -> Result<Held, Refusal> {
    read_at(pace::BODY, request, payload).await
}

async fn read_at(pace: Pace, request: &HttpRequest, payload: &mut Payload) -> Result<Held, Refusal> {
    let limit = limit(request);
    let takes_none = limit == 0;
    let declared = request
        .headers()
        .get(actix_web::http::header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.parse::<usize>().ok());
    if declared.is_some_and(|length| length > limit && !takes_none) {
        return Err(Refusal::BodyTooLarge(limit));
    }
    let expected = declared.unwrap_or_default();
    let bytes = BytesMut::with_capacity(expected.min(RESERVED).min(limit));
    let mut body = Buffer { bytes, expected, limit, request, reservation: None };
    let mut patience = Patience::new(pace);
    loop {
        let next = timeout_at(patience.wait().into(), payload.next()).await;
        let Some(chunk) = next.map_err(|_| Refusal::Request(Fault::Slow))? else { break };
        let chunk = chunk.map_err(|_| Refusal::BodyUnreadable)?;
        patience.moved(chunk.len());
        if !takes_none {
            body.push(&chunk)?;
        }
    }
    Ok(body.held())
}

/// A body, or a part of one, that arrives in pieces. The budget counts it.
pub struct Buffer<'r> {
    bytes: BytesMut,
    expected: usize,
    limit: usize,
    request: &'r HttpRequest,
    /// Made when the buffer is long enough to be counted.
    reservation: Option<Reservation>,
}

impl<'r> Buffer<'r> {
    /// An empty buffer for a part of the request's body, of at most `limit` bytes, and no more than an anonymous request
    /// may send.
    pub fn new(request: &'r HttpRequest, limit: usize) -> Self {
        let limit = limit_for(request, limit);
        Buffer { bytes: BytesMut::new(), expected: 0, limit, request, reservation: None }
    }

    /// Adds the next bytes.
    ///
    /// # Errors
    /// [`Refusal::BodyTooLarge`], and [`Fault::Busy`] as [`Refusal::Request`] if the budget has no room.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), Refusal> {
        let length = self.bytes.len() + chunk.len();
        if length > self.limit {
            return Err(Refusal::BodyTooLarge(self.limit));
        }
        if length > self.bytes.capacity() {
            // Twice as much each time, but not more than can still come.
            let most = if self.expected >= length { self.expected } else { self.limit };
            let capacity = (self.bytes.capacity() * 2).max(length).min(most);
            let rules = self.request.app_data::<Data<BodyRules>>().filter(|_| capacity > UNCOUNTED);
            if let Some(rules) = rules {
                let made = || rules.budget.reservation(holder(self.request));
                let reservation = self.reservation.get_or_insert_with(made);
                reservation.resize(capacity).map_err(|_| Refusal::Request(Fault::Busy))?;
            }
            self.bytes.reserve(capacity - self.bytes.len());
        }
        self.bytes.extend_from_slice(chunk);
        Ok(())
    }

    /// What has arrived.
    pub fn held(self) -> Held {
        Held { bytes: self.bytes.freeze(), reservation: self.reservation }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use actix_web::error::PayloadError;
    use actix_web::test::TestRequest;
    use futures_util::stream;

    fn payload(chunks: usize, every: Duration) -> Payload {
        let chunks = stream::iter(0..chunks).then(move |_| async move {
            tokio::time::sleep(every).await;
            Ok::<_, PayloadError>(Bytes::from_static(&[b'x'; 2048]))
        });
        Payload::Stream { payload: Box::pin(chunks) }
    }

    #[actix_web::test]
    async fn a_body_is_read_up_to_its_limit_and_not_for_ever() {
        let request = TestRequest::default().to_http_request();
        let (short, long) = (Duration::from_millis(500), Duration::from_secs(3600));
        let slow = Err(Refusal::Request(Fault::Slow));
        for (grace, bytes_a_second, chunks, every, wanted) in [
            (long, 1024, 512, Duration::ZERO, Ok(DEFAULT_LIMIT)),
            (long, 1024, 513, Duration::ZERO, Err(Refusal::BodyTooLarge(DEFAULT_LIMIT))),
            // 600 ms: longer than the grace, but 2048 bytes a second allow for them.
            (short, 2048, 20, Duration::from_millis(30), Ok(20 * 2048)),
            (short, 1024 * 1024, 40, Duration::from_millis(30), slow.clone()),
            (short, 1024, 1, long, slow.clone()),
        ] {
            let pace = Pace { grace, bytes_a_second };
            let found = read_at(pace, &request, &mut payload(chunks, every)).await;
            assert_eq!(found.map(|body| body.len()), wanted, "{chunks} chunks, one every {every:?}");
        }
        let without = BodyLimits(vec![(actix_web::http::Method::GET, 0)]);
        let without = TestRequest::default().insert_header(("content-length", "1073741824")).app_data(without);
        let passed_over = read(&without.to_http_request(), &mut payload(1024, Duration::ZERO)).await;
        assert_eq!(passed_over.map(|body| body.len()), Ok(0));
        let lying = TestRequest::default().insert_header(("content-length", "1048577")).to_http_request();
        let refused = read(&lying, &mut payload(0, Duration::ZERO)).await;
        assert_eq!(refused.map(|body| body.len()), Err(Refusal::BodyTooLarge(DEFAULT_LIMIT)));
    }

    #[actix_web::test]
    async fn bodies_share_a_budget_and_give_it_back() {
        let budget = Budget::new(512 * 1024);
        let rules = BodyRules { budget: budget.clone(), anonymous_limit: 256 * 1024 };
        let request = TestRequest::default().app_data(Data::new(rules)).to_http_request();
        let read = async |chunks| read(&request, &mut payload(chunks, Duration::ZERO)).await;
        // An anonymous request has its own limit, and the anonymous ones have half of the budget.
        assert_eq!(read(129).await.map(|body| body.len()), Err(Refusal::BodyTooLarge(256 * 1024)));
        let first = read(65).await.unwrap();
        assert_eq!((first.len(), budget.used()), (130 * 1024, 256 * 1024), "what its buffer can hold counts");
        let refused = read(64).await.map(|body| body.len());
        assert_eq!(refused, Err(Refusal::Request(Fault::Busy)));
        assert_eq!(budget.used(), 256 * 1024, "what was refused gives back what it had");
        // Short ones are always taken.
        assert_eq!(read(UNCOUNTED / 2048).await.map(|body| body.len()), Ok(UNCOUNTED));
        let fast = Pace { grace: Duration::from_millis(50), bytes_a_second: 1 << 30 };
        let mut stalled = payload(1, Duration::from_secs(9));
        let stalled = read_at(fast, &request, &mut stalled).await;
        assert_eq!(stalled.map(|body| body.len()), Err(Refusal::Request(Fault::Slow)));
        drop(first);
        assert_eq!(budget.used(), 0);
    }
}

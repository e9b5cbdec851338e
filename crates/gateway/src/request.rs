//! What is known of every request before anything else: its id, its client, its start.

use std::net::IpAddr;
use std::time::Instant;

use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, FromRequest, HttpMessage, HttpRequest, web};
use uuid::Uuid;

use crate::client_ip::{self, TrustedProxies};
use crate::events::{Event, Events};

/// The response header (and log field) that names a request.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The header in which a service, and SQL through `request.headers`, finds the client's address. Whatever the client sent
/// under this name is overwritten.
pub const REAL_IP: HeaderName = HeaderName::from_static("x-real-ip");

/// Facts about the request in hand.
#[derive(Clone, Debug)]
pub struct RequestContext {
    /// Names the request in the response and in every log line.
    pub id: String,
    /// The client's address, seen through trusted proxies only.
    pub client_ip: IpAddr,
    /// When the request arrived.
    pub started: Instant,
}

/// Middleware: makes the [`RequestContext`], puts the id into the response, and emits one event when the answer is ready.
///
/// # Errors
/// Those of the inner service, unchanged.
pub async fn observe<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let proxies = request.app_data::<web::Data<TrustedProxies>>().cloned();
    let events = request.app_data::<web::Data<Events>>().cloned();
    let client_ip = client_ip::of(request.peer_addr(), request.headers(), proxies.as_deref().map(|proxies| &**proxies));
    let context = RequestContext { id: id(&request), client_ip, started: Instant::now() };
    let id = HeaderValue::from_str(&context.id).ok();
    if let Ok(address) = HeaderValue::from_str(&client_ip.to_string()) {
        request.headers_mut().insert(REAL_IP, address);
    }
    request.extensions_mut().insert(context.clone());

    let mut response = match next.call(request).await {
        Ok(response) => response,
        Err(error) => return Err(error),
    };
    if let Some(id) = id {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    if let Some(events) = events {
        let size = match response.response().body().size() {
            BodySize::Sized(bytes) => Some(bytes),
            BodySize::None => Some(0),
            BodySize::Stream => None,
        };
        events.emit(Event::Request {
            id: &context.id,
            method: response.request().method().as_str(),
            // The path alone: query strings carry tokens and one-time codes.
            path: response.request().path(),
            status: response.status().as_u16(),
            duration: context.started.elapsed(),
            client_ip,
            bytes: size,
        });
    }
    Ok(response)
}

/// The client's own id if it is harmless to log, else a new one.
fn id(request: &ServiceRequest) -> String {
    let harmless = |id: &&str| {
        (1..=64).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    let own = request.headers().get(REQUEST_ID).and_then(|value| value.to_str().ok()).filter(harmless);
    own.map_or_else(|| Uuid::new_v4().to_string(), str::to_owned)
}

impl RequestContext {
    /// The context of a request that went through [`observe`]; a made-up one otherwise.
    pub fn of(request: &HttpRequest) -> Self {
        request.extensions().get::<RequestContext>().cloned().unwrap_or_else(|| RequestContext {
            id: Uuid::new_v4().to_string(),
            client_ip: client_ip::of(request.peer_addr(), request.headers(), None),
            started: Instant::now(),
        })
    }
}

impl FromRequest for RequestContext {
    type Error = Error;
    type Future = std::future::Ready<Result<Self, Error>>;

    fn from_request(request: &HttpRequest, _: &mut actix_web::dev::Payload) -> Self::Future {
        std::future::ready(Ok(RequestContext::of(request)))
    }
}

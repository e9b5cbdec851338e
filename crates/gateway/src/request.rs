//! Basic facts about every request: id, client address, start time.

use std::any::Any;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::time::Instant;

use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, HeaderMap, HeaderName, HeaderValue, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::middleware::Next;
use actix_web::{Error, FromRequest, HttpMessage, HttpRequest, HttpResponse, web};
use futures_util::FutureExt;
use uuid::Uuid;

use crate::client_ip::{self, TrustedProxies};
use crate::events::{Event, Events};
use crate::faults;

/// The response header (and log field) that names a request.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The header in which services, and SQL through `request.headers`, find the client's address. A value sent by the
/// client is overwritten.
pub const REAL_IP: HeaderName = HeaderName::from_static("x-real-ip");

/// Facts about a request.
#[derive(Clone, Debug)]
pub struct RequestContext {
    /// The id of the request in the response and in every log line.
    pub id: String,
    /// The client's address, taking only trusted proxies into account.
    pub client_ip: IpAddr,
    /// When the request arrived.
    pub started: Instant,
}

/// Middleware: creates the [`RequestContext`], adds the id and `nosniff` to the response, and emits one event when the
/// response is ready. A panic in a handler is logged, answered with 500, and ends only its own request.
///
/// # Errors
/// Those of the inner service, with the id in their response.
pub async fn observe<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let proxies = request.app_data::<web::Data<TrustedProxies>>().cloned();
    let events = request.app_data::<web::Data<Events>>().cloned();
    let client_ip = client_ip::of(request.peer_addr(), request.headers(), proxies.as_deref().map(|proxies| &**proxies));
    if let Some(events) = &events
        && let Some(peer) =
            client_ip::undeclared(request.peer_addr(), request.headers(), proxies.as_deref().map(|p| &**p))
    {
        events.undeclared_proxy(peer);
    }
    let context = RequestContext { id: id(&request), client_ip, started: Instant::now() };
    if let Ok(address) = HeaderValue::from_str(&client_ip.to_string()) {
        request.headers_mut().insert(REAL_IP, address);
    }
    request.extensions_mut().insert(context.clone());
    let (method, uri) = (request.method().clone(), request.uri().clone());

    let handled = faults::within(&context.id, events.clone().map(web::Data::into_inner), next.call(request));
    let answered = match AssertUnwindSafe(handled).catch_unwind().await {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(error)) => Err(error.error_response()),
        Err(panic) => Err(panicked(&context, events.as_deref().map(|events| &**events), &*panic)),
    };
    let answered = match answered {
        Ok(mut response) => {
            sign(response.headers_mut(), &context);
            Ok(response)
        }
        Err(mut response) => {
            sign(response.headers_mut(), &context);
            Err(response)
        }
    };
    if let Some(events) = events {
        let (status, size) = match &answered {
            Ok(response) => (response.status(), response.response().body().size()),
            Err(response) => (response.status(), response.body().size()),
        };
        events.emit(Event::Request {
            id: &context.id,
            method: method.as_str(),
            // Only the path: query strings contain tokens and one-time codes.
            path: uri.path(),
            status: status.as_u16(),
            duration: context.started.elapsed(),
            client_ip,
            bytes: match size {
                BodySize::Sized(bytes) => Some(bytes),
                BodySize::None => Some(0),
                BodySize::Stream => None,
            },
        });
    }
    answered.map_err(|response| actix_web::error::InternalError::from_response("refused", response).into())
}

fn sign(headers: &mut HeaderMap, context: &RequestContext) {
    if let Ok(id) = HeaderValue::from_str(&context.id) {
        headers.insert(REQUEST_ID, id);
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
}

/// The response to a request whose handler panicked. It passes no other middleware, so it sets the CORS header itself.
fn panicked(context: &RequestContext, events: Option<&Events>, panic: &(dyn Any + Send)) -> HttpResponse {
    let text = panic.downcast_ref::<&str>().copied().map(str::to_owned);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    if let Some(events) = events {
        let detail = format!("panic: {text}");
        events.emit(Event::Fault { error_id: &context.id, service: "server", location: "a handler", detail: &detail });
    }
    HttpResponse::InternalServerError()
        .insert_header((ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .json(serde_json::json!({ "message": "An unexpected error occurred", "error_id": context.id }))
}

/// The client's own id if it is harmless to log, else a new one.
fn id(request: &ServiceRequest) -> String {
    let harmless = |id: &&str| {
        (1..=64).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    let own = request.headers().get(REQUEST_ID).and_then(|value| value.to_str().ok()).filter(harmless);
    // Use the thread's own generator: an id is not a secret, and asking the operating system for each would be slower.
    let made = || uuid::Builder::from_random_bytes(rand::random()).into_uuid().to_string();
    own.map_or_else(made, str::to_owned)
}

impl RequestContext {
    /// The context of a request that passed [`observe`]; otherwise a new one.
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

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::middleware::from_fn;
    use actix_web::{App, test};

    #[actix_web::test]
    #[allow(clippy::panic)]
    async fn a_panic_is_a_500_with_an_id_that_the_log_explains() {
        async fn broken() -> HttpResponse {
            panic!("on purpose, by a test")
        }
        let events = Events::default();
        let data = web::Data::new(events.clone());
        let app = App::new().app_data(data).route("/broken", web::get().to(broken)).wrap(from_fn(observe));
        let app = test::init_service(app).await;
        let request = test::TestRequest::get().uri("/broken").insert_header(("x-request-id", "my-id")).to_request();
        let error = test::try_call_service(&app, request).await.unwrap_err();
        let response = error.error_response();
        assert_eq!(response.status(), 500);
        assert_eq!(response.headers().get("x-request-id").unwrap(), "my-id");
        let counted = events.render();
        assert!(counted.contains(r#"dugout_events_total{name="fault"} 1"#), "{counted}");
        assert!(counted.contains(r#"method="GET",status="500"} 1"#), "{counted}");
    }
}

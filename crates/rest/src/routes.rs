//! The API on actix: one handler for everything, and the gateway's refusals in PostgREST's format.

use std::borrow::Cow;
use std::sync::Arc;

use actix_web::http::header::{HeaderValue as ActixValue, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS};
use actix_web::http::{Method, StatusCode as ActixStatus};
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, HttpResponseBuilder};
use gateway::answer::Waiting;
use gateway::caller::Found;
use gateway::gate::{self, Fault};
use gateway::guard::Resolved;
use gateway::request::RequestContext;
use gateway::service::Table;
use gateway::{PolicyCell, Refusal, Route, TokenError, Wire};
use http::{HeaderMap, HeaderName, HeaderValue};
use pg::Lane;

use crate::error::{Error, JwtProblem, Verbosity};
use crate::execute::body::Body;
use crate::{Answer, Incoming, Rest, Who};

/// The largest body, in bytes: enough for a bulk insert of 50 MB. Methods without a body ignore it.
const BODY_LIMIT: usize = 64 * 1024 * 1024;

/// The route table. The catalog decides what a path means, so there is one row per method.
pub(crate) fn table() -> Table {
    Table { at: "", routes: routes(), wire: Arc::new(RestWire) }
}

fn routes() -> Vec<Route> {
    [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS]
        .into_iter()
        .map(|method| {
            let takes_body = matches!(method, Method::POST | Method::PUT | Method::PATCH);
            Route::new(method, "/{path:.*}", handle).body_limit(if takes_body { BODY_LIMIT } else { 0 })
        })
        .collect()
}

/// Mounts the data API into a scope whose path is `prefix` (empty for the root).
pub(crate) fn mount(rest: &Arc<Rest>, prefix: &'static str, scope: &mut ServiceConfig) {
    scope
        .app_data(web::Data::from(Arc::clone(rest)))
        .app_data(web::Data::new(rest.next_lane()))
        .app_data(Prefix(prefix));
    table().mount(scope);
}

/// The mount point.
#[derive(Clone, Copy)]
struct Prefix(&'static str);

async fn handle(
    caller: Resolved,
    rest: web::Data<Rest>,
    lane: web::Data<Lane>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, actix_web::Error> {
    let body = gateway::body::read(&request, &mut payload.into_inner()).await;
    let body = body.map_err(|refusal| gateway::wire::refuse(&request, refusal))?;
    let prefix = request.app_data::<Prefix>().map_or("", |prefix| prefix.0);
    let path = request.uri().path();
    let query = without_api_key(&request);
    let method = http::Method::from_bytes(request.method().as_str().as_bytes()).unwrap_or_default();
    let incoming = Incoming {
        method: &method,
        path: path.strip_prefix(prefix).unwrap_or(path),
        query: &query,
        headers: &headers(&request),
        body: &body,
    };
    let took = request.extensions().get::<Found>().map(|found| found.took).unwrap_or_default();
    let who = Who { role: &caller.0.role, claims: &caller.0.claims, took };
    let context = request.extensions().get::<RequestContext>().cloned();
    let request_id = context.as_ref().map_or("", |context| context.id.as_str());
    let answer = rest.handle(&lane, incoming, who, request_id).await;
    // The request is done; only the response still needs memory.
    drop(body);
    Ok(respond(&request, answer))
}

/// The query without `apikey`, if that is a credential: as a filter it would cause an error that quotes it.
fn without_api_key(request: &HttpRequest) -> Cow<'_, str> {
    let query = request.query_string();
    let is_key = |pair: &&str| pair.starts_with("apikey=");
    let takes_keys = || request.app_data::<web::Data<PolicyCell>>().is_some_and(|policy| policy.get().accept_api_key);
    if !query.split('&').any(|pair| is_key(&pair)) || !takes_keys() {
        return Cow::Borrowed(query);
    }
    Cow::Owned(query.split('&').filter(|pair| !is_key(pair)).collect::<Vec<_>>().join("&"))
}

/// actix uses an older version of the crate `http`.
fn headers(request: &HttpRequest) -> HeaderMap {
    let mut headers = HeaderMap::with_capacity(request.headers().len());
    for (name, value) in request.headers() {
        if let (Ok(name), Ok(value)) =
            (HeaderName::from_bytes(name.as_str().as_bytes()), HeaderValue::from_bytes(value.as_bytes()))
        {
            headers.append(name, value);
        }
    }
    headers
}

fn respond(request: &HttpRequest, answer: Answer) -> HttpResponse {
    let status = ActixStatus::from_u16(answer.status.as_u16()).unwrap_or(ActixStatus::INTERNAL_SERVER_ERROR);
    let mut response = HttpResponseBuilder::new(status);
    for (name, value) in &answer.headers {
        response.append_header((name.as_str(), value.as_bytes()));
    }
    if !answer.headers.contains_key(http::header::X_CONTENT_TYPE_OPTIONS) {
        response.insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"));
    }
    match answer.body {
        Some(Body::Whole(bytes)) if bytes.len() <= gateway::answer::SHORT => response.body(bytes),
        Some(Body::Whole(bytes)) => match Waiting::new(request, bytes) {
            Ok(waiting) => response.body(waiting),
            Err(refusal) => RestWire.refuse(request, refusal),
        },
        Some(Body::InPieces(pieces)) => response.body(pieces),
        None => response.body(actix_web::body::None::new()),
    }
}

/// Formats refusals as PostgREST does.
struct RestWire;

impl Wire for RestWire {
    fn refuse(&self, request: &HttpRequest, refusal: Refusal) -> HttpResponse {
        let method = request.method().to_string();
        let error = match refusal {
            Refusal::NoCredential => Error::Jwt(JwtProblem::AnonymousDisabled),
            // Without a key, the server cannot verify any token.
            Refusal::Token(_) if has_no_key(request) => Error::Jwt(JwtProblem::NoSecret),
            Refusal::Token(error) => Error::Jwt(jwt_problem(error)),
            Refusal::SessionEnded => Error::Jwt(invalid("The session of this token has ended")),
            Refusal::ApiKey => Error::Jwt(invalid("Invalid API key")),
            Refusal::Forbidden | Refusal::Subject => Error::Jwt(invalid("Unsupported token type")),
            Refusal::BodyTooLarge(limit) => {
                let message = format!("The request body is larger than {limit} bytes");
                return said(ActixStatus::PAYLOAD_TOO_LARGE, "PGRST102", &message);
            }
            Refusal::Request(fault) => return refused(fault),
            Refusal::TooManyRequests { seconds, .. } => {
                // PostgREST has no limits and so no code for them; clients look at the status.
                let mut response = said(ActixStatus::TOO_MANY_REQUESTS, "PGRST102", "Too many requests");
                response.headers_mut().insert(RETRY_AFTER, ActixValue::from(seconds));
                return response;
            }
            Refusal::BodyUnreadable => Error::InvalidBody("The request body could not be read".to_owned()),
            Refusal::BodyMalformed(text) => Error::InvalidBody(text),
            Refusal::NotFound => Error::InvalidPath,
            Refusal::MethodNotAllowed(_) if request.path().contains("/rpc/") => Error::InvalidRpcMethod(method),
            Refusal::MethodNotAllowed(_) => Error::UnsupportedMethod(method),
        };
        let answer = match request.app_data::<web::Data<Rest>>() {
            Some(rest) => rest.refusal(&error),
            None => Answer::of_error(&error, Verbosity::Verbose),
        };
        respond(request, answer)
    }
}

fn has_no_key(request: &HttpRequest) -> bool {
    request.app_data::<web::Data<PolicyCell>>().is_some_and(|policy| policy.get().keys.is_empty())
}

/// A request that the gateway refused. If memory is exhausted, the code is PostgreSQL's for that, which PostgREST also
/// answers with 503.
///
/// DEVIATION (stricter): PostgREST has no limits of its own; a body over ours is 413, one slower than 1 KiB a second after 10
/// seconds is 408, and one without memory left for it is 503. Other malformed requests also get a JSON body.
fn refused(fault: Fault) -> HttpResponse {
    let code = match fault {
        Fault::Busy => "53200",
        Fault::LongTarget => "PGRST100",
        _ => "PGRST102",
    };
    let mut response = said(fault.status(), code, fault.message());
    if fault == Fault::Busy {
        let seconds = ActixValue::from_static(gate::RETRY_AFTER_SECONDS);
        response.headers_mut().insert(RETRY_AFTER, seconds);
    }
    response
}

fn said(status: ActixStatus, code: &str, message: &str) -> HttpResponse {
    HttpResponse::build(status)
        .insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .json(serde_json::json!({ "code": code, "message": message, "details": null, "hint": null }))
}

fn invalid(message: &str) -> JwtProblem {
    JwtProblem::Invalid { message: message.to_owned(), details: None }
}

fn jwt_problem(error: TokenError) -> JwtProblem {
    let claims = |text: &str| JwtProblem::Claims(text.to_owned());
    let no_key = |details: &str| JwtProblem::Invalid {
        message: "No suitable key or wrong key type".to_owned(),
        details: Some(details.to_owned()),
    };
    match error {
        TokenError::Parts(0) => invalid("Empty JWT is sent in Authorization header"),
        TokenError::Parts(parts) => invalid(&format!("Expected 3 parts in JWT; got {parts}")),
        TokenError::TooLong => invalid("JWT couldn't be decoded"),
        TokenError::Header => invalid("JWT cryptographic operation failed"),
        TokenError::Algorithm => JwtProblem::Invalid {
            message: "Wrong or unsupported encoding algorithm".to_owned(),
            details: Some("JWT is unsecured but expected 'alg' was not 'none'".to_owned()),
        },
        TokenError::NoKey => no_key("No suitable key was found to decode the JWT"),
        TokenError::Signature => no_key("None of the keys was able to decode the JWT"),
        TokenError::Claims => claims("Parsing claims failed"),
        TokenError::ClaimType { claim: "aud", .. } => {
            claims("The JWT 'aud' claim must be a string or an array of strings")
        }
        TokenError::ClaimType { claim, expected } => claims(&format!("The JWT '{claim}' claim must be {expected}")),
        TokenError::Expired => claims("JWT expired"),
        TokenError::NotYetValid => claims("JWT not yet valid"),
        TokenError::IssuedInFuture => claims("JWT issued at future"),
        TokenError::Audience => claims("JWT not in audience"),
        TokenError::NoSigningKey | TokenError::Signing(_) => JwtProblem::NoSecret,
    }
}

//! A call of a function in Rust.

use actix_web::http::StatusCode;
use actix_web::http::header::ACCESS_CONTROL_ALLOW_ORIGIN;
use actix_web::{HttpRequest, HttpResponse};
use gateway::service::BoxFuture;
use gateway::{Caller, body, caller, guard};
use pg::{Access, Isolation, Session};
use serde_json::{Value, json};

use super::preflight;
use super::proxy::Incoming;
use crate::error::FunctionError;
use crate::native::{Call, Native, NativeError, Reply};
use crate::state::State;

/// How long a statement may run.
const STATEMENT_TIMEOUT: &str = "8s";

/// Runs a native function in a transaction of the caller's.
///
/// # Errors
/// [`FunctionError::Refused`] for a body that is too long, and [`FunctionError::InvalidToken`].
pub(crate) async fn call(
    state: &State,
    native: &Native,
    mut incoming: Incoming<'_>,
) -> Result<HttpResponse, FunctionError> {
    let request = incoming.request;
    if preflight::is_one(request) {
        return Ok(preflight::response(request));
    }
    let caller = guard::found(request).map_err(|_| FunctionError::InvalidToken)?;
    let body = body::read(request, &mut incoming.payload).await.map_err(FunctionError::Refused)?;
    let answered = within(state, native, request, &caller, &incoming.target, &body).await;
    let (status, body) = match answered {
        Ok(Reply { status, body }) => (status, body),
        Err(NativeError { status, code, message }) => (status, json!({ "code": code, "message": message })),
    };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = HttpResponse::build(status);
    response.insert_header((ACCESS_CONTROL_ALLOW_ORIGIN, "*"));
    Ok(if body == Value::Null { response.finish() } else { response.json(body) })
}

async fn within(
    state: &State,
    native: &Native,
    request: &HttpRequest,
    caller: &Caller,
    target: &str,
    body: &[u8],
) -> Result<Reply, NativeError> {
    let Some(_turn) = state.0.turns.take(caller).await else { return Err(NativeError::busy()) };
    let mut connection = state.0.pool.get().await?;
    let session = session(request, caller);
    let transaction = connection.begin_later(session, Isolation::ReadCommitted, Access::ReadWrite);
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let call = Call {
        caller,
        method: request.method().as_str(),
        path: path.trim_start_matches('/').strip_prefix(native.name).unwrap_or_default(),
        query,
        body,
        transaction: &transaction,
    };
    let answered: BoxFuture<'_, Result<Reply, NativeError>> = (native.handler)(&call);
    match answered.await {
        Ok(reply) => {
            transaction.commit().await?;
            Ok(reply)
        }
        Err(error) => {
            // The error is the answer. A connection that cannot roll back is not used again.
            let _ = transaction.rollback().await;
            Err(error)
        }
    }
}

/// The caller, as the policies of the database see it.
fn session(request: &HttpRequest, caller: &Caller) -> Session {
    let mut session = Session::new(&*caller.role);
    session
        .set("request.jwt.claims", caller.claims.text())
        .set("request.jwt.claim.role", &*caller.role)
        .set("request.jwt.claim.sub", caller.claims.string("sub").unwrap_or_default())
        .set("request.jwt", caller::bearer(request.headers()).unwrap_or_default())
        .set("request.method", request.method().as_str())
        .set("request.path", request.path())
        .set("statement_timeout", STATEMENT_TIMEOUT);
    session
}

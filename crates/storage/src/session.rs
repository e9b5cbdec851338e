//! Database sessions: under the caller's role, or under the service's once the caller's permission was checked.

use actix_web::HttpRequest;
use gateway::{Caller, RequestContext, caller};
use pg::pool::{Connection, Query, Transaction};
use pg::{Access, Isolation, Session};
use serde_json::{Map, Value};

use crate::error::StorageError;
use crate::state::State;

/// The role that bypasses row policies.
const SERVICE: &str = "service_role";
/// The header with the id that Supabase's gateway gave the request.
const PLATFORM_ID: &str = "sb-request-id";

/// The caller of a request that reads an object. Its sessions are built on demand.
#[derive(Clone, Copy)]
pub(crate) struct Asker<'a> {
    state: &'a State,
    request: &'a HttpRequest,
    caller: Option<&'a Caller>,
    operation: &'static str,
}

impl<'a> Asker<'a> {
    /// `operation` is the value of `storage.operation()`.
    pub(crate) fn new(
        state: &'a State,
        request: &'a HttpRequest,
        caller: Option<&'a Caller>,
        operation: &'static str,
    ) -> Self {
        Asker { state, request, caller, operation }
    }

    /// The same caller for transactions.
    pub(crate) fn requester(&self) -> Requester {
        Requester::new(self.state, self.request, self.caller, self.operation)
    }

    /// The session under the caller's role, for which row policies hold. Without a caller it is the service's.
    pub(crate) fn user(&self) -> Session {
        let Some(caller) = self.caller else { return Self::service() };
        let token = caller::bearer(self.request.headers()).unwrap_or_default();
        of_caller(self.state, self.request, caller, token, self.operation)
    }

    /// The session of a read that bypasses row policies. It needs no claims, because nothing in it reads them.
    pub(crate) fn service() -> Session {
        Session::new(SERVICE)
    }
}

/// The caller of a request, as policies see it.
#[derive(Clone, Debug)]
pub(crate) struct Requester {
    user: Session,
    service: Session,
    /// The `sub` of the token.
    pub(crate) owner: Option<String>,
    /// The request's id; `None` for work that no request asks for.
    pub(crate) request_id: Option<String>,
    /// The id that Supabase's gateway gave the request.
    pub(crate) platform_request_id: Option<String>,
    operation: &'static str,
}

impl Requester {
    /// `operation` is the value of `storage.operation()`. Without a caller everything runs under the service's role.
    pub(crate) fn new(state: &State, request: &HttpRequest, caller: Option<&Caller>, operation: &'static str) -> Self {
        Self::with_token(state, request, caller, caller::bearer(request.headers()).unwrap_or_default(), operation)
    }

    /// For work that no request asks for.
    pub(crate) fn own(state: &State, operation: &'static str) -> Self {
        let mut service = Session::new(SERVICE);
        service
            .set("request.jwt.claim.role", SERVICE)
            .set("request.jwt.claims", r#"{"role":"service_role"}"#)
            .set("storage.operation", operation)
            .set("storage.allow_delete_query", "true")
            .set("statement_timeout", state.config.statement_timeout.as_millis().to_string());
        let (request_id, platform_request_id) = (None, None);
        Requester { user: service.clone(), service, owner: None, request_id, platform_request_id, operation }
    }

    /// How an object that this request makes is uploaded, in upstream's words.
    pub(crate) fn upload_type(&self) -> &'static str {
        match self.operation {
            operation if operation.starts_with("storage.s3.") => "s3",
            operation if operation.starts_with("storage.tus.") => "resumable",
            _ => "standard",
        }
    }

    /// The same for a caller whose token was not in the header `Authorization`.
    pub(crate) fn with_token(
        state: &State,
        request: &HttpRequest,
        caller: Option<&Caller>,
        token: &str,
        operation: &'static str,
    ) -> Self {
        let service = session(state, request, SERVICE, operation, [r#"{"role":"service_role"}"#, "", ""]);
        let request_id = Some(RequestContext::of(request).id.clone());
        let platform_request_id = request.headers().get(PLATFORM_ID).and_then(|id| id.to_str().ok()).map(str::to_owned);
        let Some(caller) = caller else {
            return Requester {
                user: service.clone(),
                service,
                owner: None,
                request_id,
                platform_request_id,
                operation,
            };
        };
        let user = of_caller(state, request, caller, token, operation);
        let owner = caller.claims.string("sub").map(str::to_owned);
        Requester { user, service, owner, request_id, platform_request_id, operation }
    }

    /// The same with another owner: the one in a signed URL.
    pub(crate) fn with_owner(mut self, owner: Option<String>) -> Self {
        self.owner = owner;
        self
    }

    /// Whether the caller has the service's role, which no policy refuses anything.
    pub(crate) fn is_service(&self) -> bool {
        self.user.role() == self.service.role()
    }

    /// A transaction under the caller's role.
    pub(crate) async fn as_user<'a>(&self, connection: &'a mut Connection) -> Result<Transaction<'a>, StorageError> {
        begin(connection, &self.user).await
    }

    /// Runs `work` under the caller's own role within a transaction of [`Requester::as_service`], and undoes it.
    ///
    /// # Errors
    /// Those of `work`; the transaction can then only be rolled back.
    pub(crate) async fn try_as_user(
        &self,
        tx: &Transaction<'_>,
        work: impl AsyncFnOnce(&Transaction<'_>) -> Result<(), StorageError>,
    ) -> Result<(), StorageError> {
        tx.execute("savepoint as_user", &[]).await.map_err(StorageError::database)?;
        tx.apply(&self.user).await.map_err(StorageError::database)?;
        work(tx).await?;
        // Brings back role and settings, too.
        tx.execute("rollback to savepoint as_user", &[]).await.map(drop).map_err(StorageError::database)
    }

    /// A transaction that bypasses row policies.
    pub(crate) async fn as_service<'a>(&self, connection: &'a mut Connection) -> Result<Transaction<'a>, StorageError> {
        begin(connection, &self.service).await
    }
}

/// The session of a caller. `token` need not come from the `Authorization` header.
fn of_caller(state: &State, request: &HttpRequest, caller: &Caller, token: &str, operation: &'static str) -> Session {
    let subject = caller.claims.string("sub").unwrap_or_default();
    session(state, request, &caller.role, operation, [caller.claims.text(), token, subject])
}

fn session(
    state: &State,
    request: &HttpRequest,
    role: &str,
    operation: &'static str,
    [claims, token, subject]: [&str; 3],
) -> Session {
    let mut session = Session::new(role);
    session
        .set("request.jwt.claim.role", role)
        .set("request.jwt", token)
        .set("request.jwt.claim.sub", subject)
        .set("request.jwt.claims", claims)
        .set("request.headers", headers(request))
        .set("request.method", request.method().as_str())
        .set("request.path", request.path())
        .set("storage.operation", operation)
        .set("storage.allow_delete_query", "true")
        .set("statement_timeout", state.config.statement_timeout.as_millis().to_string());
    session
}

async fn begin<'a>(connection: &'a mut Connection, session: &Session) -> Result<Transaction<'a>, StorageError> {
    let begun = connection.begin(session, Isolation::ReadCommitted, Access::ReadWrite).await;
    begun.map_err(StorageError::database)
}

/// JSON for `current_setting('request.headers')`; of a repeated header, the last value.
fn headers(request: &HttpRequest) -> String {
    let all = request.headers().iter();
    let map: Map<String, Value> =
        all.filter_map(|(name, value)| Some((name.as_str().to_owned(), Value::from(value.to_str().ok()?)))).collect();
    Value::Object(map).to_string()
}

//! A sign-in becomes a session.

use pg::pool::Transaction;
use uuid::Uuid;

use super::{AuthenticationMethod, Proof, Session};
use crate::State;
use crate::account::User;
use crate::error::AuthError;
use crate::fault::OrFault;
use crate::requester::Requester;
use crate::store::sessions;
use crate::timestamp;
use crate::tokens::{self, Making, TokenBody};
use crate::wire::Trace;

/// What a user allowed an OAuth client to have a session for.
pub(crate) struct Grant {
    /// The session's id is known beforehand.
    pub(crate) session_id: Uuid,
    pub(crate) client_id: Uuid,
    /// Separated by spaces.
    pub(crate) scopes: String,
}

/// Starts a session for `user` and makes its tokens.
///
/// # Errors
/// When the database fails or no key can sign, and what the project's hook says against it.
pub(crate) async fn issue(
    state: &State,
    db: &Transaction<'_>,
    user: User,
    method: AuthenticationMethod,
    requester: &Requester,
    trace: &Trace,
) -> Result<TokenBody, AuthError> {
    issue_to(state, db, user, method, None, requester, trace).await
}

/// The same for an OAuth client that acts for the user, where there is a grant.
///
/// # Errors
/// When the database fails or no key can sign, and what the project's hook says against it.
pub(crate) async fn issue_to(
    state: &State,
    db: &Transaction<'_>,
    mut user: User,
    method: AuthenticationMethod,
    grant: Option<Grant>,
    requester: &Requester,
    trace: &Trace,
) -> Result<TokenBody, AuthError> {
    let now = timestamp::now(&state.clock);
    let session = Session {
        id: grant.as_ref().map_or_else(Uuid::new_v4, |grant| grant.session_id),
        created_at: now,
        not_after: None,
        aal: None,
        refreshed_at: None,
        tag: None,
        oauth_client_id: grant.as_ref().map(|grant| grant.client_id),
        scopes: grant.map(|grant| grant.scopes),
        proofs: vec![Proof { method: method.as_str().to_owned(), at: now }],
    };
    let refresh_token = tokens::new_refresh_token();
    trace.user(user.id);
    sessions::create(db, session.id, user.id, &refresh_token, method, requester, now)
        .await
        .or_fault("Database error granting user")?;
    if let (Some(client), Some(scopes)) = (session.oauth_client_id, &session.scopes) {
        sessions::hand_to_client(db, session.id, client, scopes).await.or_fault("Database error granting user")?;
    }
    trace.session(session.id);
    trace.refresh_token(&refresh_token);
    user.last_sign_in_at = Some(now);
    user.updated_at = now;
    let making = Making { session: &session, refresh_token, method: method.as_str(), now };
    tokens::body(state, db, requester, user, making).await
}

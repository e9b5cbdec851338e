//! Starts the session of a sign-in.

use pg::pool::Transaction;

use crate::error::AuthError;
use crate::error::fault::OrFault;
use crate::flows::tokens::{self, Issued, Making};
use crate::model::account::User;
use crate::model::requester::Requester;
use crate::model::session::{Proof, Session, SignIn};
use crate::model::timestamp;
use crate::model::trace::Trace;
use crate::protocol::refresh_token::{self, Key};
use crate::state::State;
use crate::store::sessions::{self, NewSession};

/// Starts a session for `user` and makes its tokens, as far as that is possible before the commit.
///
/// # Errors
/// [`AuthError::Banned`]; if the database fails or no key can sign; and the hook's refusal.
pub(crate) async fn issue(
    state: &State,
    db: &Transaction<'_>,
    mut user: User,
    sign_in: impl Into<SignIn>,
    requester: &Requester,
    trace: &Trace,
) -> Result<Issued, AuthError> {
    let sign_in = sign_in.into();
    let now = timestamp::now(&state.clock);
    // Check here as well as in the flows that report a ban themselves, so that no sign-in method can bypass a ban.
    if user.is_banned(now) {
        return Err(AuthError::Banned);
    }
    let session = Session {
        id: sign_in.id,
        created_at: now,
        not_after: sign_in.not_after,
        aal: None,
        refreshed_at: None,
        tag: None,
        oauth_client_id: sign_in.oauth_client_id,
        scopes: sign_in.scopes.clone(),
        proofs: vec![Proof { method: sign_in.method.as_str().to_owned(), at: now }],
    };
    let signed = state.config.security.refresh_tokens_are_signed().then(Key::generate);
    let refresh_token = match &signed {
        Some(key) => key.sign(session.id, 0),
        None => refresh_token::new_stored(),
    };
    trace.user(user.id);
    let new = NewSession {
        user: user.id,
        refresh_token: signed.is_none().then_some(&refresh_token),
        key: signed.as_ref().map(|key| state.config.encryption.seal(session.id, &key.to_column())),
        sign_in: &sign_in,
    };
    sessions::create(db, new, requester, now).await.or_fault("Database error granting user")?;
    trace.session(session.id);
    match signed {
        Some(_) => trace.refresh_counter(0),
        None => trace.refresh_token(&refresh_token),
    }
    user.last_sign_in_at = Some(now);
    user.updated_at = now;
    let making = Making { session: &session, refresh_token, method: sign_in.method.as_str(), now };
    tokens::body(state, db, requester, user, making).await
}

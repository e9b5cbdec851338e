//! `POST /token?grant_type=refresh_token`

use crate::State;
use crate::body::params;
use crate::error::AuthError;
use crate::refresh_token::RefreshToken;
use crate::requester::Requester;
use crate::sessions;
use crate::tokens::TokenBody;
use crate::wire::Trace;

/// What the grant takes.
#[derive(Default)]
pub(super) struct RefreshTokenGrant {
    refresh_token: String,
}
params!(RefreshTokenGrant as "RefreshTokenGrantParams" { refresh_token: Text });

/// Trades a refresh token for a new session body.
pub(super) async fn grant(
    state: &State,
    params: RefreshTokenGrant,
    requester: &Requester,
    trace: &Trace,
) -> Result<TokenBody, AuthError> {
    if RefreshToken::parse(&params.refresh_token).is_none() {
        return Err(AuthError::RefreshTokenMalformed);
    }
    sessions::refresh(state, &params.refresh_token, None, requester, trace).await
}

//! `POST /token?grant_type=refresh_token`

use crate::error::AuthError;
use crate::flows::sessions;
use crate::flows::tokens::TokenBody;
use crate::model::requester::Requester;
use crate::model::trace::Trace;
use crate::protocol::body::params;
use crate::protocol::refresh_token::RefreshToken;
use crate::state::State;

/// The parameters of the grant.
#[derive(Default)]
pub(super) struct RefreshTokenGrant {
    refresh_token: String,
}
params!(RefreshTokenGrant as "RefreshTokenGrantParams" { refresh_token: Text });

/// Exchanges a refresh token for new tokens.
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

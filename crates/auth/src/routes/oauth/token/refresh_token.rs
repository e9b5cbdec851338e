//! `grant_type=refresh_token` (RFC 6749 section 6)

use super::ClientTokenBody;
use crate::State;
use crate::error::AuthError;
use crate::oauth_error::OAuthError;
use crate::oauth_server::{Client, TokenParams};
use crate::requester::Requester;
use crate::sessions;
use crate::wire::Trace;

/// Trades a refresh token of this client's.
pub(super) async fn refresh(
    state: &State,
    client: &Client,
    params: &TokenParams,
    requester: &Requester,
    trace: &Trace,
) -> Result<ClientTokenBody, AuthError> {
    if params.refresh_token.is_empty() {
        return Err(AuthError::OAuth(OAuthError::RefreshTokenMissing));
    }
    let body = sessions::refresh(state, &params.refresh_token, Some(client.id), requester, trace).await?;
    Ok(ClientTokenBody::new(body, None))
}

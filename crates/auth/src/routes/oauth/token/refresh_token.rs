//! `grant_type=refresh_token` (RFC 6749 section 6)

use super::ClientTokenBody;
use crate::error::{AuthError, OAuthError};
use crate::flows::oauth_server::TokenParams;
use crate::flows::sessions;
use crate::model::oauth_client::Client;
use crate::model::requester::Requester;
use crate::model::trace::Trace;
use crate::state::State;

/// Exchanges a refresh token of this client.
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

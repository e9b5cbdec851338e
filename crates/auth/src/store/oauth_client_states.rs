//! `auth.oauth_client_states`: the verifiers of our own PKCE flows with providers.

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use uuid::Uuid;

use super::unreadable;

/// A flow in which we are the client.
pub(crate) struct ClientState {
    pub(crate) provider_type: String,
    pub(crate) code_verifier: String,
    pub(crate) created_at: DateTime<Utc>,
}

pub(crate) async fn insert(
    db: &impl Query,
    id: Uuid,
    provider: &str,
    verifier: &str,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let sql = include_str!("oauth_client_states/insert.sql");
    db.execute(sql, &[&id, &provider, &verifier, &now]).await.map(drop)
}

/// Deletes and returns it: it can be used once.
pub(crate) async fn take(db: &impl Query, id: Uuid) -> Result<Option<ClientState>, Error> {
    let Some(row) = db.query_opt(include_str!("oauth_client_states/take.sql"), &[&id]).await? else { return Ok(None) };
    let read = || {
        Ok(ClientState {
            provider_type: row.try_get("provider_type")?,
            code_verifier: row.try_get::<_, Option<String>>("code_verifier")?.unwrap_or_default(),
            created_at: row.try_get("created_at")?,
        })
    };
    read().map(Some).map_err(unreadable)
}

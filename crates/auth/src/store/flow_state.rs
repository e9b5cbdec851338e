//! `auth.flow_state`

mod external;

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use uuid::Uuid;

use super::unreadable;
use crate::model::pkce::Challenge;

pub(crate) use external::{ExternalFlow, NewFlow, by_id, complete, insert_external, lock};

/// A flow found by its code.
pub(crate) struct FlowState {
    pub(crate) id: Uuid,
    /// Absent until the external provider has identified the user.
    pub(crate) user_id: Option<Uuid>,
    pub(crate) provider_type: String,
    pub(crate) authentication_method: String,
    pub(crate) challenge: String,
    pub(crate) challenge_method: String,
    pub(crate) provider_access_token: String,
    pub(crate) provider_refresh_token: String,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) code_issued_at: Option<DateTime<Utc>>,
}

pub(crate) async fn by_code(db: &impl Query, code: &str) -> Result<Option<FlowState>, Error> {
    let Some(row) = db.query_opt(include_str!("flow_state/by_code.sql"), &[&code]).await? else { return Ok(None) };
    let text = |column: &str| row.try_get::<_, Option<String>>(column).map(Option::unwrap_or_default);
    let read = || {
        Ok(FlowState {
            id: row.try_get("id")?,
            user_id: row.try_get("user_id")?,
            provider_type: text("provider_type")?,
            authentication_method: text("authentication_method")?,
            challenge: text("code_challenge")?,
            challenge_method: text("code_challenge_method")?,
            provider_access_token: text("provider_access_token")?,
            provider_refresh_token: text("provider_refresh_token")?,
            created_at: row.try_get::<_, Option<DateTime<Utc>>>("created_at")?.unwrap_or_default(),
            code_issued_at: row.try_get("auth_code_issued_at")?,
        })
    };
    read().map(Some).map_err(unreadable)
}

/// Issues the code of the user's latest flow of this kind.
pub(crate) async fn issue_code(
    db: &impl Query,
    user: Uuid,
    method: &str,
    now: DateTime<Utc>,
) -> Result<Option<String>, Error> {
    let row = db.query_opt(include_str!("flow_state/issue_code.sql"), &[&user, &method, &now]).await?;
    row.map_or(Ok(None), |row| row.try_get("auth_code").map_err(unreadable))
}

/// Returns false if it did not exist.
pub(crate) async fn delete(db: &impl Query, id: Uuid) -> Result<bool, Error> {
    db.execute(include_str!("flow_state/delete.sql"), &[&id]).await.map(|rows| rows > 0)
}

/// Stores the challenge of a new flow.
pub(crate) async fn insert(
    db: &impl Query,
    user: Uuid,
    provider: &str,
    method: &str,
    challenge: &Challenge,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let sql = include_str!("flow_state/insert.sql");
    let params: pg::pool::Params<'_> = &[&user, &provider, &method, &challenge.text, &challenge.method.as_str(), &now];
    db.execute(sql, params).await.map(drop)
}

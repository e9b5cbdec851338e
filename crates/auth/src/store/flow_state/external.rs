//! `auth.flow_state` for flows with an external provider: the row's id is the OAuth state.

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use uuid::Uuid;

use super::super::unreadable;
use crate::model::authentication_method::AuthenticationMethod;
use crate::model::pkce::Challenge;

/// A new flow.
pub(crate) struct NewFlow<'a> {
    pub(crate) id: Uuid,
    pub(crate) provider_type: &'a str,
    pub(crate) method: AuthenticationMethod,
    /// With a challenge the app gets a code, otherwise a session in the fragment.
    pub(crate) challenge: Option<&'a Challenge>,
    /// Empty if there is none.
    pub(crate) invite_token: &'a str,
    pub(crate) referrer: &'a str,
    /// Our own PKCE flow with the provider, if it requires one.
    pub(crate) client_state: Option<Uuid>,
    /// The user who links an identity.
    pub(crate) linking_target: Option<Uuid>,
    pub(crate) email_optional: bool,
}

/// A flow whose callback arrived.
#[derive(Clone)]
pub(crate) struct ExternalFlow {
    pub(crate) id: Uuid,
    /// Present after the sign-in.
    pub(crate) user_id: Option<Uuid>,
    pub(crate) provider_type: String,
    /// Present in PKCE flows: the code for the app.
    pub(crate) auth_code: Option<String>,
    pub(crate) invite_token: String,
    pub(crate) referrer: String,
    pub(crate) client_state: Option<Uuid>,
    pub(crate) linking_target: Option<Uuid>,
    pub(crate) email_optional: bool,
    pub(crate) created_at: DateTime<Utc>,
}

pub(crate) async fn insert_external(db: &impl Query, flow: NewFlow<'_>, now: DateTime<Utc>) -> Result<(), Error> {
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let challenge = flow.challenge.map(|challenge| challenge.text.as_str());
    let method = flow.challenge.map(|challenge| challenge.method.as_str());
    let auth_code = flow.challenge.map(|_| Uuid::new_v4().to_string());
    db.execute(
        include_str!("insert_external.sql"),
        &[
            &flow.id,
            &flow.provider_type,
            &challenge,
            &method,
            &auth_code,
            &text(flow.invite_token),
            &text(flow.referrer),
            &flow.client_state,
            &flow.linking_target,
            &flow.email_optional,
            &now,
            &flow.method.as_str(),
        ],
    )
    .await
    .map(drop)
}

pub(crate) async fn by_id(db: &impl Query, id: Uuid) -> Result<Option<ExternalFlow>, Error> {
    read(db.query_opt(include_str!("by_id.sql"), &[&id]).await?)
}

/// The flow, locked for this transaction.
pub(crate) async fn lock(db: &impl Query, id: Uuid) -> Result<Option<ExternalFlow>, Error> {
    read(db.query_opt(include_str!("lock.sql"), &[&id]).await?)
}

/// Completes the flow with its user and issues the code.
pub(crate) async fn complete(
    db: &impl Query,
    id: Uuid,
    user: Uuid,
    (access_token, refresh_token): (&str, &str),
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let sql = include_str!("complete.sql");
    db.execute(sql, &[&id, &user, &access_token, &refresh_token, &now]).await.map(drop)
}

fn read(row: Option<tokio_postgres::Row>) -> Result<Option<ExternalFlow>, Error> {
    let Some(row) = row else { return Ok(None) };
    let text = |column: &str| row.try_get::<_, Option<String>>(column).map(Option::unwrap_or_default);
    let read = || {
        let is_pkce = !text("code_challenge")?.is_empty();
        Ok(ExternalFlow {
            id: row.try_get("id")?,
            user_id: row.try_get("user_id")?,
            provider_type: row.try_get("provider_type")?,
            auth_code: row.try_get::<_, Option<String>>("auth_code")?.filter(|_| is_pkce),
            invite_token: text("invite_token")?,
            referrer: text("referrer")?,
            client_state: row.try_get("oauth_client_state_id")?,
            linking_target: row.try_get("linking_target_id")?,
            email_optional: row.try_get("email_optional")?,
            created_at: row.try_get::<_, Option<DateTime<Utc>>>("created_at")?.unwrap_or_default(),
        })
    };
    read().map(Some).map_err(unreadable)
}

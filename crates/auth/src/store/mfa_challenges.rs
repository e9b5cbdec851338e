//! `auth.mfa_challenges`

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use uuid::Uuid;

use super::unreadable;
use crate::model::factor::{Challenge, Pending};

/// Stores a challenge and records its time with the factor.
pub(crate) async fn insert(db: &impl Query, new: &Challenge) -> Result<(), Error> {
    let ip = new.ip.to_string();
    let values: [&(dyn tokio_postgres::types::ToSql + Sync); 6] =
        [&new.id, &new.factor_id, &new.created_at, &ip, &new.otp_code, &new.session_data];
    db.execute(include_str!("mfa_challenges/insert.sql"), &values).await.map(drop)
}

/// A challenge of the factor, with the factor's secret.
pub(crate) async fn find(db: &impl Query, factor: Uuid, id: Uuid) -> Result<Option<Pending>, Error> {
    let Some(row) = db.query_opt(include_str!("mfa_challenges/find.sql"), &[&id, &factor]).await? else {
        return Ok(None);
    };
    let read = || {
        Ok(Pending {
            id: row.try_get("id")?,
            created_at: row.try_get("created_at")?,
            verified_at: row.try_get("verified_at")?,
            ip: row.try_get("ip")?,
            otp_code: row.try_get("otp_code")?,
            session_data: row.try_get("web_authn_session_data")?,
            secret: row.try_get("secret")?,
        })
    };
    read().map(Some).map_err(unreadable)
}

/// Uses up the challenge; `false` if another request has. `code` replaces the stored code.
pub(crate) async fn verify(db: &impl Query, id: Uuid, code: Option<&str>, now: DateTime<Utc>) -> Result<bool, Error> {
    Ok(db.execute(include_str!("mfa_challenges/verify.sql"), &[&id, &now, &code]).await? > 0)
}

/// True if a challenge of the factor was answered with the code of this time step or a later one, each stored as
/// `prefix` and the step's number.
pub(crate) async fn is_spent(db: &impl Query, factor: Uuid, prefix: &str, step: i64) -> Result<bool, Error> {
    Ok(db.query_opt(include_str!("mfa_challenges/is_spent.sql"), &[&factor, &prefix, &step]).await?.is_some())
}

/// `false` if it did not exist.
pub(crate) async fn delete(db: &impl Query, id: Uuid) -> Result<bool, Error> {
    Ok(db.execute(include_str!("mfa_challenges/delete.sql"), &[&id]).await? > 0)
}

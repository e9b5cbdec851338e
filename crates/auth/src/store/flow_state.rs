//! `auth.flow_state`

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::Query;
use uuid::Uuid;

use crate::pkce::Challenge;

/// Remembers the challenge under which a flow began.
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

//! Reads settings of roles, and configuration that is stored in the database.

use std::collections::HashMap;

use pg::pool::{Query, Transaction};

use crate::catalog::role_settings::RoleSettings;
use crate::config::IN_DATABASE;

/// Reads the settings of all roles.
pub(super) async fn of_roles(transaction: &Transaction<'_>) -> Result<RoleSettings, pg::Error> {
    let mut by_role: HashMap<String, Vec<(String, String)>> = HashMap::new();
    for row in transaction.query(include_str!("queries/role_settings.sql"), &[]).await? {
        by_role.entry(row.get(0)).or_default().push((row.get(1), row.get(2)));
    }
    Ok(RoleSettings::new(by_role))
}

/// The supported settings under `pgrst.` that are stored in the database, without that prefix.
pub(crate) async fn in_database(transaction: &Transaction<'_>) -> Result<Vec<(String, String)>, pg::Error> {
    let rows = transaction.query(include_str!("queries/config.sql"), &[]).await?;
    let settings = rows.into_iter().map(|row| (row.get::<_, String>(0), row.get::<_, String>(1)));
    Ok(settings.filter(|(name, _)| IN_DATABASE.contains(&name.as_str())).collect())
}

/// The same settings as the current session has them.
pub(crate) async fn made(transaction: &Transaction<'_>) -> Result<Vec<(String, String)>, pg::Error> {
    let rows = transaction.query(include_str!("queries/made_settings.sql"), &[&IN_DATABASE.as_slice()]).await?;
    Ok(rows.into_iter().map(|row| (row.get(0), row.get(1))).collect())
}

//! What the database says about roles and about the configuration.

use std::collections::HashMap;

use pg::Isolation;
use pg::pool::{Query, Transaction};

use crate::config::IN_DATABASE;

/// Settings of roles that are put in force together with the role.
#[derive(Debug, Default)]
pub(crate) struct RoleSettings {
    by_role: HashMap<String, Vec<(String, String)>>,
}

impl RoleSettings {
    /// The settings of a role, without its isolation level.
    pub(crate) fn of(&self, role: &str) -> impl Iterator<Item = &(String, String)> {
        let settings = self.by_role.get(role).map_or(&[][..], Vec::as_slice);
        settings.iter().filter(|(name, _)| name != ISOLATION)
    }

    /// The isolation level of a role's transactions, where it has one of its own.
    pub(crate) fn isolation(&self, role: &str) -> Option<Isolation> {
        let settings = self.by_role.get(role)?;
        settings.iter().find(|(name, _)| name == ISOLATION).and_then(|(_, value)| isolation(value))
    }

    /// Reads them.
    pub(crate) async fn load(transaction: &Transaction<'_>) -> Result<Self, pg::Error> {
        let mut by_role: HashMap<String, Vec<(String, String)>> = HashMap::new();
        for row in transaction.query(include_str!("queries/role_settings.sql"), &[]).await? {
            by_role.entry(row.get(0)).or_default().push((row.get(1), row.get(2)));
        }
        Ok(RoleSettings { by_role })
    }
}

const ISOLATION: &str = "default_transaction_isolation";

/// The level of that name.
pub(crate) fn isolation(name: &str) -> Option<Isolation> {
    match name.to_ascii_lowercase().as_str() {
        "serializable" => Some(Isolation::Serializable),
        "repeatable read" => Some(Isolation::RepeatableRead),
        "read committed" | "read uncommitted" => Some(Isolation::ReadCommitted),
        _ => None,
    }
}

/// The settings under `pgrst.` that may be made in the database, without that prefix.
pub(crate) async fn in_database(transaction: &Transaction<'_>) -> Result<Vec<(String, String)>, pg::Error> {
    let rows = transaction.query(include_str!("queries/config.sql"), &[]).await?;
    let settings = rows.into_iter().map(|row| (row.get::<_, String>(0), row.get::<_, String>(1)));
    Ok(settings.filter(|(name, _)| IN_DATABASE.contains(&name.as_str())).collect())
}

/// The same as the connection has them now.
pub(crate) async fn made(transaction: &Transaction<'_>) -> Result<Vec<(String, String)>, pg::Error> {
    let rows = transaction.query(include_str!("queries/made_settings.sql"), &[&IN_DATABASE.as_slice()]).await?;
    Ok(rows.into_iter().map(|row| (row.get(0), row.get(1))).collect())
}

//! Settings of roles (`alter role … set`).

use std::collections::HashMap;

use pg::Isolation;

/// Settings of roles that are applied together with the role.
#[derive(Debug, Default)]
pub(crate) struct RoleSettings {
    by_role: HashMap<String, Vec<(String, String)>>,
}

impl RoleSettings {
    /// The settings by role: names and values.
    pub(crate) fn new(by_role: HashMap<String, Vec<(String, String)>>) -> Self {
        RoleSettings { by_role }
    }

    /// The settings of a role, without its isolation level.
    pub(crate) fn of(&self, role: &str) -> impl Iterator<Item = &(String, String)> {
        let settings = self.by_role.get(role).map_or(&[][..], Vec::as_slice);
        settings.iter().filter(|(name, _)| name != ISOLATION)
    }

    /// The isolation level of a role's transactions, if the role has such a setting.
    pub(crate) fn isolation(&self, role: &str) -> Option<Isolation> {
        let settings = self.by_role.get(role)?;
        settings.iter().find(|(name, _)| name == ISOLATION).and_then(|(_, value)| isolation(value))
    }
}

const ISOLATION: &str = "default_transaction_isolation";

/// Parses the name of an isolation level.
pub(crate) fn isolation(name: &str) -> Option<Isolation> {
    match name.to_ascii_lowercase().as_str() {
        "serializable" => Some(Isolation::Serializable),
        "repeatable read" => Some(Isolation::RepeatableRead),
        "read committed" | "read uncommitted" => Some(Isolation::ReadCommitted),
        _ => None,
    }
}

//! On whose behalf a transaction runs: role, claims and request settings.
//!
//! This is the only place that sets a role or a setting for a request. Everything is local to the transaction, so a
//! connection goes back to its pool as it came.

use tokio_postgres::types::{ToSql, Type};

use crate::{Error, Snippet};

/// Role and settings of one request, put in force at the start of its transaction and gone at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    role: Option<String>,
    settings: Vec<(String, String)>,
}

/// What the transaction may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// `READ ONLY`: reads, and calls of stable or immutable functions.
    ReadOnly,
    /// `READ WRITE`.
    #[default]
    ReadWrite,
}

/// Isolation level of the transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Isolation {
    /// PostgreSQL's default.
    #[default]
    ReadCommitted,
    /// One snapshot for the whole transaction.
    RepeatableRead,
    /// As if transactions ran one after another.
    Serializable,
}

/// How a transaction is to end, decided by the caller when it has seen the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Keep the work.
    Commit,
    /// Undo it; deferred constraints are checked first, so that a dry run fails where the real one would.
    Rollback,
}

impl Session {
    /// A session of the given database role, such as `anon` or `authenticated`.
    pub fn new(role: impl Into<String>) -> Self {
        Session { role: Some(role.into()), settings: Vec::new() }
    }

    /// A session that keeps the role of the connection.
    pub fn of_connection() -> Self {
        Session::default()
    }

    /// Adds a setting, such as `request.jwt.claims`. A later one of the same name wins.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) -> &mut Self {
        self.settings.push((name.into(), value.into()));
        self
    }

    /// The role, if one is set.
    pub fn role(&self) -> Option<&str> {
        self.role.as_deref()
    }

    /// One statement that puts the role and every setting in force until the end of the transaction; `None` when there is
    /// nothing to set. The settings come before the role: a role may lack the right to some of them.
    pub fn statement(&self) -> Option<Snippet> {
        let role = self.role.as_ref().map(|role| ("role", role.as_str()));
        let settings = self.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let calls: Vec<Snippet> = settings
            .chain(role)
            .map(|(name, value)| {
                let mut call = Snippet::raw("set_config(");
                call.param(name.to_owned()).push(", ").param(value.to_owned()).push(", true)");
                call
            })
            .collect();
        if calls.is_empty() {
            return None;
        }
        let mut statement = Snippet::raw("select ");
        statement.append(Snippet::join(calls, ", "));
        Some(statement)
    }
}

impl Access {
    /// As `BEGIN` takes it.
    pub(crate) fn sql(self) -> &'static str {
        match self {
            Access::ReadOnly => "read only",
            Access::ReadWrite => "read write",
        }
    }
}

impl Isolation {
    /// As `BEGIN` takes it.
    pub(crate) fn sql(self) -> &'static str {
        match self {
            Isolation::ReadCommitted => "read committed",
            Isolation::RepeatableRead => "repeatable read",
            Isolation::Serializable => "serializable",
        }
    }
}

/// The statement that opens a transaction.
pub(crate) fn begin(isolation: Isolation, access: Access) -> String {
    format!("begin isolation level {} {}", isolation.sql(), access.sql())
}

/// Puts `session` in force in an open transaction of the ordinary pool.
pub(crate) async fn apply(transaction: &tokio_postgres::Transaction<'_>, session: &Session) -> Result<(), Error> {
    let Some(statement) = session.statement() else { return Ok(()) };
    let (text, values) = statement.render();
    let values: Vec<String> =
        values.into_iter().flatten().map(|value| String::from_utf8_lossy(&value).into_owned()).collect();
    let params: Vec<(&(dyn ToSql + Sync), Type)> =
        values.iter().map(|value| (value as &(dyn ToSql + Sync), Type::TEXT)).collect();
    transaction.query_typed(&text, &params).await.map_err(Error::from_driver)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_before_the_role_and_all_are_parameters() {
        let mut session = Session::new("an\"on");
        session.set("request.method", "GET");
        let (text, params) = session.statement().unwrap().render();
        assert_eq!(text, "select set_config($1, $2, true), set_config($3, $4, true)");
        assert_eq!(params, ["request.method", "GET", "role", "an\"on"].map(|p| Some(p.into())));
        assert_eq!(Session::of_connection().statement(), None);
    }
}

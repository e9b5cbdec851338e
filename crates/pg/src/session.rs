//! The role, claims and request settings of a transaction.
//!
//! Only this module sets a role or a setting for a request. Everything is local to the transaction, so a connection returns to
//! its pool unchanged.

use std::borrow::Cow;
use std::fmt::Write;

use tokio_postgres::types::{ToSql, Type};

use crate::{Error, Snippet};

/// Role and settings of one request, which apply from the start of its transaction to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    role: Option<String>,
    settings: Vec<(Cow<'static, str>, String)>,
}

/// The access mode of a transaction.
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

/// How the caller ends a transaction after it has seen the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Commit.
    Commit,
    /// Roll back, after checking deferred constraints, so that a dry run fails if the real one would.
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

    /// Adds a setting, such as `request.jwt.claims`. The last value of a name wins. Names must come from the configuration, not
    /// from requests, because each combination of names is a separate prepared statement.
    pub fn set(&mut self, name: impl Into<Cow<'static, str>>, value: impl Into<String>) -> &mut Self {
        self.settings.push((name.into(), value.into()));
        self
    }

    /// The role, if one is set.
    pub fn role(&self) -> Option<&str> {
        self.role.as_deref()
    }

    /// The value of a setting, if the session sets it.
    pub(crate) fn setting(&self, name: &str) -> Option<&str> {
        self.settings.iter().rfind(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// The statement that applies the role, all settings and `more` until the end of the transaction, with its parameters; `None`
    /// if there is nothing to set. Settings come before the role, which may lack the right to set some of them. `more`
    /// overrides the session's own settings.
    pub fn statement<'a>(&'a self, more: &'a [(&'static str, &'a str)]) -> Option<(String, Vec<&'a str>)> {
        let (calls, values) = self.calls("set_config", more);
        (!values.is_empty()).then(|| (format!("select {calls}"), values))
    }

    /// Like [`Session::statement`], but its row is one number: the values, which may have kilobytes, are not sent back.
    /// Names a function of PostgreSQL with its schema, because an exact match on the search path would be preferred.
    pub(crate) fn silent_statement<'a>(
        &'a self,
        more: &'a [(&'static str, &'a str)],
    ) -> Option<(String, Vec<&'a str>)> {
        let (calls, values) = self.calls("pg_catalog.set_config", more);
        let text = match values.len() {
            0 => return None,
            1..=MAX_ARGUMENTS => format!("select pg_catalog.num_nulls({calls})"),
            _ => format!("select {calls}"),
        };
        Some((text, values))
    }

    /// One call of `set_config` for each setting, and the parameters.
    fn calls<'a>(&'a self, set_config: &'static str, more: &'a [(&'static str, &'a str)]) -> (String, Vec<&'a str>) {
        let replaced = |name: &str| more.iter().any(|(other, _)| *other == name);
        let own = self.settings.iter().map(|(name, value)| (&**name, value.as_str()));
        let role = self.role.as_ref().map(|role| ("role", role.as_str()));
        let settings = own.filter(|(name, _)| !replaced(name)).chain(more.iter().copied()).chain(role);
        let mut text = String::with_capacity(64 * (self.settings.len() + 2));
        let mut values = Vec::with_capacity(self.settings.len() + more.len() + 1);
        for (name, value) in settings {
            values.push(value);
            text.push_str(if values.len() > 1 { ", " } else { "" });
            text.push_str(set_config);
            text.push('(');
            push_literal(&mut text, name);
            // Writing to a String cannot fail.
            let _ = write!(text, ", ${}, true)", values.len());
        }
        (text, values)
    }
}

/// How many arguments PostgreSQL allows a call of a function.
const MAX_ARGUMENTS: usize = 100;

impl Session {
    /// The same as [`Session::statement`] with the values written into it, for scripts of several statements; it gives one row. A
    /// session of the connection that sets nothing gives one, too.
    pub fn literal(&self) -> Snippet {
        let mut sql = Snippet::raw("select ''");
        let own = self.settings.iter().map(|(name, value)| (&**name, value.as_str()));
        for (name, value) in own.chain(self.role.as_ref().map(|role| ("role", role.as_str()))) {
            sql.push(", set_config(").literal(name).push(", ").literal(value).push(", true)");
        }
        sql
    }
}

impl Access {
    /// In the syntax of `BEGIN`.
    pub(crate) fn sql(self) -> &'static str {
        match self {
            Access::ReadOnly => "read only",
            Access::ReadWrite => "read write",
        }
    }
}

impl Access {
    /// As the value of `transaction_read_only`.
    pub(crate) fn flag(self) -> &'static str {
        match self {
            Access::ReadOnly => "on",
            Access::ReadWrite => "off",
        }
    }
}

impl Isolation {
    /// In the syntax of `BEGIN`.
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

fn push_literal(text: &mut String, name: &str) {
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_')) {
        text.push('\'');
        text.push_str(name);
        text.push('\'');
    } else {
        text.push_str(&Snippet::new().literal(name).render().0);
    }
}

/// Applies `session` in the open transaction of a connection of the pool.
pub(crate) async fn apply(client: &tokio_postgres::Client, session: &Session) -> Result<(), Error> {
    match session.statement(&[]) {
        Some((text, values)) => run(client, &text, values.into_iter().map(Some).collect()).await,
        None => Ok(()),
    }
}

/// Executes a statement with text parameters; `None` is NULL.
pub(crate) async fn run(client: &tokio_postgres::Client, text: &str, values: Vec<Option<&str>>) -> Result<(), Error> {
    let params: Vec<(&(dyn ToSql + Sync), Type)> =
        values.iter().map(|value| (value as &(dyn ToSql + Sync), Type::TEXT)).collect();
    client.query_typed(text, &params).await.map_err(Error::from_driver)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_before_the_role_and_all_values_are_parameters() {
        let mut session = Session::new("an\"on");
        session.set("request.method", "GET");
        let (text, values) = session.statement(&[]).unwrap();
        assert_eq!(text, "select set_config('request.method', $1, true), set_config('role', $2, true)");
        assert_eq!(values, ["GET", "an\"on"]);
        session.set("it's", "x");
        let (text, values) = session.statement(&[("request.method", "HEAD")]).unwrap();
        assert_eq!(
            text,
            "select set_config('it''s', $1, true), set_config('request.method', $2, true), set_config('role', $3, true)"
        );
        assert_eq!(values, ["x", "HEAD", "an\"on"]);
        assert_eq!(Session::of_connection().statement(&[]), None);
        assert_eq!(Session::of_connection().silent_statement(&[]), None);
    }

    #[test]
    fn a_silent_statement_gives_one_number_unless_there_are_too_many_settings() {
        let mut session = Session::new("anon");
        session.set("request.method", "GET");
        let (text, values) = session.silent_statement(&[]).unwrap();
        assert_eq!(
            text,
            "select pg_catalog.num_nulls(pg_catalog.set_config('request.method', $1, true), \
             pg_catalog.set_config('role', $2, true))"
        );
        assert_eq!(values, ["GET", "anon"]);
        for (settings, is_number) in [(MAX_ARGUMENTS - 1, true), (MAX_ARGUMENTS, false)] {
            let mut session = Session::new("anon");
            for number in 0..settings {
                session.set(format!("app.{number}"), "x");
            }
            let (text, values) = session.silent_statement(&[]).unwrap();
            assert_eq!((text.contains("num_nulls"), values.len()), (is_number, settings + 1));
        }
    }
}

//! Deletes expired rows. Each statement takes a small batch, skips locked rows, and never waits.
//!
//! Source: supabase/auth, `internal/models/cleanup.go`.

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::{Connection, Query};

/// The kinds of rows to delete.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Expired {
    RevokedTokens,
    TokensOfEndedSessions,
    EndedSessions,
    SamlRelayStates,
    FlowStates,
    OauthClientStates,
    MfaChallenges,
    UnverifiedFactors,
    WebauthnChallenges,
    AnonymousUsers,
    /// Sessions with this maximum age, in seconds.
    TimeboxedSessions(f64),
    /// Sessions with this maximum time since a refresh, in seconds.
    InactiveSessions(f64),
    /// The same for sessions that were never refreshed.
    NeverRefreshedSessions(f64),
}

impl Expired {
    /// The name in the log.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Expired::RevokedTokens => "revoked_tokens",
            Expired::TokensOfEndedSessions => "tokens_of_ended_sessions",
            Expired::EndedSessions => "ended_sessions",
            Expired::SamlRelayStates => "saml_relay_states",
            Expired::FlowStates => "flow_state",
            Expired::OauthClientStates => "oauth_client_states",
            Expired::MfaChallenges => "mfa_challenges",
            Expired::UnverifiedFactors => "unverified_factors",
            Expired::WebauthnChallenges => "webauthn_challenges",
            Expired::AnonymousUsers => "anonymous_users",
            Expired::TimeboxedSessions(_) => "timeboxed_sessions",
            Expired::InactiveSessions(_) => "inactive_sessions",
            Expired::NeverRefreshedSessions(_) => "never_refreshed_sessions",
        }
    }

    /// Maximum number of rows per statement.
    pub(crate) fn batch(self) -> u64 {
        if self == Expired::EndedSessions { 10 } else { 100 }
    }
}

/// Deletes one batch; returns its number of rows.
pub(crate) async fn sweep(connection: &mut Connection, expired: Expired, now: DateTime<Utc>) -> Result<u64, Error> {
    let (sql, seconds) = match expired {
        Expired::RevokedTokens => (include_str!("cleanup/revoked_tokens.sql"), None),
        Expired::TokensOfEndedSessions => (include_str!("cleanup/tokens_of_ended_sessions.sql"), None),
        Expired::EndedSessions => (include_str!("cleanup/ended_sessions.sql"), None),
        Expired::SamlRelayStates => (include_str!("cleanup/saml_relay_states.sql"), None),
        Expired::FlowStates => (include_str!("cleanup/flow_state.sql"), None),
        Expired::OauthClientStates => (include_str!("cleanup/oauth_client_states.sql"), None),
        Expired::MfaChallenges => (include_str!("cleanup/mfa_challenges.sql"), None),
        Expired::UnverifiedFactors => (include_str!("cleanup/unverified_factors.sql"), None),
        Expired::WebauthnChallenges => (include_str!("cleanup/webauthn_challenges.sql"), None),
        Expired::AnonymousUsers => (include_str!("cleanup/anonymous_users.sql"), None),
        Expired::TimeboxedSessions(seconds) => (include_str!("cleanup/timeboxed_sessions.sql"), Some(seconds)),
        Expired::InactiveSessions(seconds) => (include_str!("cleanup/inactive_sessions.sql"), Some(seconds)),
        Expired::NeverRefreshedSessions(seconds) => {
            (include_str!("cleanup/never_refreshed_sessions.sql"), Some(seconds))
        }
    };
    let db = connection.transaction().await?;
    db.query_one("select set_config('lock_timeout', '1s', true), set_config('statement_timeout', '10s', true)", &[])
        .await?;
    let rows = match &seconds {
        Some(seconds) => db.execute(sql, &[&now, seconds]).await?,
        None => db.execute(sql, &[&now]).await?,
    };
    db.commit().await?;
    Ok(rows)
}

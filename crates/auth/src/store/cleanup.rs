//! Deletes expired rows. Each statement takes a small batch, skips locked rows, and never waits.
//!
//! Source: supabase/auth, `internal/models/cleanup.go`.

use chrono::{DateTime, Utc};
use pg::Error;
use pg::pool::{Connection, Query};

/// The kinds of rows to delete.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Litter {
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

impl Litter {
    /// The name in the log.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Litter::RevokedTokens => "revoked_tokens",
            Litter::TokensOfEndedSessions => "tokens_of_ended_sessions",
            Litter::EndedSessions => "ended_sessions",
            Litter::SamlRelayStates => "saml_relay_states",
            Litter::FlowStates => "flow_state",
            Litter::OauthClientStates => "oauth_client_states",
            Litter::MfaChallenges => "mfa_challenges",
            Litter::UnverifiedFactors => "unverified_factors",
            Litter::WebauthnChallenges => "webauthn_challenges",
            Litter::AnonymousUsers => "anonymous_users",
            Litter::TimeboxedSessions(_) => "timeboxed_sessions",
            Litter::InactiveSessions(_) => "inactive_sessions",
            Litter::NeverRefreshedSessions(_) => "never_refreshed_sessions",
        }
    }

    /// Maximum number of rows per statement.
    pub(crate) fn batch(self) -> u64 {
        if self == Litter::EndedSessions { 10 } else { 100 }
    }
}

/// Deletes one batch; returns its number of rows.
pub(crate) async fn sweep(connection: &mut Connection, litter: Litter, now: DateTime<Utc>) -> Result<u64, Error> {
    let (sql, seconds) = match litter {
        Litter::RevokedTokens => (include_str!("cleanup/revoked_tokens.sql"), None),
        Litter::TokensOfEndedSessions => (include_str!("cleanup/tokens_of_ended_sessions.sql"), None),
        Litter::EndedSessions => (include_str!("cleanup/ended_sessions.sql"), None),
        Litter::SamlRelayStates => (include_str!("cleanup/saml_relay_states.sql"), None),
        Litter::FlowStates => (include_str!("cleanup/flow_state.sql"), None),
        Litter::OauthClientStates => (include_str!("cleanup/oauth_client_states.sql"), None),
        Litter::MfaChallenges => (include_str!("cleanup/mfa_challenges.sql"), None),
        Litter::UnverifiedFactors => (include_str!("cleanup/unverified_factors.sql"), None),
        Litter::WebauthnChallenges => (include_str!("cleanup/webauthn_challenges.sql"), None),
        Litter::AnonymousUsers => (include_str!("cleanup/anonymous_users.sql"), None),
        Litter::TimeboxedSessions(seconds) => (include_str!("cleanup/timeboxed_sessions.sql"), Some(seconds)),
        Litter::InactiveSessions(seconds) => (include_str!("cleanup/inactive_sessions.sql"), Some(seconds)),
        Litter::NeverRefreshedSessions(seconds) => {
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

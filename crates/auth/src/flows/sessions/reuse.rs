//! Decides what to do with a refresh token, which may have been used before.
//!
//! A used token is still accepted if its child is the active one (the client never received the answer), or within the
//! reuse interval. Otherwise the token has leaked.

use chrono::TimeDelta;

use crate::config::SecurityConfig;
use crate::store::refresh_tokens::Stored;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// Issue a child.
    Rotate,
    /// Return the active stored token.
    Repeat(String),
    /// Return the active signed token, for these reasons.
    Recount(Vec<&'static str>),
    /// Its reuse is too late.
    Refuse,
    /// Its counter is higher than the session's.
    Foreign,
}

/// Decides about a stored token; `counter` is the session's, if it has signed tokens by now.
///
/// DEVIATION (safer): a revoked family of refresh tokens stays revoked; GoTrue exchanges its tokens once more within
/// the reuse interval.
///
/// DEVIATION (safer): within the reuse interval every earlier refresh token gets the active token, as for GoTrue's
/// signed tokens; for stored tokens GoTrue creates another child, and so a second valid branch.
pub(super) fn of_stored(token: &str, stored: &Stored, counter: Option<i64>, is_recent: bool) -> Decision {
    match (&stored.active, counter) {
        _ if !stored.revoked => Decision::Rotate,
        (Some(active), _) if is_recent || active.parent.as_deref() == Some(token) => {
            Decision::Repeat(active.token.clone())
        }
        (None, Some(counter)) if is_recent || (stored.is_newest && counter == 0) => Decision::Recount(Vec::new()),
        _ => Decision::Refuse,
    }
}

/// Decides about a signed token of a session last refreshed `since` ago.
pub(super) fn of_signed(token: i64, session: i64, since: TimeDelta, config: &SecurityConfig) -> Decision {
    let behind = session.saturating_sub(token);
    if behind <= 0 {
        return if behind == 0 { Decision::Rotate } else { Decision::Foreign };
    }
    let interval = TimeDelta::try_seconds(config.refresh_token_reuse_interval).unwrap_or_default();
    let causes: Vec<&str> = [
        ("concurrent-refresh", since.abs() < interval),
        ("fail-to-save", behind == 1),
        ("always-allow", config.refresh_token_allow_reuse),
    ]
    .into_iter()
    .filter_map(|(cause, applies)| applies.then_some(cause))
    .collect();
    if causes.is_empty() { Decision::Refuse } else { Decision::Recount(causes) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::refresh_tokens::Active;
    use chrono::DateTime;

    #[test]
    fn parents_get_the_child_and_ancestors_only_a_moment() {
        let active = |parent: &str| Some(Active { token: "child".to_owned(), parent: Some(parent.to_owned()) });
        let stored =
            |revoked, active, is_newest| Stored { id: 1, revoked, updated_at: DateTime::UNIX_EPOCH, active, is_newest };
        let child = || Decision::Repeat("child".to_owned());
        for (stored, counter, recent, decision) in [
            (stored(false, None, true), None, false, Decision::Rotate),
            (stored(false, active("other"), true), None, false, Decision::Rotate),
            (stored(true, active("token"), false), None, false, child()),
            (stored(true, active("token"), false), None, true, child()),
            (stored(true, active("other"), false), None, true, child()),
            (stored(true, active("other"), false), None, false, Decision::Refuse),
            (stored(true, None, false), None, true, Decision::Refuse),
            (stored(true, None, true), Some(0), false, Decision::Recount(vec![])),
            (stored(true, None, true), Some(1), true, Decision::Recount(vec![])),
            (stored(true, None, true), Some(1), false, Decision::Refuse),
            (stored(true, None, false), Some(0), false, Decision::Refuse),
        ] {
            let name = format!("{} {counter:?} {recent}", stored.revoked);
            assert_eq!(of_stored("token", &stored, counter, recent), decision, "{name}");
        }
    }

    #[test]
    fn signed_tokens_are_counted() {
        let config = |reuse: i64, always: bool| SecurityConfig {
            manual_linking_enabled: false,
            refresh_token_rotation_enabled: true,
            refresh_token_reuse_interval: reuse,
            refresh_token_allow_reuse: always,
            refresh_token_algorithm_version: 2,
            refresh_token_upgrade_percentage: 0,
            update_password_require_reauthentication: false,
            update_password_require_current_password: false,
        };
        for (token, session, since, config, decision) in [
            (3, 3, 0, config(0, false), Decision::Rotate),
            (4, 3, 0, config(9, true), Decision::Foreign),
            (2, 3, 60, config(9, false), Decision::Recount(vec!["fail-to-save"])),
            (1, 3, 60, config(9, false), Decision::Refuse),
            (1, 3, 9, config(9, false), Decision::Refuse),
            (1, 3, 8, config(9, false), Decision::Recount(vec!["concurrent-refresh"])),
            (0, i64::MAX, 60, config(0, true), Decision::Recount(vec!["always-allow"])),
        ] {
            assert_eq!(of_signed(token, session, TimeDelta::seconds(since), &config), decision, "{token} {since}");
        }
    }
}

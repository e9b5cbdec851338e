//! The lifetime of sessions.
//!
//! Source: supabase/auth, `internal/models/sessions.go`.

use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::config::SessionsConfig;
use crate::error::AuthError;
use crate::model::session::{Aal, Session};
use crate::model::timestamp::after;

impl Session {
    /// When the session was last used. `token_updated_at` is the time of the given refresh token, if any.
    pub(super) fn last_refreshed(&self, token_updated_at: Option<DateTime<Utc>>) -> DateTime<Utc> {
        self.refreshed_at
            .unwrap_or_else(|| token_updated_at.map_or(self.created_at, |updated| updated.max(self.created_at)))
    }

    /// Checks that the session is still valid. `highest` is the highest level that the user can reach.
    ///
    /// # Errors
    /// [`AuthError::SessionExpired`], [`AuthError::SessionInactive`], [`AuthError::SessionLowAal`].
    pub(super) fn check(
        &self,
        config: &SessionsConfig,
        now: DateTime<Utc>,
        token_updated_at: Option<DateTime<Utc>>,
        highest: Aal,
    ) -> Result<(), AuthError> {
        let past = |start: DateTime<Utc>, limit: Option<Duration>| limit.is_some_and(|limit| now > after(start, limit));
        if self.not_after.is_some_and(|end| now > end) || past(self.created_at, config.timebox) {
            return Err(AuthError::SessionExpired);
        }
        if past(self.last_refreshed(token_updated_at), config.inactivity_timeout) {
            return Err(AuthError::SessionInactive);
        }
        if self.level() < highest && past(self.created_at, config.allow_low_aal) {
            return Err(AuthError::SessionLowAal);
        }
        Ok(())
    }

    /// The session's tag. With `SINGLE_PER_USER` each tag has its own latest session.
    pub(super) fn kind<'a>(&'a self, config: &'a SessionsConfig) -> &'a str {
        let first = config.tags.first().map_or("", String::as_str);
        self.tag.as_deref().filter(|tag| config.tags.iter().any(|known| known == tag)).unwrap_or(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn at(minutes: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(minutes * 60, 0).unwrap()
    }

    fn session() -> Session {
        Session {
            id: Uuid::nil(),
            created_at: at(0),
            not_after: None,
            aal: Some("aal1".to_owned()),
            refreshed_at: None,
            tag: None,
            oauth_client_id: None,
            scopes: None,
            proofs: Vec::new(),
        }
    }

    #[test]
    fn every_limit_ends_a_session_after_it_and_not_at_it() {
        let hour = Some(Duration::from_secs(3600));
        let timebox = SessionsConfig { timebox: hour, ..Default::default() };
        let inactivity = SessionsConfig { inactivity_timeout: hour, ..Default::default() };
        let low_aal = SessionsConfig { allow_low_aal: hour, ..Default::default() };
        let plain = session();
        let refreshed = Session { refreshed_at: Some(at(30)), ..session() };
        let strong = Session { aal: Some("aal2".to_owned()), ..session() };
        let boxed = Session { not_after: Some(at(60)), ..session() };
        for (session, config, token, highest, last_good) in [
            (&plain, &SessionsConfig::default(), None, Aal::Two, None),
            (&boxed, &SessionsConfig::default(), None, Aal::One, Some(60)),
            (&refreshed, &timebox, None, Aal::One, Some(60)),
            (&plain, &inactivity, None, Aal::One, Some(60)),
            (&plain, &inactivity, Some(at(10)), Aal::One, Some(70)),
            (&refreshed, &inactivity, Some(at(10)), Aal::One, Some(90)),
            (&plain, &low_aal, None, Aal::Two, Some(60)),
            (&plain, &low_aal, None, Aal::One, None),
            (&strong, &low_aal, None, Aal::Two, None),
        ] {
            let good = |minutes| session.check(config, at(minutes), token, highest).is_ok();
            assert!(good(last_good.unwrap_or(1_000_000)), "{config:?}");
            assert!(last_good.is_none_or(|minutes| !good(minutes + 1)), "{config:?}");
        }
    }

    #[test]
    fn unknown_tags_are_the_first() {
        let config = SessionsConfig { tags: vec!["web".to_owned(), "app".to_owned()], ..Default::default() };
        let tagged = |tag: Option<&str>| Session { tag: tag.map(str::to_owned), ..session() };
        for (tag, kind) in [(None, "web"), (Some(""), "web"), (Some("tv"), "web"), (Some("app"), "app")] {
            assert_eq!(tagged(tag).kind(&config), kind);
        }
        assert_eq!(tagged(Some("app")).kind(&SessionsConfig::default()), "");
    }
}

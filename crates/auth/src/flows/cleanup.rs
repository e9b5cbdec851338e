//! Deletes expired rows in the background: in small batches, and only while no request waits for a connection.

use std::sync::Arc;
use std::time::Duration;

use gateway::Clock;
use gateway::events::{Event, Events};
use pg::Pool;
use tokio::task::AbortHandle;

use crate::config::{Cleanup, Config};
use crate::model::timestamp;
use crate::store::cleanup::{Expired, sweep};

/// Delay between startup and the first round.
const FIRST: Duration = Duration::from_secs(10);
/// Pause between two rounds.
const BETWEEN_ROUNDS: Duration = Duration::from_secs(60);
/// Pause between two batches, so that other queries get their turn.
const BETWEEN_BATCHES: Duration = Duration::from_millis(20);
/// Maximum number of batches of one kind in a round; the next round continues.
const BATCHES: usize = 1000;

/// The task. It ends when the last clone is dropped.
#[derive(Clone)]
pub(crate) struct Cleaner {
    _task: Option<Arc<Task>>,
}

struct Task(AbortHandle);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Cleaner {
    /// Starts the task on the calling runtime, if anything is to be cleaned up.
    pub(crate) fn start(config: &Config, pool: Pool, clock: Clock, events: Events) -> Self {
        let expired = expired(config);
        if expired.is_empty() {
            return Cleaner { _task: None };
        }
        let running = tokio::spawn(async move {
            tokio::time::sleep(FIRST).await;
            loop {
                for kind in &expired {
                    clean(*kind, &pool, &clock, &events).await;
                }
                tokio::time::sleep(BETWEEN_ROUNDS).await;
            }
        });
        Cleaner { _task: Some(Arc::new(Task(running.abort_handle()))) }
    }
}

/// The kinds of rows to delete under these settings.
fn expired(config: &Config) -> Vec<Expired> {
    if config.cleanup == Cleanup::Off {
        return Vec::new();
    }
    let mut expired = vec![
        Expired::RevokedTokens,
        Expired::TokensOfEndedSessions,
        Expired::EndedSessions,
        Expired::SamlRelayStates,
        Expired::FlowStates,
        Expired::OauthClientStates,
        Expired::MfaChallenges,
        Expired::UnverifiedFactors,
        Expired::WebauthnChallenges,
    ];
    if config.cleanup == Cleanup::ExpiredAndAnonymous && config.external.anonymous_users_enabled {
        expired.push(Expired::AnonymousUsers);
    }
    if let Some(timebox) = config.sessions.timebox {
        expired.push(Expired::TimeboxedSessions(timebox.as_secs_f64()));
    }
    if let Some(timeout) = config.sessions.inactivity_timeout {
        expired.push(Expired::InactiveSessions(timeout.as_secs_f64()));
        expired.push(Expired::NeverRefreshedSessions(timeout.as_secs_f64()));
    }
    expired
}

/// Deletes the rows of one kind, batch by batch.
async fn clean(kind: Expired, pool: &Pool, clock: &Clock, events: &Events) {
    let mut rows = 0;
    for _ in 0..BATCHES {
        let (_, _, waiting) = pool.status();
        if waiting > 0 {
            break;
        }
        // Others report an unavailable database.
        let Ok(mut connection) = pool.get().await else { break };
        match sweep(&mut connection, kind, timestamp::now(clock)).await {
            Ok(batch) => {
                rows += batch;
                if batch < kind.batch() {
                    break;
                }
            }
            Err(error) => {
                let detail = error.to_string();
                events.emit(Event::CleanupFailed { kind: kind.name(), detail: &detail });
                break;
            }
        }
        drop(connection);
        tokio::time::sleep(BETWEEN_BATCHES).await;
    }
    if rows > 0 {
        events.emit(Event::CleanedUp { kind: kind.name(), rows });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(settings: &[(&str, &str)]) -> Vec<&'static str> {
        let least = [
            ("GOTRUE_SITE_URL", "http://localhost:3000"),
            ("API_EXTERNAL_URL", "http://localhost:9999"),
            ("GOTRUE_JWT_SECRET", "0123456789abcdef0123456789abcdef"),
        ];
        let pairs = least.iter().chain(settings).map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        let (config, _) = Config::from_env(pairs).unwrap();
        expired(&config).into_iter().map(Expired::name).collect()
    }

    #[test]
    fn settings_say_what_goes() {
        let anonymous = ("GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED", "true");
        let on = ("GOTRUE_DB_CLEANUP_ENABLED", "true");
        assert_eq!(of(&[]).len(), 9);
        assert!(of(&[("GOTRUE_DB_CLEANUP_ENABLED", "false"), anonymous]).is_empty());
        for (settings, goes) in [(&[anonymous][..], false), (&[on], false), (&[on, anonymous], true)] {
            assert_eq!(of(settings).contains(&"anonymous_users"), goes, "{settings:?}");
        }
        let limits = of(&[("GOTRUE_SESSIONS_TIMEBOX", "1h"), ("GOTRUE_SESSIONS_INACTIVITY_TIMEOUT", "1h")]);
        assert_eq!(limits[9..], ["timeboxed_sessions", "inactive_sessions", "never_refreshed_sessions"]);
    }
}

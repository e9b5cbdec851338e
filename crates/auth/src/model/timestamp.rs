//! Timestamps in Go's JSON format: RFC 3339 in UTC, without trailing zeros in the fraction.

use std::time::Duration;

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use serde::Serializer;

/// The current time in PostgreSQL's precision, so that an answer equals what is read back later.
pub(crate) fn now(clock: &gateway::Clock) -> DateTime<Utc> {
    clock.now().trunc_subsecs(6)
}

/// Go's `time.RFC3339Nano`.
pub(crate) fn format(time: &DateTime<Utc>) -> String {
    let text = time.format("%Y-%m-%dT%H:%M:%S%.9f").to_string();
    format!("{}Z", text.trim_end_matches('0').trim_end_matches('.'))
}

/// For `#[serde(serialize_with)]`.
pub(crate) fn serialize<S: Serializer>(time: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format(time))
}

/// The same for an optional time; used together with `skip_serializing_if`.
pub(crate) mod optional {
    use super::{DateTime, Serializer, Utc};

    pub(crate) fn serialize<S: Serializer>(time: &Option<DateTime<Utc>>, serializer: S) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => super::serialize(time, serializer),
            None => serializer.serialize_none(),
        }
    }
}

/// `start` plus `duration`; saturates, because a setting of centuries means "never".
pub(crate) fn after(start: DateTime<Utc>, duration: Duration) -> DateTime<Utc> {
    TimeDelta::from_std(duration)
        .ok()
        .and_then(|delta| start.checked_add_signed(delta))
        .unwrap_or(DateTime::<Utc>::MAX_UTC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailing_zeros_are_left_out() {
        for (text, written) in [
            ("2026-11-21T04:16:33.123456Z", "2026-11-21T04:16:33.123456Z"),
            ("2026-11-21T04:16:33.120000Z", "2026-11-21T04:16:33.12Z"),
            ("2026-11-21T04:16:30Z", "2026-11-21T04:16:30Z"),
            ("2026-11-21T06:16:30.5+02:00", "2026-11-21T04:16:30.5Z"),
        ] {
            assert_eq!(format(&text.parse().unwrap()), written);
        }
    }
}

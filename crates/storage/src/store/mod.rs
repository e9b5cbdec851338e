//! The tables, one file each. This module makes no decisions.

pub(crate) mod buckets;
pub(crate) mod listing;
pub(crate) mod lookups;
pub(crate) mod objects;
pub(crate) mod reads;
pub(crate) mod removals;
pub(crate) mod sessions;
pub(crate) mod sweep;
pub(crate) mod uploads;
pub(crate) mod vector_tables;
pub(crate) mod vectors;

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::Value;

/// A time in JavaScript's format: UTC, milliseconds.
pub(crate) fn time(at: Option<DateTime<Utc>>) -> Value {
    at.map_or(Value::Null, |at| Value::from(at.to_rfc3339_opts(SecondsFormat::Millis, true)))
}

//! Settings that upstream calls experimental, and the deletion of expired rows.

use super::reader::Reader;
use super::{Cleanup, ExperimentalConfig};

pub(super) fn experimental(reader: &mut Reader) -> ExperimentalConfig {
    let prefix = "GOTRUE_EXPERIMENTAL_";
    ExperimentalConfig {
        cursor_pagination: reader.flag(&format!("{prefix}CURSOR_PAGINATION_ENABLED"), false),
        email_identity_on_password_set: reader
            .flag(&format!("{prefix}CREATE_EMAIL_IDENTITY_ON_PASSWORD_SET_ENABLED"), false),
        scim: reader.flag(&format!("{prefix}SCIM_ENABLED"), false),
    }
}

/// DEVIATION (behaviour): expired rows are deleted in the background unless `GOTRUE_DB_CLEANUP_ENABLED=false`; GoTrue
/// deletes them only if the variable is true, after requests that write. Anonymous users older than 30 days are deleted
/// only if it is `true`.
pub(super) fn cleanup(reader: &mut Reader) -> Cleanup {
    let key = "GOTRUE_DB_CLEANUP_ENABLED";
    match (reader.text(key).is_some(), reader.flag(key, true)) {
        (_, false) => Cleanup::Off,
        (false, true) => Cleanup::Expired,
        (true, true) => Cleanup::ExpiredAndAnonymous,
    }
}

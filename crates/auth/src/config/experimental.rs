//! What upstream calls experimental, and the cleaning up.

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

/// DEVIATION: what has expired is deleted unless `GOTRUE_DB_CLEANUP_ENABLED=false`, in the background; GoTrue does it only
/// when told to, after requests that write. Only `=true` also deletes anonymous users after 30 days.
pub(super) fn cleanup(reader: &mut Reader) -> Cleanup {
    let key = "GOTRUE_DB_CLEANUP_ENABLED";
    match (reader.text(key).is_some(), reader.flag(key, true)) {
        (_, false) => Cleanup::Off,
        (false, true) => Cleanup::Expired,
        (true, true) => Cleanup::ExpiredAndAnonymous,
    }
}

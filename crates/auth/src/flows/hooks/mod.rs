//! What the project does itself: functions of its database, or HTTP servers, that are asked or told at certain points.
//!
//! Each hook has a file with what it is sent and what its answer means. Here is what they have in common.
//! Source: supabase/auth, `internal/hooks/`.
//!
//! DEVIATION: an HTTP hook about a token is asked after the commit, without a connection; what it refuses then ends the session that
//! was begun. Where a hook has to be asked before the commit, half of the connections at most wait for hooks, and beyond
//! that a request is answered 429. GoTrue holds a transaction open for each.
//!
//! DEVIATION: a function is always bounded in time and always in a transaction; GoTrue bounds it only where there is one.

mod access_token;
mod attempts;
mod invoke;
mod messages;
mod users;

pub(crate) use access_token::{customise, customise_after};
pub(crate) use attempts::{check_mfa_attempt, check_password_attempt};
pub(crate) use invoke::has_room;
use invoke::{HookName, Place, invoke, metadata, text};
pub(crate) use messages::{EmailData, Sms, send_email, send_sms};
pub(crate) use users::{after_user_created, before_user_created};

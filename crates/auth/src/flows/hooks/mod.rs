//! Hooks: database functions or HTTP servers of the project that are called at certain points.
//!
//! Each hook has a file with its input and the meaning of its output. This module holds what they share.
//! Source: supabase/auth, `internal/hooks/`.
//!
//! DEVIATION (behaviour): the HTTP hooks for access tokens and for verification attempts are called without a
//! connection; if the first refuses, the new session ends. If an HTTP hook must run before the commit, at most half of the connections may
//! wait for hooks, and further requests get a 429. GoTrue holds a transaction open for each call.
//!
//! Two hooks must run before it: those that send the mails and messages of one-time tokens. They get a user and a code that
//! exist only in the transaction. If they fail, it is rolled back: a new account must not stay, because a second sign-up
//! would not replace its password, and the code that was valid before must not be lost.
//!
//! DEVIATION (safer): a hook in the database always runs in a transaction and with a time limit; GoTrue limits it only
//! if there is a transaction already.

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

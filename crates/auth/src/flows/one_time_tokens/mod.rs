//! One-time codes: created, hashed, stored, sent and compared.
//!
//! A code is mailed only after its hash is committed, unless a hook sends it. [`Dispatch`] holds what is left to do
//! then. Every code is sent through it.

mod code;
mod dispatch;
mod hashing;
mod mailed;
mod messaged;
mod reauthentication;

pub(crate) use code::{is_fresh, new_code};
pub(crate) use dispatch::{Dispatch, Ready};
pub(crate) use hashing::{CodeHasher, PKCE_PREFIX, is_same};
pub(crate) use mailed::{
    MAGIC_LINK, RECOVERY, Return, request, request_confirmation, request_email_change, request_invitation,
    request_nonce,
};
pub(crate) use messaged::{Occasion, request_phone_code, test_code};
pub(crate) use reauthentication::check_reauthentication;

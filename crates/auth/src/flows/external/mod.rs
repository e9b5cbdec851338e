//! Signing in with an account of another provider, and linking it.

mod account;
mod address;
mod departure;
mod linking;
mod unlinking;

pub(crate) use account::{Arrival, Arriving, Welcome, accept_invitation, announce, link_to, sign_in};
pub(crate) use address::check as check_address;
pub(crate) use departure::{challenge, depart};
pub(crate) use unlinking::unlink;

//! What happens on sockets and channels.

pub(crate) mod authorize;
mod broadcast;
mod changes;
mod channel;
mod join;
mod presence;
pub(crate) mod socket;
mod token;

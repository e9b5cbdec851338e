//! Mails, whichever service writes them.

mod mailbox;
mod post;

pub use mailbox::{Mail, Mailbox};
pub use post::{Letter, Post, Refused};

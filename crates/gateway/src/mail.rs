//! Mails, whichever service writes them.

mod mailbox;

pub use mailbox::{Mail, Mailbox};

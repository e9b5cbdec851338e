//! Mails to users: written from templates, sent in the background.
//!
//! A request makes a [`Letter`], commits, and hands it to the [`Mailer`]; it never waits for a mail server.
//!
//! DEVIATION: a mail is sent after the answer, and again when the mail server was away for a moment; GoTrue waits for the
//! mail server and answers 500 when it fails.

mod defaults;
mod exchangers;
mod letter;
pub(crate) mod links;
mod mailbox;
mod outbox;
mod smtp;
mod validation;
mod wording;

pub(crate) use letter::Letter;
pub use mailbox::{Mail, Mailbox};
pub(crate) use outbox::{Mailer, Sealed};
pub(crate) use validation::Validation;

/// Where mails go when no mail server is configured.
#[derive(Clone, Debug)]
pub enum WithoutSmtp {
    /// Nowhere; each is an event in the log.
    Drop,
    /// Into a mailbox in memory, for development.
    Keep(Mailbox),
}

//! Mails to users: rendered from templates, sent in the background.
//!
//! A request creates an [`Email`], commits, and hands it to the [`Mailer`]. It never waits for a mail server.
//!
//! DEVIATION (behaviour): a mail is sent after the answer, and retried if the mail server is unavailable; GoTrue waits
//! for the mail server and answers 500 if it fails.

mod defaults;
mod email;
mod exchangers;
pub(crate) mod links;
mod outbox;
mod smtp;
mod validation;
mod wording;

use gateway::mail::Mailbox;

pub(crate) use email::Email;
pub(crate) use outbox::{Mailer, Sealed};
pub(crate) use validation::Validation;
pub(crate) use wording::Written;

/// What to do with mails if no mail server is configured.
#[derive(Clone, Debug)]
pub(crate) enum WithoutSmtp {
    /// Drop them; each is an event in the log.
    Drop,
    /// Keep them in memory, for development.
    Keep(Mailbox),
}

//! Mails that other parts of the server write to users.

use uuid::Uuid;

use crate::service::BoxFuture;

/// A mail to a user.
#[derive(Clone, Debug)]
pub struct Letter {
    /// What the mail is about, for events and for the headers that a project adds: `search_matched`.
    pub kind: &'static str,
    /// The recipient.
    pub user_id: Uuid,
    /// The subject, as plain text.
    pub subject: String,
    /// The body.
    pub html: String,
}

/// Why a mail was not sent.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused {
    /// A temporary failure.
    ForNow(String),
    /// A permanent failure.
    ForGood(String),
}

/// Sends mails to users of the project: through its mail server, or to the mailbox of development.
pub trait Post: Send + Sync {
    /// Tries once to send a mail to the user's confirmed address. Emits no event.
    fn send(&self, letter: Letter) -> BoxFuture<'_, Result<(), Refused>>;
}

//! An in-memory mailbox for development, used instead of a mail server.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// Maximum number of mails; the oldest is dropped.
const CAPACITY: usize = 100;

/// A kept mail.
#[derive(Clone, Debug)]
pub struct Mail {
    /// Its id in the mailbox.
    pub id: Uuid,
    /// When it arrived.
    pub received_at: DateTime<Utc>,
    /// Its recipient.
    pub to: String,
    /// Its subject.
    pub subject: String,
    /// Its body.
    pub html: String,
}

/// The mailbox. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Mailbox {
    mails: Arc<Mutex<VecDeque<Mail>>>,
}

impl Mailbox {
    /// All mails, newest first.
    pub fn all(&self) -> Vec<Mail> {
        self.lock().iter().rev().cloned().collect()
    }

    /// The mail with this id.
    pub fn find(&self, id: Uuid) -> Option<Mail> {
        self.lock().iter().find(|mail| mail.id == id).cloned()
    }

    /// Deletes all mails.
    pub fn clear(&self) {
        self.lock().clear();
    }

    /// Keeps a mail; the oldest makes room for it.
    pub fn keep(&self, mail: Mail) {
        let mut mails = self.lock();
        if mails.len() == CAPACITY {
            mails.pop_front();
        }
        mails.push_back(mail);
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Mail>> {
        self.mails.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_mail_makes_room() {
        let mailbox = Mailbox::default();
        for number in 0..=CAPACITY {
            mailbox.keep(Mail {
                id: Uuid::new_v4(),
                received_at: Utc::now(),
                to: String::new(),
                subject: number.to_string(),
                html: String::new(),
            });
        }
        let mails = mailbox.all();
        assert_eq!((mails.len(), mails[0].subject.as_str()), (CAPACITY, "100"));
        assert_eq!(mails[CAPACITY - 1].subject, "1");
        assert!(mailbox.find(mails[3].id).is_some());
        mailbox.clear();
        assert!(mailbox.all().is_empty());
    }
}

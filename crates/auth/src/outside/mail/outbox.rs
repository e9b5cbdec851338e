//! The outbox: sends in the background, with a memory limit, retries and an orderly shutdown.

use std::sync::Arc;
use std::time::Duration;

use gateway::events::{Event, Events};
use gateway::mail::{Mail, Mailbox, Refused};
use gateway::{Clock, HttpClient};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use uuid::Uuid;

use super::WithoutSmtp;
use super::email::Email;
use super::smtp::Smtp;
use super::wording::{Words, Written};
use crate::config::Config;
use crate::error::AuthError;

/// Memory limit of all waiting mails, in bytes. Beyond it requests for mails are refused.
const ROOM: usize = 16 << 20;
/// When to retry if the outbox is full, in seconds.
const FULL: i64 = 60;
/// Number of mails sent concurrently.
const AT_A_TIME: usize = 4;
/// The pauses before further attempts.
const DELAYS: [Duration; 5] = [
    Duration::from_secs(1),
    Duration::from_secs(5),
    Duration::from_secs(30),
    Duration::from_secs(120),
    Duration::from_secs(600),
];
/// Time limit for fetching a template from the web.
const TEMPLATE_TIMEOUT: Duration = Duration::from_secs(10);

/// Accepts mails and sends them. Clones share it.
#[derive(Clone)]
pub(crate) struct Mailer {
    inner: Arc<Inner>,
}

struct Inner {
    way: Way,
    words: Words,
    room: Arc<Semaphore>,
    turns: Semaphore,
    stopping: watch::Sender<bool>,
    runtime: Handle,
    clock: Clock,
    events: Events,
}

/// The transport.
enum Way {
    Smtp(Box<Smtp>),
    Mailbox(Mailbox),
    Nowhere,
}

/// A mail with reserved memory in the outbox. Dropping it releases the memory; nothing is sent.
pub(crate) struct Sealed {
    mail: Email,
    _room: OwnedSemaphorePermit,
}

impl Mailer {
    /// A mailer that sends on the calling runtime.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub(crate) fn start(config: &Config, without: WithoutSmtp, clock: Clock, events: Events) -> std::io::Result<Self> {
        let way = match (&config.mailer.smtp, without) {
            (Some(smtp), _) => Way::Smtp(Box::new(Smtp::new(config, smtp)?)),
            (None, WithoutSmtp::Keep(mailbox)) => Way::Mailbox(mailbox),
            (None, WithoutSmtp::Drop) => Way::Nowhere,
        };
        let client = HttpClient::new(TEMPLATE_TIMEOUT)?;
        let words = Words::new(config.mailer.wordings.clone(), client, clock.clone(), events.clone());
        Ok(Mailer {
            inner: Arc::new(Inner {
                way,
                words,
                room: Arc::new(Semaphore::new(ROOM)),
                turns: Semaphore::new(AT_A_TIME),
                stopping: watch::Sender::new(false),
                runtime: Handle::current(),
                clock,
                events,
            }),
        })
    }

    /// Reserves memory in the outbox. Call it before the commit, so that no code is stored that cannot be sent.
    ///
    /// # Errors
    /// [`AuthError::TooManyEmails`] if the outbox is full.
    pub(crate) fn seal(&self, mail: Email) -> Result<Sealed, AuthError> {
        let size = u32::try_from(mail.size()).map_err(|_| AuthError::TooManyEmails(FULL))?;
        let room = self.inner.room.clone().try_acquire_many_owned(size).map_err(|_| AuthError::TooManyEmails(FULL))?;
        Ok(Sealed { mail, _room: room })
    }

    /// Sends mails. Call it after the commit.
    pub(crate) fn enqueue(&self, mails: impl IntoIterator<Item = Sealed>) {
        for sealed in mails {
            let inner = self.inner.clone();
            self.inner.runtime.spawn(async move { inner.deliver(&sealed.mail).await });
        }
    }

    /// Tries once to send a rendered mail.
    pub(crate) async fn attempt(&self, mail: &Written) -> Result<(), Refused> {
        self.inner.attempt(mail).await
    }

    /// Waits until all mails are sent, for at most `patience`. Failed mails get one more attempt.
    pub(crate) async fn stop(&self, patience: Duration) {
        self.inner.stopping.send_replace(true);
        let all = u32::try_from(ROOM).unwrap_or(u32::MAX);
        // A timeout needs no error here: each lost mail logs its own event.
        let _ = tokio::time::timeout(patience, self.inner.room.acquire_many(all)).await;
    }
}

impl Inner {
    async fn deliver(&self, mail: &Email) {
        let written = self.words.write(mail).await;
        let (kind, user_id) = (written.kind, written.user_id.to_string());
        self.events.emit(match &self.send(&written).await {
            Ok(()) => Event::MessageSent { kind, user_id: &user_id },
            Err(reason) => Event::MessageNotSent { kind, user_id: &user_id, reason },
        });
    }

    /// Sends a mail, with retries.
    async fn send(&self, mail: &Written) -> Result<(), String> {
        let mut delays = DELAYS.iter();
        loop {
            let sent = self.attempt(mail).await;
            let stopping = *self.stopping.borrow();
            match (sent, delays.next()) {
                (Ok(()), _) => return Ok(()),
                (Err(Refused::ForNow(_)), Some(delay)) if !stopping => self.wait(*delay).await,
                (Err(Refused::ForNow(reason) | Refused::ForGood(reason)), _) => return Err(reason),
            }
        }
    }

    async fn attempt(&self, mail: &Written) -> Result<(), Refused> {
        match &self.way {
            Way::Smtp(smtp) => {
                // The semaphore is never closed. Without a permit one more mail would be sent concurrently, which does
                // no harm.
                let _turn = self.turns.acquire().await;
                smtp.send(mail).await
            }
            Way::Mailbox(mailbox) => {
                mailbox.keep(Mail {
                    id: Uuid::new_v4(),
                    received_at: self.clock.now(),
                    to: mail.to.clone(),
                    subject: mail.subject.clone(),
                    html: mail.html.clone(),
                });
                Ok(())
            }
            Way::Nowhere => Err(Refused::ForGood("no mail server is configured".to_owned())),
        }
    }

    /// Waits for the delay or the shutdown.
    async fn wait(&self, delay: Duration) {
        let mut stopping = self.stopping.subscribe();
        let _ = tokio::time::timeout(delay, stopping.wait_for(|stopping| *stopping)).await;
    }
}

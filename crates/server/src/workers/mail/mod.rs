//! The worker of `dugout_mail`: sends the mails in `mail.queue`.
//!
//! A mail is claimed for some minutes before it is sent, and deleted afterwards. So a crash loses no mail, but one whose deletion
//! was not stored is sent again.
//!
//! DEVIATION (more): `create extension dugout_mail` gives projects `mail.send()`, which mails a user through the mail server of auth;
//! Supabase has no such function.

mod text;

use std::sync::Arc;
use std::time::Duration;

use gateway::PublicUrl;
use gateway::events::{Event, Events};
use gateway::mail::{Letter, Post, Refused};
use pg::pool::Query;
use pg::{Error, Pool};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout};
use uuid::Uuid;

/// The kind of these mails in events.
const KIND: &str = "project";

/// How many mails are claimed at once.
const AT_ONCE: i64 = 20;

/// How long a claimed mail belongs to its instance.
const CLAIM: &str = "10 minutes";

/// How long mails of one claim are sent. The rest waits for the end of the claim, so that no other instance sends it, too.
const CLAIM_USED: Duration = Duration::from_secs(8 * 60);

/// The delays after failed attempts. After the last one the mail is dropped.
const DELAYS: [&str; 4] = ["1 minute", "10 minutes", "1 hour", "6 hours"];

/// How often the queue is read without a notification, for mails that are due again.
const CHECK: Duration = Duration::from_secs(60);

/// Delay before the queue is read again after an error.
const RETRY: Duration = Duration::from_secs(5);

/// A claimed row of `mail.queue`.
struct Claimed {
    id: i64,
    attempts: i16,
    letter: Letter,
}

/// Sends mails until it is dropped. Several instances share the queue.
pub(super) async fn run(pool: Pool, post: Arc<dyn Post>, events: Events, app: PublicUrl, wake: Arc<Notify>) {
    loop {
        match claim(&pool, &app).await {
            Ok(claimed) if claimed.is_empty() => {
                // A timeout needs no handling: either way the queue is read again.
                let _ = timeout(CHECK, wake.notified()).await;
            }
            Ok(claimed) => {
                let since = Instant::now();
                for mail in claimed {
                    if since.elapsed() > CLAIM_USED {
                        break;
                    }
                    deliver(&pool, &*post, &events, mail).await;
                }
            }
            Err(error) => {
                tracing::warn!(event = "mail_queue_unread", detail = %error);
                sleep(RETRY).await;
            }
        }
    }
}

async fn claim(pool: &Pool, app: &PublicUrl) -> Result<Vec<Claimed>, Error> {
    if !super::is_ours(pool, "mail", "queue").await? {
        return Ok(Vec::new());
    }
    let sql = "with due as (
            select id from mail.queue where next_at <= now() order by next_at, id limit $1 for update skip locked
        )
        update mail.queue as queue set attempts = queue.attempts + 1, next_at = now() + $2::text::interval
        from due where due.id = queue.id
        returning queue.id, queue.attempts, queue.user_id, queue.subject, queue.body, queue.link, queue.label";
    let rows = pool.get().await?.query(sql, &[&AT_ONCE, &CLAIM]).await?;
    Ok(rows
        .iter()
        .map(|row| {
            let (subject, body): (String, String) = (row.get(3), row.get(4));
            let (link, label): (Option<String>, Option<String>) = (row.get(5), row.get(6));
            let button = link.zip(label).map(|(link, label)| (format!("{}{link}", app.as_str()), label));
            let html = text::html(&body, button.as_ref().map(|(link, label)| (link.as_str(), label.as_str())));
            let user_id: Uuid = row.get(2);
            Claimed { id: row.get(0), attempts: row.get(1), letter: Letter { kind: KIND, user_id, subject, html } }
        })
        .collect())
}

/// Sends a mail and removes it from the queue, or sets when it is due again.
async fn deliver(pool: &Pool, post: &dyn Post, events: &Events, mail: Claimed) {
    let Claimed { id, attempts, letter } = mail;
    let user_id = letter.user_id.to_string();
    let delay = usize::try_from(attempts).ok().and_then(|attempts| DELAYS.get(attempts.saturating_sub(1)));
    let stored = match (post.send(letter).await, delay) {
        (Ok(()), _) => {
            events.emit(Event::MessageSent { kind: KIND, user_id: &user_id });
            remove(pool, id).await
        }
        (Err(Refused::ForNow(_)), Some(delay)) => put_off(pool, id, delay).await,
        (Err(Refused::ForNow(reason) | Refused::ForGood(reason)), _) => {
            events.emit(Event::MessageNotSent { kind: KIND, user_id: &user_id, reason: &reason });
            remove(pool, id).await
        }
    };
    if let Err(error) = stored {
        tracing::warn!(event = "mail_outcome_not_recorded", id, detail = %error);
    }
}

async fn remove(pool: &Pool, id: i64) -> Result<(), Error> {
    pool.get().await?.execute("delete from mail.queue where id = $1", &[&id]).await.map(drop)
}

async fn put_off(pool: &Pool, id: i64, delay: &str) -> Result<(), Error> {
    let sql = "update mail.queue set next_at = now() + $2::text::interval where id = $1";
    pool.get().await?.execute(sql, &[&id, &delay]).await.map(drop)
}

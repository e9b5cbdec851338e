//! Reads the stream of changes while anybody has joined a topic.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use pg::error::Error;
use pg::replication::{ChangeStream, Event};
use pg::{Pool, Target};
use tokio::sync::{mpsc, watch};
use uuid::Uuid;

use super::batch::{self, Pending};
use super::begin::Begin;
use super::places::BATCH;
use super::sent::{self, Recent};
use super::{Changes, Condition};
use crate::hub::{Hub, Key};
use crate::room::Room;
use crate::store::{catalog, messages};

/// How long the stream stays open when nobody is left: a reload of a page does not close it.
const LINGER: Duration = Duration::from_secs(15);

/// How often that is looked at.
const LOOK: Duration = Duration::from_secs(1);

const FIRST_DELAY: Duration = Duration::from_millis(100);
const LONGEST_DELAY: Duration = Duration::from_secs(5);

/// Changes that wait for their batch, at most; PostgreSQL keeps the others.
const WAITING: usize = 1024;

/// Bytes of changes that wait or are being worked on, at most.
const ROOM: usize = 64 * 1024 * 1024;

/// Messages that are looked up at once after a lost stream, and in all.
const PAGE: i64 = 20;
const PAGES: usize = 500;

/// What the reader needs.
pub(crate) struct Reader {
    pub(crate) target: Target,
    pub(crate) pool: Pool,
    pub(crate) hub: Arc<Hub>,
    pub(crate) changes: Arc<Changes>,
    pub(crate) max_payload: usize,
    pub(crate) max_record: usize,
}

/// Why reading ended.
enum End {
    /// Nobody is left, or the service stops. Somebody may join while the stream is being closed.
    Idle(Begin),
    Lost(Error),
}

impl Reader {
    /// Reads until `stop` is true. A stream that is lost is opened again, after delays from 100 ms doubling to 5 s. Broadcasts that
    /// were stored meanwhile, or between the first join and the opening, are sent then. Those who wait for changes of tables are
    /// told that some are missing: what was committed meanwhile is in no stream.
    pub(crate) async fn run(self, mut stop: watch::Receiver<bool>) {
        let mut delay = FIRST_DELAY;
        let mut recent = Recent::default();
        let (mut begin, mut lost): (Begin, Option<Instant>) = (Begin::at(Instant::now()), None);
        while !*stop.borrow() {
            // What is noted before it is asked whether anybody is there is of no use if nobody is.
            self.hub.take_first_join();
            if self.hub.topics() == 0 {
                self.set(Condition::Closed);
                tokio::select! {
                    () = self.hub.joined() => {}
                    _ = stop.changed() => {}
                }
                let joined = self.hub.take_first_join().unwrap_or_else(Instant::now);
                (begin, lost) = (Begin::read(&self.pool, joined).await, None);
                continue;
            }
            let error = match self.open_from(&mut recent, &begin, lost).await {
                Ok(stream) => {
                    delay = FIRST_DELAY;
                    self.set(Condition::Open);
                    if lost.take().is_some() {
                        self.changes.announce("ok", "Subscribed to PostgreSQL");
                    }
                    match self.read(stream, &mut recent, &mut stop).await {
                        End::Idle(now) => {
                            begin = now;
                            continue;
                        }
                        End::Lost(error) => error,
                    }
                }
                Err(error) => error,
            };
            tracing::warn!(event = "realtime_stream", detail = %error);
            if lost.is_none() {
                lost = Some(Instant::now());
                self.changes
                    .announce("error", "The stream of changes was interrupted; what changed meanwhile is not sent");
            }
            self.set(Condition::Failed(error.to_string()));
            tokio::select! {
                () = tokio::time::sleep(delay) => {}
                _ = stop.changed() => {}
            }
            delay = (delay * 2).min(LONGEST_DELAY);
        }
    }

    /// Opens the stream, and sends what was stored while it was lost, or between the first join and now.
    async fn open_from(
        &self,
        recent: &mut Recent,
        begin: &Begin,
        lost: Option<Instant>,
    ) -> Result<ChangeStream, Error> {
        let stream = self.open().await?;
        let since = begin.since(lost);
        match self.catch_up(recent, since, begin.known(since)).await {
            Ok(()) => Ok(stream),
            Err(error) => {
                stream.close().await;
                Err(error)
            }
        }
    }

    /// Sends broadcasts that were stored since a time, are not `known` and have not been sent.
    async fn catch_up(&self, recent: &mut Recent, since: Instant, known: &[Uuid]) -> Result<(), Error> {
        let topics = self.hub.joined_topics();
        let connection = self.pool.get().await?;
        let mut after = (DateTime::UNIX_EPOCH.naive_utc(), Uuid::nil());
        for _ in 0..PAGES {
            let seconds = since.elapsed().as_secs_f64();
            let page = messages::missed(&connection, seconds, &topics, after, (known, PAGE)).await?;
            let Some((last, ..)) = page.last() else { return Ok(()) };
            after = *last;
            for (_, topic, private, stored) in page {
                sent::send_stored(&self.hub, recent, &Key::of_sub_topic(&topic, private), stored, self.max_payload);
            }
        }
        tracing::warn!(
            event = "realtime_stream",
            detail = "too much was broadcast while the stream was lost; some is not sent"
        );
        Ok(())
    }

    fn set(&self, condition: Condition) {
        self.changes.condition.send_replace(condition);
    }

    async fn open(&self) -> Result<ChangeStream, Error> {
        let publications = catalog::publications(&self.pool.get().await?).await?;
        if publications.is_empty() {
            return Err(Error::Unavailable("there is no publication supabase_realtime".to_owned()));
        }
        ChangeStream::open(&self.target, &sent::slot_name(), &publications).await
    }

    async fn read(&self, mut stream: ChangeStream, recent: &mut Recent, stop: &mut watch::Receiver<bool>) -> End {
        let (sender, receiver) = mpsc::channel(WAITING);
        let worker = tokio::spawn(work(self.pool.clone(), Arc::clone(&self.changes), self.max_record, receiver));
        let room = Room::new(ROOM);
        let mut used = Instant::now();
        // Outside of the loop: it is due however often something happens.
        let mut look = tokio::time::interval(LOOK);
        let mut transaction = (DateTime::<Utc>::default(), 0);
        let error = loop {
            tokio::select! {
                event = stream.next() => match event {
                    Ok(Event::Begin { committed, xid }) => transaction = (committed, xid),
                    Ok(Event::Commit) => {}
                    Ok(Event::Change(change)) if sent::is_messages(&change.relation) => {
                        sent::send(&self.hub, recent, &change, self.max_payload);
                    }
                    Ok(Event::Change(change)) => {
                        if self.changes.is_wanted(&change.relation.schema, &change.relation.name) {
                            let (committed, xid) = transaction;
                            let _room = room.take(change.size()).await;
                            // The worker ends only with this sender.
                            let _ = sender.send(Pending { change, committed, xid, _room }).await;
                        }
                    }
                    Err(error) => break Some(error),
                },
                _ = look.tick() => {
                    if self.hub.topics() > 0 {
                        used = Instant::now();
                    } else if used.elapsed() > LINGER {
                        break None;
                    }
                }
                _ = stop.changed() => break None,
            }
        };
        drop(sender);
        let end = match error {
            Some(error) => End::Lost(error),
            None if *stop.borrow() => End::Idle(Begin::at(Instant::now())),
            // Before the stream is closed, which takes a while.
            None => End::Idle(Begin::read(&self.pool, Instant::now()).await),
        };
        stream.close().await;
        // What has arrived is still sent.
        let _ = worker.await;
        end
    }
}

/// Works batches off until the sender is gone.
async fn work(pool: Pool, changes: Arc<Changes>, max_record: usize, mut pending: mpsc::Receiver<Pending>) {
    let mut batch = Vec::with_capacity(BATCH);
    while pending.recv_many(&mut batch, BATCH).await > 0 {
        if let Err(error) = batch::work(&pool, &changes, max_record, &batch).await {
            tracing::warn!(event = "realtime_changes", detail = %error);
            changes.announce("error", "Changes could not be read; some were not sent");
        }
        batch.clear();
    }
}

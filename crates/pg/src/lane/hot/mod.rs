//! The *hot lane*: few connections, each shared by many requests.
//!
//! A request's settings and query go out as one implicit transaction that ends in one Sync; requests that wait are written
//! together, and answers are matched to them in order. Only reads come here, and only those that commit and that look fast
//! (see [`Cost`](super::Cost)): behind a slow one the others would wait. So each statement has a short time-out, and a
//! statement that was slow or had a large answer is known from then on. When one has timed out, or somebody has waited for
//! others too long, the connection is given up and all who wait on it go elsewhere.
//!
//! Whatever goes wrong here other than PostgreSQL's own refusal is not reported but done again on the exclusive lane: a lost
//! connection, a statement that no longer fits its tables, a time-out, an answer that is too large to be held here.
//!
//! DEVIATION: a read of a table or view, or a call of a function declared stable or immutable, may run twice, because it took
//! longer than 100 ms the first time or because its connection broke. What views, policies or functions do beyond their
//! transaction (dblink, untrusted languages) may then happen twice; the former never where a volatile function is called, by
//! name or as a column or relationship, or a media type handler.
//!
//! What a read does to its session (`set_config(…, false)`, session-level advisory locks) stays with the connection, here as
//! on the exclusive lane and in PostgREST's own pool. Role, `search_path`, everything below `request.`, time-out and read-only
//! mode are set anew by every request; anything else a function must set for its transaction only.

mod connection;
mod driver;
mod guests;
mod limits;
mod timeout;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use self::connection::{Answer, HotConnection};
use self::guests::{Guests, Reach};
use self::limits::{MAX_VALUES, PATIENCE};
use super::answer::Rows;
use super::config::{LaneConfig, Lanes};
use super::exclusive::Pool;
use super::shapes::Shape;
use super::work::Work;
use crate::error::{DbError, Error};

/// The hot lane of one worker.
pub(super) struct HotLane {
    shared: Arc<Shared>,
}

/// What the lane shares with those who drive its connections.
struct Shared {
    pool: Arc<Pool>,
    slots: Mutex<Vec<Slot>>,
    /// A slot has changed.
    changed: Notify,
    closed: AtomicBool,
    lanes: Lanes,
    guests: Guests,
}

enum Slot {
    /// No connection, and none wanted before this moment.
    Empty(Instant),
    Connecting,
    Ready(Arc<HotConnection>),
}

/// What the hot lane has to say.
pub(super) enum Outcome {
    Rows(Rows),
    Refused(DbError),
    /// Nothing: the exclusive lane is to be asked.
    Elsewhere,
}

impl HotLane {
    /// A lane of at most `size` connections made by `pool`. None is made before it is needed.
    pub(super) fn new(pool: Arc<Pool>, size: usize, config: &LaneConfig) -> Self {
        let slots = (0..size).map(|_| Slot::Empty(Instant::now())).collect();
        let shared = Shared {
            pool,
            slots: Mutex::new(slots),
            changed: Notify::new(),
            closed: AtomicBool::new(false),
            lanes: config.lanes,
            guests: Guests::new(config.hot_guests),
        };
        HotLane { shared: Arc::new(shared) }
    }

    /// Runs a read-only `work` in an implicit transaction.
    pub(super) async fn run(&self, work: &Work, shape: Arc<Shape>) -> Outcome {
        if work.query.values.iter().flatten().map(bytes::Bytes::len).sum::<usize>() > MAX_VALUES {
            return Outcome::Elsewhere;
        }
        let connection = match self.shared.pick(work.is_guest) {
            Some(connection) => connection,
            None if self.shared.lanes == Lanes::Hot => match self.shared.wait(work.is_guest).await {
                Some(connection) => connection,
                None => return Outcome::Elsewhere,
            },
            None => return Outcome::Elsewhere,
        };
        let Some(answer) = connection.send(work, shape) else { return Outcome::Elsewhere };
        match answer.await {
            Ok(Answer::Rows(rows)) => Outcome::Rows(rows),
            Ok(Answer::Refused(error)) => Outcome::Refused(*error),
            Ok(Answer::Elsewhere) | Err(_) => Outcome::Elsewhere,
        }
    }

    /// How many connections owe nothing.
    pub(super) fn idle(&self) -> usize {
        let is_idle = |slot: &&Slot| matches!(slot, Slot::Ready(connection) if connection.in_flight() == 0);
        self.shared.slots().iter().filter(is_idle).count()
    }

    /// The connections end when they have answered; later requests make new ones.
    pub(super) fn flush(&self) {
        for slot in self.shared.slots().iter() {
            if let Slot::Ready(connection) = slot {
                connection.retire();
            }
        }
    }

    /// Takes no more requests; the connections end when they have answered.
    pub(super) fn close(&self) {
        self.shared.closed.store(true, Ordering::SeqCst);
        self.flush();
        self.shared.changed.notify_waiters();
    }
}

impl Shared {
    fn slots(&self) -> MutexGuard<'_, Vec<Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The connection that owes least of those that the request may use. One more is begun where each owes something.
    fn pick(self: &Arc<Self>, is_guest: bool) -> Option<Arc<HotConnection>> {
        if self.closed.load(Ordering::SeqCst) {
            return None;
        }
        let now = Instant::now();
        let Reach { connections, in_flight } = self.guests.reach(is_guest, now);
        let mut slots = self.slots();
        // Guests begin at one end and the others at the other, so that they meet only where there is too little.
        let reached = slots.len().min(connections);
        let order = (0..reached).map(|nth| if is_guest { nth } else { reached - 1 - nth });
        let ready = order.clone().filter_map(|index| match &slots[index] {
            Slot::Ready(connection) => Some((connection.in_flight(), connection)),
            _ => None,
        });
        let best = ready.min_by_key(|(owed, _)| *owed).map(|(owed, connection)| (owed, connection.clone()));
        if best.as_ref().is_none_or(|(owed, _)| *owed > 0) {
            let is_empty = |index: &usize| matches!(slots[*index], Slot::Empty(not_before) if not_before <= now);
            if let Some(index) = order.clone().find(is_empty) {
                slots[index] = Slot::Connecting;
                // On the worker that the request runs on: its connections are its own.
                tokio::spawn(driver::connect_and_drive(Place { shared: self.clone(), index }));
            }
        }
        best.filter(|(owed, _)| *owed < in_flight).map(|(_, connection)| connection)
    }

    /// Waits for a connection that has room.
    async fn wait(self: &Arc<Self>, is_guest: bool) -> Option<Arc<HotConnection>> {
        let waiting = async {
            loop {
                let changed = self.changed.notified();
                if let Some(connection) = self.pick(is_guest) {
                    return Some(connection);
                }
                if self.slots().iter().all(|slot| matches!(slot, Slot::Empty(_))) {
                    return None;
                }
                let _ = timeout(Duration::from_millis(20), changed).await;
            }
        };
        timeout(PATIENCE, waiting).await.ok().flatten()
    }
}

/// The slot of one driver. Empty again when the driver is gone, whatever ended it.
struct Place {
    shared: Arc<Shared>,
    index: usize,
}

impl Place {
    fn fill(&self, slot: Slot) {
        self.shared.slots()[self.index] = slot;
        self.shared.changed.notify_waiters();
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut slots = self.shared.slots();
        if !matches!(slots[self.index], Slot::Empty(_)) {
            slots[self.index] = Slot::Empty(Instant::now());
        }
    }
}

impl Outcome {
    /// As the exclusive lane would say it; `None` where it is to be asked.
    pub(super) fn answer(self) -> Option<Result<Rows, Error>> {
        match self {
            Outcome::Rows(rows) => Some(Ok(rows)),
            Outcome::Refused(error) => Some(Err(Error::Database(Box::new(error)))),
            Outcome::Elsewhere => None,
        }
    }
}

//! The *hot lane*: few connections, each shared by many requests.
//!
//! A request's settings and query are sent as one implicit transaction that ends with one Sync. Waiting requests are sent
//! together, and responses are matched to them in order. Only reads that commit and are likely to be fast (see
//! [`Cost`](super::Cost)) use this lane, because a slow one delays those behind it. So every statement has a short time-out, and
//! the lane remembers which statements were slow or had a large response. If a statement times out, or a request has waited
//! too long for others, the connection is closed and all requests on it move to the exclusive lane.
//!
//! An error from PostgreSQL is the response. After any other failure (a lost connection, an outdated prepared statement, a
//! time-out, a response that is too large to buffer) the request runs again on the exclusive lane.
//!
//! DEVIATION: a read of a table or view, or a call of a function declared stable or immutable, may run twice, because it took
//! longer than 100 ms the first time or because its connection broke. What views, policies or functions do beyond their
//! transaction (dblink, untrusted languages) may then happen twice; the former never where a volatile function is called, by
//! name or as a column or relationship, or a media type handler.
//!
//! What a read changes in its session (`set_config(…, false)`, session-level advisory locks) stays with the connection, as on
//! the exclusive lane and in PostgREST's pool. Every request sets the role, `search_path`, the settings below `request.`, the
//! time-out and the read-only mode anew. A function must set anything else for its transaction only.

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

/// Shared with the drivers of the lane's connections.
struct Shared {
    pool: Arc<Pool>,
    slots: Mutex<Vec<Slot>>,
    /// Notified when a slot changes.
    changed: Notify,
    closed: AtomicBool,
    lanes: Lanes,
    guests: Guests,
}

enum Slot {
    /// No connection, and none may be opened before this time.
    Empty(Instant),
    Connecting,
    Ready(Arc<HotConnection>),
}

/// The result of a request.
pub(super) enum Outcome {
    Rows(Rows),
    Refused(DbError),
    /// No result: the request has to run on the exclusive lane.
    Elsewhere,
}

impl HotLane {
    /// A lane of at most `size` connections from `pool`. They are opened when needed.
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

    /// The number of connections without a request.
    pub(super) fn idle(&self) -> usize {
        let is_idle = |slot: &&Slot| matches!(slot, Slot::Ready(connection) if connection.in_flight() == 0);
        self.shared.slots().iter().filter(is_idle).count()
    }

    /// Closes the connections after their requests; later requests open new ones.
    pub(super) fn flush(&self) {
        for slot in self.shared.slots().iter() {
            if let Slot::Ready(connection) = slot {
                connection.retire();
            }
        }
    }

    /// Closes the connections after their requests; later requests are refused.
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

    /// The least busy connection that the request may use. If all of them are busy, also opens another one.
    fn pick(self: &Arc<Self>, is_guest: bool) -> Option<Arc<HotConnection>> {
        if self.closed.load(Ordering::SeqCst) {
            return None;
        }
        let now = Instant::now();
        let Reach { connections, in_flight } = self.guests.reach(is_guest, now);
        let mut slots = self.slots();
        // Guests start at one end and others at the other, so that they share a connection only if there are too few.
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
                // On the current worker, because the connections belong to its runtime.
                tokio::spawn(driver::connect_and_drive(Place { shared: self.clone(), index }));
            }
        }
        best.filter(|(owed, _)| *owed < in_flight).map(|(_, connection)| connection)
    }

    /// Waits for a connection that accepts a request.
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

/// The slot of a driver; becomes empty when the driver ends for any reason.
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
    /// The result as of the exclusive lane; `None` if the request has to run there.
    pub(super) fn answer(self) -> Option<Result<Rows, Error>> {
        match self {
            Outcome::Rows(rows) => Some(Ok(rows)),
            Outcome::Refused(error) => Some(Err(Error::Database(Box::new(error)))),
            Outcome::Elsewhere => None,
        }
    }
}

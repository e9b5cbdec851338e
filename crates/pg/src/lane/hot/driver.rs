//! Opens a connection of the hot lane, and reads and writes it until it ends.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

use super::connection::{HotConnection, Stage, Talk};
use super::limits::{MAX_ANSWER, PATIENCE, RETRY_AFTER, UNFIT_FOR};
use super::timeout::is_short;
use super::{Place, Slot};
use crate::error::Error;
use crate::lane::connection::{Connection, Failure, Started};
use crate::lane::exclusive::Pool;
use crate::lane::wire::Wire;
use crate::lane::work::{Ending, Work};
use crate::session::{Access, Session};
use crate::snippet::Snippet;

/// The defaults of implicit transactions; explicit ones, as on the exclusive lane, set their own.
const DEFAULTS: &str = "select current_setting('default_transaction_isolation'), \
     current_setting('default_transaction_deferrable'), current_setting('statement_timeout')";

/// Opens and drives the connection of a slot.
pub(super) async fn connect_and_drive(place: Place) {
    let pool = &place.shared.pool;
    // It counts against the exclusive lane's connections for as long as it lives.
    let mut checkout = match pool.acquire(false).await {
        Ok(checkout) => checkout,
        // The exclusive lane reports the error.
        Err(_) => return place.fill(Slot::Empty(Instant::now() + RETRY_AFTER)),
    };
    let asked = tokio::time::timeout(PATIENCE, is_fit(&mut checkout)).await;
    if !asked.unwrap_or_default() {
        return place.fill(Slot::Empty(Instant::now() + UNFIT_FOR));
    }
    let Some(connection) = checkout.take() else { return };
    let ((max_lifetime, max_idle), generation) = (pool.lifetimes(), connection.used.1);
    let retire_at = Instant::from_std(connection.born) + max_lifetime;
    let (wire, statements, _open) = connection.into_parts();
    let talk = Arc::new(HotConnection::new(statements));
    let _ended = Ended(talk.clone());
    place.fill(Slot::Ready(talk.clone()));
    // After filling the slot: `close` and `flush` either find the connection there or are noticed here.
    if !pool.is_current(generation) {
        talk.retire();
    }
    match drive(&talk, wire, Limits { retire_at, max_idle, pool }).await {
        // The server is still executing a query whose result nobody needs.
        Ok(Stage::Dissolved) => place.fill(Slot::Empty(Instant::now() + RETRY_AFTER)),
        Ok(_) => {}
        Err(error) => tracing::debug!(target: "pg::lane", reason = %error, "a connection of the hot lane ended"),
    }
}

/// How long a connection is used.
#[derive(Clone, Copy)]
struct Limits<'a> {
    retire_at: Instant,
    max_idle: Duration,
    pool: &'a Pool,
}

impl Limits<'_> {
    /// Whether it is too old, or idle while other requests wait for a connection.
    fn are_reached(&self, talk: &Talk, now: Instant) -> bool {
        let unused = talk.unused_for(now);
        now >= self.retire_at || unused >= self.max_idle || unused >= PATIENCE && self.pool.is_wanted()
    }
}

/// Whether implicit transactions of this connection behave like explicit ones.
async fn is_fit(connection: &mut Connection) -> bool {
    let ask = Work { access: Access::ReadOnly, ..Work::new(Session::of_connection(), Snippet::raw(DEFAULTS)) };
    let mut started = connection.start(&ask, Ending::Commit).await;
    if matches!(started, Err(Failure::Stale(_))) {
        started = connection.start(&ask, Ending::Commit).await;
    }
    let Ok(Started::Whole(rows)) = started else { return false };
    let Some(row) = rows.rows.first() else { return false };
    let is_fit = matches!((row.text(0), row.text(1)), (Some("read committed" | "read uncommitted"), Some("off")))
        && !row.text(2).is_some_and(is_short);
    if !is_fit {
        tracing::info!(target: "pg::lane", "transactions have other defaults than PostgreSQL's: no hot lane");
    }
    is_fit
}

/// Writes requests and distributes responses; returns the stage in which it ended.
async fn drive(connection: &HotConnection, mut wire: Wire, limits: Limits<'_>) -> Result<Stage, Error> {
    let mut alarm = pin!(sleep_until(Instant::now() + PATIENCE));
    let ended = poll_fn(|cx| {
        let mut talk = connection.talk();
        if !talk.driver.as_ref().is_some_and(|driver| driver.will_wake(cx.waker())) {
            talk.driver = Some(cx.waker().clone());
        }
        if !talk.outbox.is_empty() {
            wire.send_from(&mut talk.outbox);
        }
        while talk.stage != Stage::Dissolved
            && let Poll::Ready(message) = wire.poll_receive_up_to(MAX_ANSWER, cx)
        {
            match message? {
                Some(message) => talk.receive(message)?,
                None => talk.passed_over(),
            }
        }
        connection.owes(talk.pending.len());
        if talk.stage == Stage::Open && limits.are_reached(&talk, Instant::now()) {
            talk.stage = Stage::Retiring;
        }
        if talk.stage == Stage::Dissolved || talk.stage == Stage::Retiring && talk.pending.is_empty() {
            return Poll::Ready(Ok(talk.stage));
        }
        drop(talk);
        watch(alarm.as_mut(), connection, limits, cx)
    })
    .await?;
    // No Terminate message in the middle of a response: the server notices the closed socket when it writes.
    if ended == Stage::Retiring {
        wire.terminate();
    }
    Ok(ended)
}

/// Ends a conversation in which the server has been silent for too long.
fn watch(
    mut alarm: std::pin::Pin<&mut Sleep>,
    connection: &HotConnection,
    limits: Limits<'_>,
    cx: &mut Context<'_>,
) -> Poll<Result<Stage, Error>> {
    while alarm.as_mut().poll(cx).is_ready() {
        let now = Instant::now();
        let talk = connection.talk();
        if talk.stage == Stage::Open && limits.are_reached(&talk, now) {
            cx.waker().wake_by_ref();
        }
        let silent_since = talk.silent_since();
        drop(talk);
        if silent_since.is_some_and(|since| now - since >= PATIENCE) {
            return Poll::Ready(Err(Error::Lost(format!("the server was silent for {PATIENCE:?}"))));
        }
        alarm.as_mut().reset(now + PATIENCE);
    }
    Poll::Pending
}

/// Dropping the senders notifies the requests that still wait.
struct Ended(Arc<HotConnection>);

impl Drop for Ended {
    fn drop(&mut self) {
        let mut talk = self.0.talk();
        talk.stage = Stage::Ended;
        talk.pending.clear();
        self.0.owes(0);
    }
}

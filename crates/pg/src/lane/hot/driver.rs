//! Makes a connection of the hot lane, and reads and writes it until it ends.

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
use crate::lane::connection::{Connection, Started};
use crate::lane::exclusive::Pool;
use crate::lane::wire::Wire;
use crate::lane::work::{Ending, Work};
use crate::session::{Access, Session};
use crate::snippet::Snippet;

/// The defaults that an implicit transaction begins with; an explicit one, as on the exclusive lane, names its own.
const DEFAULTS: &str = "select current_setting('default_transaction_isolation'), \
     current_setting('default_transaction_deferrable'), current_setting('statement_timeout')";

/// The life of the connection of a slot.
pub(super) async fn connect_and_drive(place: Place) {
    let pool = &place.shared.pool;
    // One of those that the exclusive lane might have: its place stays taken for as long as this one lives.
    let mut checkout = match pool.acquire(false).await {
        Ok(checkout) => checkout,
        // The exclusive lane will say what is wrong.
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
    // After the slot is filled: who closes or flushes either finds it there or is seen here.
    if !pool.is_current(generation) {
        talk.retire();
    }
    match drive(&talk, wire, Limits { retire_at, max_idle, pool }).await {
        // The server is still busy with what nobody waits for.
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
    /// Whether it is too old, or not used by anybody while others could use it.
    fn are_reached(&self, talk: &Talk, now: Instant) -> bool {
        let unused = talk.unused_for(now);
        now >= self.retire_at || unused >= self.max_idle || unused >= PATIENCE && self.pool.is_wanted()
    }
}

/// Whether implicit transactions of this connection are as explicit ones would be.
async fn is_fit(connection: &mut Connection) -> bool {
    let ask = Work { access: Access::ReadOnly, ..Work::new(Session::of_connection(), Snippet::raw(DEFAULTS)) };
    let Ok(Started::Whole(rows)) = connection.start(&ask, Ending::Commit).await else { return false };
    let Some(row) = rows.rows.first() else { return false };
    let is_fit = matches!((row.text(0), row.text(1)), (Some("read committed" | "read uncommitted"), Some("off")))
        && !row.text(2).is_some_and(is_short);
    if !is_fit {
        tracing::info!(target: "pg::lane", "transactions have other defaults than PostgreSQL's: no hot lane");
    }
    is_fit
}

/// Writes what is asked and deals out the answers; in which stage it ended.
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
    // One that is left in the middle is not said good-bye to: the server notices when it has something to say.
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

/// Those who still wait are told by the loss of their sender.
struct Ended(Arc<HotConnection>);

impl Drop for Ended {
    fn drop(&mut self) {
        let mut talk = self.0.talk();
        talk.stage = Stage::Ended;
        talk.pending.clear();
        self.0.owes(0);
    }
}

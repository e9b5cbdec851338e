//! Makes a connection of the hot lane, and reads and writes it until it ends.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::time::{Instant, Sleep, sleep_until};

use super::connection::{HotConnection, Stage};
use super::{PATIENCE, Place, RETRY_AFTER, Slot, UNFIT_FOR};
use crate::error::Error;
use crate::lane::connection::{Connection, Started};
use crate::lane::wire::Wire;
use crate::lane::{Ending, Work};
use crate::{Access, Session, Snippet};

/// The defaults that an implicit transaction begins with; an explicit one, as on the exclusive lane, names its own.
const DEFAULTS: &str = "select current_setting('default_transaction_isolation'), \
     current_setting('default_transaction_deferrable')";

/// The life of the connection of a slot.
pub(super) async fn connect_and_drive(place: Place) {
    let patience = place.shared.pool.acquire_timeout();
    let mut connection = match place.shared.pool.connect(Instant::now() + patience).await {
        Ok(connection) => connection,
        // The exclusive lane will say what is wrong.
        Err(_) => return place.fill(Slot::Empty(Instant::now() + RETRY_AFTER)),
    };
    if !is_fit(&mut connection).await {
        return place.fill(Slot::Empty(Instant::now() + UNFIT_FOR));
    }
    let retire_at = Instant::now() + place.shared.pool.max_lifetime();
    let (wire, statements, _open) = connection.into_parts();
    let talk = Arc::new(HotConnection::new(statements));
    let _ended = Ended(talk.clone());
    place.fill(Slot::Ready(talk.clone()));
    if place.shared.closed.load(std::sync::atomic::Ordering::SeqCst) {
        talk.retire();
    }
    if let Err(error) = drive(&talk, wire, retire_at).await {
        tracing::debug!(target: "pg::lane", reason = %error, "a connection of the hot lane ended");
    }
}

/// Whether implicit transactions of this connection are as explicit ones would be.
async fn is_fit(connection: &mut Connection) -> bool {
    let ask = Work { access: Access::ReadOnly, ..Work::new(Session::of_connection(), Snippet::raw(DEFAULTS)) };
    let Ok(Started::Whole(rows)) = connection.start(&ask, Ending::Commit).await else { return false };
    let Some(row) = rows.rows.first() else { return false };
    let is_fit = matches!((row.text(0), row.text(1)), (Some("read committed" | "read uncommitted"), Some("off")));
    if !is_fit {
        tracing::info!(target: "pg::lane", "transactions have other defaults than PostgreSQL's: no hot lane");
    }
    is_fit
}

/// Writes what is asked and deals out the answers.
async fn drive(connection: &HotConnection, mut wire: Wire, retire_at: Instant) -> Result<(), Error> {
    let mut alarm = pin!(sleep_until(Instant::now() + PATIENCE));
    poll_fn(|cx| {
        let mut talk = connection.talk();
        if !talk.driver.as_ref().is_some_and(|driver| driver.will_wake(cx.waker())) {
            talk.driver = Some(cx.waker().clone());
        }
        if !talk.outbox.is_empty() {
            wire.send_from(&mut talk.outbox);
        }
        while let Poll::Ready(message) = wire.poll_receive(cx) {
            talk.receive(message?)?;
        }
        connection.owes(talk.pending.len());
        let now = Instant::now();
        if talk.stage == Stage::Open && now >= retire_at {
            talk.stage = Stage::Retiring;
        }
        if talk.stage == Stage::Retiring && talk.pending.is_empty() {
            return Poll::Ready(Ok(()));
        }
        drop(talk);
        watch(alarm.as_mut(), connection, retire_at, cx)
    })
    .await?;
    wire.terminate();
    Ok(())
}

/// Ends a conversation in which the server has been silent for too long.
fn watch(
    mut alarm: std::pin::Pin<&mut Sleep>,
    connection: &HotConnection,
    retire_at: Instant,
    cx: &mut Context<'_>,
) -> Poll<Result<(), Error>> {
    while alarm.as_mut().poll(cx).is_ready() {
        let now = Instant::now();
        if now >= retire_at {
            cx.waker().wake_by_ref();
        }
        let silent_since = connection.talk().silent_since();
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

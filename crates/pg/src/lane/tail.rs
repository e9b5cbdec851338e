//! A long value, streamed.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use bytes::Bytes;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep_until};

use super::answer::Rows;
use super::config::Pace;
use super::connection::{Started, Unread};
use super::exclusive::Checkout;
use crate::error::Error;

/// The last value of a row, streamed. Nothing is read ahead, so a slow reader slows the server down.
///
/// It holds the connection, which returns to its pool after the last piece. If it is dropped earlier or read more
/// slowly than [`Pace`] allows, the query is cancelled and the connection closed.
pub struct Tail {
    len: usize,
    held: Arc<Mutex<Held>>,
    watch: AbortHandle,
}

/// The state that reader and watchdog share.
struct Held {
    stage: Stage,
    pace: Pace,
    started: Instant,
    last: Instant,
    taken: usize,
    taker: Option<Waker>,
}

enum Stage {
    Value(Box<Taking>),
    /// Every byte was taken; the server has yet to report the end.
    End(Pin<Box<dyn Future<Output = ()> + Send>>),
    Over,
    TooSlow,
}

struct Taking {
    connection: Checkout,
    unread: Box<Unread>,
}

impl Started {
    /// The rows, with the unread value as their tail.
    pub(super) fn rows(self, connection: Checkout) -> Rows {
        match self {
            Started::Whole(rows) => rows,
            Started::Long(rows, unread) => Tail::attach(rows, connection, unread),
        }
    }
}

impl Tail {
    pub(super) fn attach(mut rows: Rows, connection: Checkout, unread: Box<Unread>) -> Rows {
        let len = unread.left;
        let now = Instant::now();
        let pace = connection.pace();
        let stage = Stage::Value(Box::new(Taking { connection, unread }));
        let held = Arc::new(Mutex::new(Held { stage, pace, started: now, last: now, taken: 0, taker: None }));
        let watch = tokio::spawn(watch(held.clone())).abort_handle();
        rows.tail = Some(Tail { len, held, watch });
        rows
    }

    /// The length of the complete value, in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the value is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The next piece, never empty; `None` after the last piece, when the connection is free again.
    ///
    /// # Errors
    /// [`Error::Lost`] if the connection broke, or was closed because of a slow reader. Nothing follows.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Error>>> {
        lock(&self.held).poll_next(cx)
    }
}

impl Held {
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Error>>> {
        loop {
            match &mut self.stage {
                Stage::Value(taking) if taking.unread.left > 0 => {
                    self.taker = Some(cx.waker().clone());
                    let Taking { connection, unread } = &mut **taking;
                    let piece = ready!(connection.poll_piece(unread.left, cx));
                    match &piece {
                        Ok(piece) => {
                            unread.left -= piece.len();
                            self.taken += piece.len();
                            self.last = Instant::now();
                        }
                        Err(_) => self.stage = Stage::Over,
                    }
                    return Poll::Ready(Some(piece));
                }
                Stage::Value(_) => {
                    if let Stage::Value(taking) = std::mem::replace(&mut self.stage, Stage::Over) {
                        self.stage = Stage::End(Box::pin(finish(*taking)));
                    }
                }
                Stage::End(finish) => {
                    ready!(finish.as_mut().poll(cx));
                    self.stage = Stage::Over;
                }
                Stage::Over => return Poll::Ready(None),
                Stage::TooSlow => {
                    self.stage = Stage::Over;
                    return Poll::Ready(Some(Err(Error::Lost("the answer was taken too slowly".to_owned()))));
                }
            }
        }
    }

    /// The deadline for the next piece.
    fn deadline(&self) -> Instant {
        let average = Duration::from_secs_f64(self.taken as f64 / f64::from(self.pace.bytes_a_second.max(1)));
        (self.last.min(self.started + average) + self.pace.patience).min(self.started + self.pace.longest)
    }
}

/// The row was complete, so later errors (such as a `statement_timeout` that expired while the reader was slow) only
/// affect the connection.
async fn finish(Taking { mut connection, unread }: Taking) {
    if let Err(error) = connection.finish(unread).await {
        tracing::debug!(target: "pg::lane", %error, "after a long row");
    }
}

/// Takes the connection away from slow readers. It needs its own task, because an HTTP server that cannot write does
/// not ask for the next piece.
async fn watch(held: Arc<Mutex<Held>>) {
    loop {
        let deadline = lock(&held).deadline();
        sleep_until(deadline).await;
        let mut held = lock(&held);
        if matches!(held.stage, Stage::Over | Stage::TooSlow) {
            return;
        }
        if held.deadline() <= Instant::now() {
            tracing::warn!(event = "answer_abandoned", bytes = held.taken, "a client took its answer too slowly");
            held.stage = Stage::TooSlow;
            if let Some(taker) = held.taker.take() {
                taker.wake();
            }
            return;
        }
    }
}

fn lock(held: &Mutex<Held>) -> MutexGuard<'_, Held> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Tail {
    fn drop(&mut self) {
        self.watch.abort();
        // Immediately, not when the runtime processes the abort.
        lock(&self.held).stage = Stage::Over;
    }
}

impl fmt::Debug for Tail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tail").field("len", &self.len).finish_non_exhaustive()
    }
}

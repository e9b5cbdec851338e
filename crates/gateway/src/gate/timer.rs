//! A timer for something that rarely waits.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use tokio::time::{Sleep, sleep_until};

/// A timer that is created on demand: most requests arrive in one piece.
#[derive(Default)]
pub(super) struct Timer(Option<Pin<Box<Sleep>>>);

impl Timer {
    /// Ready at `until`.
    pub(super) fn poll(&mut self, until: Instant, cx: &mut Context<'_>) -> Poll<()> {
        let until = until.into();
        let sleep = self.0.get_or_insert_with(|| Box::pin(sleep_until(until)));
        if sleep.deadline() != until {
            sleep.as_mut().reset(until);
        }
        sleep.as_mut().poll(cx)
    }
}

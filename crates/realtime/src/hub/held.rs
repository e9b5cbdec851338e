//! What is sent to a member while the database is asked for its replay: nothing may be missing between the two, and the replay
//! comes first.

use super::Outbox;
use crate::protocol::message::Frame;

/// Frames that wait for a replay, with the ids of those that are stored messages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Held {
    frames: Vec<(Option<String>, Frame)>,
    bytes: usize,
}

impl Held {
    /// Keeps a frame. A client for which too much waits is disconnected, as one that reads too slowly.
    pub(super) fn keep(&mut self, outbox: &Outbox, id: Option<&str>, frame: Frame) {
        self.bytes += Outbox::cost(&frame);
        if self.bytes > outbox.limit() {
            self.frames = Vec::new();
            return outbox.cut();
        }
        self.frames.push((id.map(str::to_owned), frame));
    }

    /// Sends what was kept, but for what was replayed.
    pub(super) fn release(self, outbox: &Outbox, replayed: &[String]) {
        for (id, frame) in self.frames {
            if !id.is_some_and(|id| replayed.contains(&id)) {
                outbox.push(frame);
            }
        }
    }
}

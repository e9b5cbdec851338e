//! What waits to be written to one client, and its writing; and what its socket is told from elsewhere.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use actix_codec::Encoder;
use actix_http::ws::Codec;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_ws::{CloseCode, CloseReason, Message};
use bytes::{Bytes, BytesMut};
use futures_util::task::AtomicWaker;
use gateway::gate::Gone;

use super::Control;
use crate::protocol::frame::Version;
use crate::protocol::message::Frame;

/// What a message costs besides its bytes.
const OVERHEAD: usize = 64;

/// Messages are written together until they are as long as this, in bytes.
const PIECE: usize = 32 * 1024;

/// Something to write to a WebSocket.
#[derive(Clone, Debug)]
pub(crate) enum Parcel {
    Frame(Frame),
    Pong(Bytes),
    /// The last one; holds the code (RFC 6455 section 7.4) and the reason.
    Close(u16, &'static str),
}

/// The queue to one client, bounded by its bytes.
#[derive(Debug)]
pub(crate) struct Outbox {
    version: Version,
    limit: usize,
    queue: Mutex<Queue>,
    writer: AtomicWaker,
    /// Wakes the socket for controls. A channel of tokio would take 1.4 kB for each idle socket.
    socket: AtomicWaker,
    connection: Gone,
}

#[derive(Debug, Default)]
struct Queue {
    parcels: VecDeque<Parcel>,
    bytes: usize,
    /// Nothing more is taken in or written.
    is_cut: bool,
    controls: Controls,
}

/// What the socket is told from elsewhere.
#[derive(Debug)]
enum Controls {
    Waiting(Vec<Control>),
    /// The socket has ended.
    Closed,
}

impl Default for Controls {
    fn default() -> Self {
        Controls::Waiting(Vec::new())
    }
}

/// The body of the response that became a WebSocket.
pub(crate) struct Writing {
    outbox: Arc<Outbox>,
    codec: Codec,
    is_closing: bool,
    /// Tells the reading side, when it is dropped, that the connection has ended.
    _signal: BoxBody,
}

impl Parcel {
    fn cost(&self) -> usize {
        OVERHEAD
            + match self {
                Parcel::Frame(frame) => frame.len(),
                Parcel::Pong(bytes) => bytes.len(),
                Parcel::Close(..) => 0,
            }
    }
}

impl Outbox {
    /// A queue of at most `limit` bytes. When more are waiting, the connection ends.
    pub(crate) fn new(version: Version, limit: usize, connection: Gone) -> Arc<Self> {
        let (writer, socket) = (AtomicWaker::new(), AtomicWaker::new());
        Arc::new(Outbox { version, limit, queue: Mutex::default(), writer, socket, connection })
    }

    /// The version that the client speaks.
    pub(crate) fn version(&self) -> Version {
        self.version
    }

    /// Queues a frame.
    pub(crate) fn push(&self, frame: Frame) {
        self.put(Parcel::Frame(frame));
    }

    /// Queues anything. If the queue is full the connection ends at once, with what waits.
    pub(crate) fn put(&self, parcel: Parcel) {
        self.put_all([parcel]);
    }

    /// Queues frames so that they are written together.
    pub(crate) fn push_all(&self, frames: impl Iterator<Item = Frame>) {
        self.put_all(frames.map(Parcel::Frame));
    }

    fn put_all(&self, parcels: impl IntoIterator<Item = Parcel>) {
        let mut queue = self.queue();
        if queue.is_cut {
            return;
        }
        for parcel in parcels {
            queue.bytes += parcel.cost();
            if queue.bytes > self.limit {
                drop(queue);
                return self.cut();
            }
            queue.parcels.push_back(parcel);
        }
        drop(queue);
        self.writer.wake();
    }

    /// What may wait, in bytes.
    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// What a frame costs while it waits.
    pub(super) fn cost(frame: &Frame) -> usize {
        OVERHEAD + frame.len()
    }

    /// Ends the connection and forgets what waits.
    pub(crate) fn cut(&self) {
        *self.queue() = Queue { is_cut: true, controls: Controls::Closed, ..Queue::default() };
        self.connection.cut();
        self.writer.wake();
        self.socket.wake();
    }

    /// Tells the socket something, unless it has ended.
    pub(crate) fn tell(&self, control: Control) {
        if let Controls::Waiting(controls) = &mut self.queue().controls {
            controls.push(control);
        }
        self.socket.wake();
    }

    /// Waits until the socket is told something. `None` if its connection has been cut.
    pub(crate) async fn told(&self) -> Option<Vec<Control>> {
        poll_fn(|cx| {
            // Registered first, so that what is told meanwhile wakes.
            self.socket.register(cx.waker());
            match &mut self.queue().controls {
                Controls::Waiting(controls) if controls.is_empty() => Poll::Pending,
                Controls::Waiting(controls) => Poll::Ready(Some(std::mem::take(controls))),
                Controls::Closed => Poll::Ready(None),
            }
        })
        .await
    }

    /// The socket has ended: nothing more is told, and what was told is dropped, because somebody may wait for that.
    pub(super) fn close_controls(&self) {
        self.queue().controls = Controls::Closed;
    }

    /// The body that writes what is queued. `signal` is dropped with it.
    pub(crate) fn writing(self: &Arc<Self>, signal: BoxBody) -> Writing {
        Writing { outbox: Arc::clone(self), codec: Codec::new(), is_closing: false, _signal: signal }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Writing {
    /// Encodes what waits, up to a piece; `false` if the connection is to end.
    fn take(&mut self, into: &mut BytesMut) -> bool {
        let outbox = Arc::clone(&self.outbox);
        let mut queue = outbox.queue();
        if queue.is_cut {
            return false;
        }
        while into.len() < PIECE && !self.is_closing {
            let Some(parcel) = queue.parcels.pop_front() else { break };
            queue.bytes -= parcel.cost();
            let message = match parcel {
                Parcel::Frame(Frame::Text(text)) => Message::Text(text),
                Parcel::Frame(Frame::Binary(bytes)) => Message::Binary(bytes),
                Parcel::Pong(bytes) => Message::Pong(bytes),
                Parcel::Close(code, reason) => {
                    self.is_closing = true;
                    let description = Some(reason.to_owned()).filter(|reason| !reason.is_empty());
                    Message::Close(Some(CloseReason { code: CloseCode::from(code), description }))
                }
            };
            if self.codec.encode(message, into).is_err() {
                return false;
            }
        }
        if queue.parcels.is_empty() {
            // An idle connection keeps no buffer.
            queue.parcels = VecDeque::new();
        }
        true
    }
}

impl MessageBody for Writing {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        let this = self.get_mut();
        if this.is_closing {
            return Poll::Ready(None);
        }
        // Registered first, so that what is queued meanwhile wakes.
        this.outbox.writer.register(cx.waker());
        let mut bytes = BytesMut::new();
        if !this.take(&mut bytes) {
            return Poll::Ready(None);
        }
        if bytes.is_empty() { Poll::Pending } else { Poll::Ready(Some(Ok(bytes.freeze()))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use tokio::sync::mpsc::unbounded_channel;
    use uuid::Uuid;

    #[test]
    fn a_queue_is_bounded_by_its_bytes() {
        let outbox = Outbox::new(Version::Two, 2 * (OVERHEAD + 10), Gone::default());
        let mut writing = outbox.writing(BoxBody::new(()));
        let frame = || Frame::Binary(Bytes::from_static(&[0; 10]));
        outbox.push(frame());
        outbox.push(frame());
        assert!(outbox.told().now_or_never().is_none(), "just full");
        let mut bytes = BytesMut::new();
        assert!(writing.take(&mut bytes));
        assert_eq!(bytes.len(), 2 * 12, "two frames with their heads");
        outbox.push(frame());
        outbox.push(frame());
        assert!(outbox.told().now_or_never().is_none(), "there was room again");
        outbox.push(frame());
        assert!(matches!(outbox.told().now_or_never(), Some(None)), "the socket learns of it");
        assert!(!writing.take(&mut bytes), "the connection ends");
        outbox.push(frame());
        assert!(outbox.queue().parcels.is_empty(), "nothing is kept");
    }

    #[tokio::test]
    async fn what_a_socket_is_told_wakes_it_and_goes_with_it() {
        let outbox = Outbox::new(Version::Two, 100, Gone::default());
        let (teller, ended) = (Arc::clone(&outbox), Uuid::new_v4());
        let socket = tokio::spawn({
            let outbox = Arc::clone(&outbox);
            async move { outbox.told().await }
        });
        tokio::task::yield_now().await;
        teller.tell(Control::SessionEnded(ended));
        let told = socket.await.unwrap().unwrap();
        assert!(matches!(told[..], [Control::SessionEnded(session)] if session == ended), "{told:?}");

        let (sender, mut collected) = unbounded_channel();
        outbox.tell(Control::Sessions(sender.clone()));
        outbox.close_controls();
        outbox.tell(Control::Sessions(sender));
        assert_eq!(collected.recv().await, None, "nobody waits for a socket that has ended");
    }
}

//! The gate as a stream: the HTTP server reads requests from it as from the socket.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use bytes::{Buf, Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::framing::{Framing, Step};
use super::timer::Timer;
use super::{Fault, Gone, Rules, stand_in};
use crate::address::{Reach, reach};
use crate::budget::{Holder, Owner, Reservation, UNCOUNTED};
use crate::pace::Patience;

/// How many bytes are read at once while a head is being checked.
const PIECE: usize = 4 * 1024;
/// How much of the next requests is read while the server works on one, in bytes.
const AHEAD: usize = 8 * 1024;
/// How long a refused client may continue to send, so that the response is not lost in a connection reset.
const LINGER: Duration = Duration::from_secs(2);
/// How much it may send in that time, in bytes.
const LINGER_BYTES: usize = 1024 * 1024;

/// A connection whose requests are checked before the server reads them.
pub struct Gate<T> {
    io: T,
    rules: Arc<Rules>,
    framing: Framing,
    /// Bytes that were read but not decided about.
    raw: BytesMut,
    /// True if `raw` has grown since it was last found to be an incomplete head.
    is_fresh: bool,
    reservation: Option<Reservation>,
    /// Whose long heads are counted together. `None` where only the limit of all heads holds.
    peer: Option<IpAddr>,
    /// What the server reads next.
    passed: Bytes,
    /// True if the server has a request that it has not begun to answer. The next one waits, because it would only take
    /// memory.
    is_busy: bool,
    /// True if the reader waits for that, not for the client.
    is_held_back: bool,
    input: Input,
    /// The deadline of the head in progress, or of the first byte of the first one.
    until: Option<Instant>,
    body: Patience,
    answer: Patience,
    read_timer: Timer,
    write_timer: Timer,
    /// Bytes that the client sent after the end.
    lingered: usize,
    gone: Gone,
}

/// The state of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input {
    Open,
    /// The client has closed its side.
    Ended,
    /// A request was refused: nothing more is read.
    Refused,
}

impl<T: AsyncRead + AsyncWrite + Unpin> Gate<T> {
    /// A gate for a connection that was just accepted.
    pub fn new(io: T, rules: Arc<Rules>) -> Self {
        Gate {
            io,
            framing: Framing::Head,
            raw: BytesMut::new(),
            is_fresh: false,
            reservation: None,
            peer: None,
            passed: Bytes::new(),
            is_busy: false,
            is_held_back: false,
            input: Input::Open,
            until: Some(Instant::now() + rules.idle),
            body: Patience::new(rules.body),
            answer: Patience::new(rules.answer),
            read_timer: Timer::default(),
            write_timer: Timer::default(),
            lingered: 0,
            gone: Gone::default(),
            rules,
        }
    }

    /// The peer's long heads count together. A peer on a private network may be a proxy with many clients, whose addresses
    /// stand in the heads themselves: it has no share.
    #[must_use]
    pub fn with_peer(mut self, peer: IpAddr) -> Self {
        self.peer = (reach(peer) == Reach::Public).then_some(peer);
        self
    }

    /// Tells when the client has closed its side.
    pub fn gone(&self) -> Gone {
        self.gone.clone()
    }

    /// Waits for the first request, so that a connection without one costs the server nothing else. `false` if none
    /// comes.
    ///
    /// # Errors
    /// Those of the connection.
    pub async fn opened(&mut self) -> io::Result<bool> {
        std::future::poll_fn(|cx| self.poll_passed(cx)).await?;
        Ok(!self.passed.is_empty())
    }

    /// Fills `passed`, or finds that the input has ended.
    fn poll_passed(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            if !self.passed.is_empty() {
                return Poll::Ready(Ok(()));
            }
            if !self.raw.is_empty() && self.is_fresh && !self.must_wait() && self.input != Input::Refused {
                self.decide();
                continue;
            }
            match self.input {
                Input::Refused => return Poll::Ready(Ok(())),
                Input::Ended if self.must_wait() && !self.raw.is_empty() => {
                    self.is_held_back = true;
                    return Poll::Pending;
                }
                Input::Ended => return Poll::Ready(Ok(())),
                Input::Open if self.must_wait() && self.raw.len() >= AHEAD => {
                    self.is_held_back = true;
                    return Poll::Pending;
                }
                Input::Open => {}
            }
            let mut piece = [0; PIECE];
            let mut piece = ReadBuf::new(&mut piece);
            if Pin::new(&mut self.io).poll_read(cx, &mut piece)?.is_pending() {
                self.is_held_back = self.must_wait() && !self.raw.is_empty();
                ready!(self.poll_late(cx));
                continue;
            }
            match piece.filled() {
                [] => {
                    self.input = Input::Ended;
                    self.gone.tell();
                }
                filled => self.keep(filled),
            }
        }
    }

    /// True if the next request must wait until the previous one is answered.
    fn must_wait(&self) -> bool {
        self.is_busy && self.framing.is_at_head()
    }

    /// Decides about as much of `raw` as possible.
    fn decide(&mut self) {
        let mut at = 0;
        while at < self.raw.len() && !self.must_wait() {
            let was_head = self.framing.is_at_head();
            match self.framing.step(&self.raw[at..], &self.rules.upgrades) {
                Step::Pass(len) => {
                    at += len;
                    self.began(was_head);
                }
                Step::Rewrite { len, changes } => {
                    self.began(was_head);
                    let (before, head) = self.raw[..at + len].split_at(at);
                    let passed = [before, &changes.of(head)].concat();
                    self.raw.advance(at + len);
                    return self.pass(passed.into());
                }
                Step::Wait => {
                    self.is_fresh = false;
                    break;
                }
                Step::Refuse(fault) => {
                    let passed = self.raw.split_to(at).freeze();
                    return self.refuse(fault, was_head, passed);
                }
            }
        }
        let passed = self.raw.split_to(at).freeze();
        if !passed.is_empty() {
            self.pass(passed);
        }
    }

    fn pass(&mut self, passed: Bytes) {
        self.passed = passed;
        if self.raw.is_empty() {
            // An idle connection keeps no buffer.
            self.raw = BytesMut::new();
            self.reservation = None;
        }
    }

    /// The server gets bytes of a request: a head, or some of a body.
    fn began(&mut self, is_head: bool) {
        if is_head {
            self.until = None;
            self.is_busy = true;
            self.body = Patience::new(self.rules.body);
        }
    }

    /// Ends the connection's input: in a head with a stand-in, in a body abruptly.
    fn refuse(&mut self, fault: Fault, is_head: bool, passed: Bytes) {
        self.input = Input::Refused;
        self.until = None;
        self.passed =
            if is_head { [&passed[..], &stand_in::stand_in(&self.raw, fault)].concat().into() } else { passed };
        self.framing = Framing::Upgraded;
        self.raw = BytesMut::new();
        self.reservation = None;
    }

    /// Keeps the bytes read, if the budget has room.
    fn keep(&mut self, read: &[u8]) {
        self.body.moved(read.len());
        // An incomplete head becomes complete only with a line end, or too long.
        self.is_fresh |= self.raw.is_empty()
            || !self.framing.is_at_head()
            || memchr::memchr(b'\n', read).is_some()
            || self.raw.len() + read.len() >= super::MAX_HEAD;
        self.raw.extend_from_slice(read);
        if self.raw.len() > UNCOUNTED {
            let budget = &self.rules.budget;
            let holder = || self.peer.into_iter().fold(Holder::from(Owner::Head), Holder::at);
            let reservation = self.reservation.get_or_insert_with(|| budget.reservation(holder()));
            if reservation.resize(self.raw.capacity()).is_err() && !self.must_wait() {
                self.refuse(Fault::Busy, self.framing.is_at_head(), Bytes::new());
            }
        }
    }

    /// Waits for the client until the deadline: ready when it has passed and the request was refused.
    fn poll_late(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let until = match &self.framing {
            _ if self.must_wait() => None,
            Framing::Head if self.is_idle() => self.until,
            // The first byte of a head starts its time limit.
            Framing::Head => Some(self.head_until()),
            Framing::Length(_) | Framing::Chunks(_) => Some(self.body.wait()),
            Framing::Upgraded => None,
        };
        let Some(until) = until else { return Poll::Pending };
        ready!(self.read_timer.poll(until, cx));
        let is_head = self.framing.is_at_head();
        if is_head && self.is_idle() {
            // No request was begun.
            self.input = Input::Ended;
        } else {
            self.refuse(Fault::Slow, is_head, Bytes::new());
        }
        Poll::Ready(())
    }

    /// True if no request has begun; empty lines between two requests do not count.
    fn is_idle(&self) -> bool {
        self.raw.iter().all(|byte| matches!(byte, b'\r' | b'\n'))
    }

    fn head_until(&mut self) -> Instant {
        let latest = Instant::now() + self.rules.head;
        let until = self.until.map_or(latest, |until| until.min(latest));
        self.until = Some(until);
        until
    }

    /// Reads directly into the server's buffer if nothing is kept: bytes that pass stay where they are.
    fn poll_straight(&mut self, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        if Pin::new(&mut self.io).poll_read(cx, buf)?.is_pending() {
            ready!(self.poll_late(cx));
            return Poll::Ready(Ok(()));
        }
        let read = &buf.filled()[before..];
        if read.is_empty() {
            self.input = Input::Ended;
            self.gone.tell();
            return Poll::Ready(Ok(()));
        }
        if self.framing.is_in_body() {
            self.body.moved(read.len());
        }
        let mut at = 0;
        while at < read.len() && !self.must_wait() {
            let was_head = self.framing.is_at_head();
            match self.framing.step(&read[at..], &self.rules.upgrades) {
                Step::Pass(len) => {
                    at += len;
                    self.began(was_head);
                }
                Step::Refuse(fault) if !was_head => {
                    self.refuse(fault, false, Bytes::new());
                    buf.set_filled(before + at);
                    return Poll::Ready(Ok(()));
                }
                // Keep anything irregular; the slow path will find it again.
                Step::Rewrite { .. } | Step::Wait | Step::Refuse(_) => {
                    self.framing = Framing::Head;
                    break;
                }
            }
        }
        if at < read.len() {
            self.keep(&read[at..]);
            buf.set_filled(before + at);
        }
        Poll::Ready(Ok(()))
    }
}

impl<T: AsyncRead + AsyncWrite + Unpin> AsyncRead for Gate<T> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let gate = self.get_mut();
        let before = buf.filled().len();
        gate.gone.check()?;
        loop {
            if gate.passed.is_empty() && gate.raw.is_empty() && gate.input == Input::Open && !gate.must_wait() {
                ready!(gate.poll_straight(cx, buf))?;
                if buf.filled().len() > before || gate.input == Input::Ended {
                    return Poll::Ready(Ok(()));
                }
                continue;
            }
            ready!(gate.poll_passed(cx))?;
            let len = gate.passed.len().min(buf.remaining());
            buf.put_slice(&gate.passed.split_to(len));
            return Poll::Ready(Ok(()));
        }
    }
}

impl<T: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Gate<T> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let gate = self.get_mut();
        gate.gone.check()?;
        let Poll::Ready(written) = Pin::new(&mut gate.io).poll_write(cx, buf)? else {
            ready!(gate.write_timer.poll(gate.answer.wait(), cx));
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the answer is taken too slowly")));
        };
        gate.answer.moved(written);
        gate.is_busy = false;
        if std::mem::take(&mut gate.is_held_back) {
            cx.waker().wake_by_ref();
        }
        Poll::Ready(Ok(written))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().io).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let gate = self.get_mut();
        ready!(Pin::new(&mut gate.io).poll_shutdown(cx))?;
        if gate.input != Input::Refused {
            return Poll::Ready(Ok(()));
        }
        let until = *gate.until.get_or_insert_with(|| Instant::now() + LINGER);
        while gate.lingered < LINGER_BYTES {
            let mut piece = [0; PIECE];
            let mut piece = ReadBuf::new(&mut piece);
            match Pin::new(&mut gate.io).poll_read(cx, &mut piece) {
                Poll::Pending => {
                    ready!(gate.read_timer.poll(until, cx));
                    break;
                }
                Poll::Ready(Ok(())) if !piece.filled().is_empty() => gate.lingered += piece.filled().len(),
                Poll::Ready(_) => break,
            }
        }
        Poll::Ready(Ok(()))
    }
}

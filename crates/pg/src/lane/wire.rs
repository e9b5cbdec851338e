//! Reads and writes messages of the protocol over a byte stream.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker, ready};
use std::{io, mem};

use bytes::{Buf, Bytes, BytesMut};
use postgres_protocol::message::backend::{Header, Message};
use postgres_protocol::message::frontend;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};

use super::error_response;
use super::rows::{self, Row};
use crate::error::{Error, source_chain};

/// A socket, with or without TLS.
pub(crate) trait Duplex: AsyncRead + AsyncWrite + Unpin + Send + Sync {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send + Sync> Duplex for T {}

/// The stream of one connection and its buffers.
pub(super) struct Wire {
    stream: Box<dyn Duplex>,
    inbox: BytesMut,
    outbox: BytesMut,
    /// Follows the outbox. These parts are written without copying them.
    parts: VecDeque<Bytes>,
    unflushed: bool,
    /// Whether the outbox has grown so large that its memory should be released.
    bulky: bool,
    /// Bytes received since the last [`Wire::send`].
    received: usize,
    /// Bytes of the current message that are still to be discarded.
    unwanted: usize,
    max_answer: usize,
}

// Small messages share a chunk of this size. A larger message gets a buffer of its own size.
const CHUNK: usize = 16 * 1024;
/// A DataRow longer than this, in bytes, may be streamed. A shorter one is read at once, so that its connection does not wait
/// for a slow client.
pub(super) const LONG_ROW: usize = 1024 * 1024;
/// Length of a message's tag and length field.
const HEADER: usize = 5;
const DATA_ROW: u8 = b'D';
/// How many bytes of a long row are read at once.
const PIECE: usize = 64 * 1024;

impl Wire {
    pub(super) fn new(stream: Box<dyn Duplex>, max_answer: usize) -> Self {
        let inbox = BytesMut::with_capacity(CHUNK);
        Wire {
            stream,
            inbox,
            outbox: BytesMut::new(),
            parts: VecDeque::new(),
            unflushed: false,
            bulky: false,
            received: 0,
            unwanted: 0,
            max_answer,
        }
    }

    /// Queues `bytes`. They are written while [`Wire::receive`] waits.
    pub(super) fn send(&mut self, bytes: BytesMut) {
        if !self.parts.is_empty() {
            self.parts.push_back(bytes.freeze());
        } else if self.outbox.is_empty() {
            self.outbox = bytes;
        } else {
            self.outbox.extend_from_slice(&bytes);
        }
        self.bulky |= self.outbox.len() > CHUNK;
        self.received = 0;
    }

    /// Like [`Wire::send`], and inserts long values at their offsets in `bytes`.
    pub(super) fn send_with(&mut self, mut bytes: BytesMut, long: Vec<(usize, Bytes)>) {
        let mut parts = Vec::new();
        let mut taken = 0;
        for (before, value) in long {
            parts.extend([bytes.split_to(before - taken).freeze(), value]);
            taken = before;
        }
        if parts.is_empty() {
            return self.send(bytes);
        }
        parts.push(bytes.freeze());
        // No part may be empty: writing nothing would look like a closed connection.
        self.parts.extend(parts.into_iter().filter(|part| !part.is_empty()));
        self.received = 0;
    }

    /// Like [`Wire::send`], but copies, and keeps the memory of `bytes`; for small, frequent messages.
    pub(super) fn send_from(&mut self, bytes: &mut BytesMut) {
        self.outbox.extend_from_slice(bytes);
        bytes.clear();
        self.bulky |= self.outbox.len() > CHUNK;
        self.received = 0;
    }

    /// The next message of a response. Notices and notifications are skipped.
    ///
    /// Cancel safe, but the rest of an incomplete response would have to be read before another request.
    pub(super) async fn receive(&mut self) -> Result<Message, Error> {
        poll_fn(|cx| self.poll_receive(cx)).await
    }

    /// Like [`Wire::receive`]. If it is pending, everything that could be written was written.
    pub(super) fn poll_receive(&mut self, cx: &mut Context<'_>) -> Poll<Result<Message, Error>> {
        loop {
            if let Some(message) = ready!(self.poll_receive_up_to(usize::MAX, cx))? {
                return Poll::Ready(Ok(message));
            }
        }
    }

    /// Like [`Wire::poll_receive`], but returns `None` for a DataRow longer than `most` bytes, which is discarded as it arrives.
    pub(super) fn poll_receive_up_to(
        &mut self,
        most: usize,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Option<Message>, Error>> {
        loop {
            if self.unwanted > 0 {
                self.pass_over();
            }
            if self.unwanted == 0 {
                if let Some(len) = self.data_row_longer_than(most)? {
                    self.unwanted = 1 + len;
                    return Poll::Ready(Ok(None));
                }
                match self.parse()? {
                    Some(Message::NoticeResponse(body)) => {
                        let notice = error_response::read(&mut body.fields());
                        tracing::debug!(target: "pg::lane", code = notice.code, message = notice.message, "notice");
                        continue;
                    }
                    Some(Message::NotificationResponse(_)) => continue,
                    Some(message) => return Poll::Ready(Ok(Some(message))),
                    None => {}
                }
            }
            ready!(self.poll_io(cx)).map_err(|error| Error::Lost(source_chain(&error)))?;
        }
    }

    /// Like [`Wire::receive`], but returns `None` before a DataRow longer than [`LONG_ROW`], which [`Wire::long_row`] reads.
    pub(super) async fn receive_unless_long(&mut self) -> Result<Option<Message>, Error> {
        while self.inbox.len() < HEADER {
            self.more().await?;
        }
        if self.data_row_longer_than(LONG_ROW)?.is_some() { Ok(None) } else { self.receive().await.map(Some) }
    }

    /// The values of a long row without the last, and the length of the last, whose bytes [`Wire::poll_piece`] reads.
    pub(super) async fn long_row(&mut self) -> Result<(Row, usize), Error> {
        loop {
            if let Some((row, len)) = rows::head(&mut self.inbox).map_err(malformed)? {
                return Ok((row, len));
            }
            self.check_size(self.inbox.len())?;
            self.more().await?;
        }
    }

    /// The next bytes of a value of which `left` bytes are unread.
    pub(super) fn poll_piece(&mut self, left: usize, cx: &mut Context<'_>) -> Poll<Result<Bytes, Error>> {
        while self.inbox.is_empty() {
            self.inbox.reserve(PIECE);
            ready!(self.poll_io(cx)).map_err(|error| Error::Lost(source_chain(&error)))?;
        }
        let len = self.inbox.len().min(left);
        Poll::Ready(Ok(self.inbox.split_to(len).freeze()))
    }

    /// Whether the server has not closed this idle connection, as far as is known without a round trip.
    pub(super) fn is_alive(&mut self) -> bool {
        let mut cx = Context::from_waker(Waker::noop());
        loop {
            match self.poll_io(&mut cx) {
                Poll::Pending => break,
                Poll::Ready(Ok(())) => {}
                Poll::Ready(Err(_)) => return false,
            }
        }
        // An idle connection may receive ParameterStatus. An ErrorResponse always announces the end of the connection.
        self.inbox.first() != Some(&b'E')
    }

    /// Sends Terminate if that is possible without waiting.
    pub(super) fn terminate(&mut self) {
        frontend::terminate(&mut self.outbox);
        let _ = self.poll_io(&mut Context::from_waker(Waker::noop()));
    }

    async fn more(&mut self) -> Result<(), Error> {
        poll_fn(|cx| self.poll_io(cx)).await.map_err(|error| Error::Lost(source_chain(&error)))
    }

    /// The length of the next message if it is a DataRow longer than `most` bytes.
    fn data_row_longer_than(&self, most: usize) -> Result<Option<usize>, Error> {
        let header = Header::parse(&self.inbox).map_err(malformed)?;
        let len = header.filter(|header| header.tag() == DATA_ROW).map(|header| length(&header));
        Ok(len.filter(|len| *len > most))
    }

    fn pass_over(&mut self) {
        let len = self.inbox.len().min(self.unwanted);
        self.inbox.advance(len);
        self.unwanted -= len;
        if self.unwanted > 0 {
            self.inbox.reserve(PIECE);
        }
    }

    fn parse(&mut self) -> Result<Option<Message>, Error> {
        let Some(header) = Header::parse(&self.inbox).map_err(malformed)? else { return Ok(None) };
        let len = length(&header);
        self.check_size(len)?;
        let message = Message::parse(&mut self.inbox).map_err(malformed)?;
        if message.is_some() {
            self.received += len;
        }
        Ok(message)
    }

    fn written(&mut self, bytes: usize) {
        if !self.outbox.is_empty() {
            self.outbox.advance(bytes);
        } else if let Some(part) = self.parts.front_mut() {
            part.advance(bytes);
            // Release the memory as soon as it is written.
            if part.is_empty() {
                self.parts.pop_front();
            }
        }
    }

    fn check_size(&self, len: usize) -> Result<(), Error> {
        let fits = self.received.saturating_add(len) <= self.max_answer;
        if fits { Ok(()) } else { Err(Error::TooLarge(self.max_answer)) }
    }

    /// Writes what can be written, and waits until something was read. Continues reading while a large request is being written,
    /// because a server whose responses are not read stops reading requests.
    fn poll_io(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            let next =
                if self.outbox.is_empty() { self.parts.front().map(|part| &part[..]) } else { Some(&self.outbox[..]) };
            let Some(next) = next else { break };
            match Pin::new(&mut self.stream).poll_write(cx, next) {
                Poll::Ready(Ok(written)) if written > 0 => {
                    self.written(written);
                    self.unflushed = true;
                }
                // The server has closed the connection. Reading returns its last message and the end.
                Poll::Ready(_) => {
                    self.outbox.clear();
                    self.parts.clear();
                }
                Poll::Pending => break,
            }
        }
        if self.unflushed && self.outbox.is_empty() && self.parts.is_empty() {
            // Do not keep the buffer of a large request.
            if mem::take(&mut self.bulky) {
                drop(mem::take(&mut self.outbox));
            }
            if Pin::new(&mut self.stream).poll_flush(cx).is_ready() {
                self.unflushed = false;
            }
        }
        // `Message::parse` has already reserved memory for a message that has begun.
        if self.inbox.len() < HEADER {
            self.inbox.reserve(CHUNK / 4);
        }
        match pin!(self.stream.read_buf(&mut self.inbox)).poll(cx) {
            Poll::Ready(Ok(0)) => Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into())),
            Poll::Ready(result) => Poll::Ready(result.map(|_| ())),
            Poll::Pending => Poll::Pending,
        }
    }
}

fn length(header: &Header) -> usize {
    usize::try_from(header.len()).unwrap_or(usize::MAX)
}

fn malformed(error: io::Error) -> Error {
    Error::Protocol(source_chain(&error))
}

#[cfg(test)]
mod tests {
    use bytes::BufMut;
    use tokio::io::AsyncWriteExt;

    use super::*;

    fn data_row(value: &[u8]) -> BytesMut {
        let mut message = BytesMut::from(&b"D"[..]);
        message.put_i32(4 + 2 + 4 + value.len() as i32);
        message.put_u16(1);
        message.put_i32(value.len() as i32);
        message.put_slice(value);
        message
    }

    #[tokio::test]
    async fn a_request_larger_than_every_buffer_does_not_deadlock() {
        let (ours, mut theirs) = tokio::io::duplex(1024);
        let mut wire = Wire::new(Box::new(ours), 1 << 20);
        wire.send(BytesMut::zeroed(100_000));
        let server = tokio::spawn(async move {
            // Responds before it has read everything, as PostgreSQL does with the first statements of a batch.
            theirs.write_all(&data_row(&[b'x'; 50_000])).await.unwrap();
            let mut request = vec![0; 100_000];
            theirs.read_exact(&mut request).await.unwrap();
        });
        assert!(matches!(wire.receive().await, Ok(Message::DataRow(_))));
        assert!(matches!(wire.receive().await, Err(Error::Lost(_))));
        server.await.unwrap();
    }

    #[tokio::test]
    async fn a_row_that_is_too_long_is_skipped_and_the_next_is_read() {
        let (ours, mut theirs) = tokio::io::duplex(1024);
        let mut wire = Wire::new(Box::new(ours), 1 << 20);
        let server = tokio::spawn(async move {
            for len in [10, 50_000, 20] {
                theirs.write_all(&data_row(&vec![b'x'; len])).await.unwrap();
            }
            theirs
        });
        for long in [false, true, false] {
            let message = poll_fn(|cx| wire.poll_receive_up_to(1000, cx)).await.unwrap();
            assert_eq!(message.is_none(), long);
            assert!(wire.inbox.capacity() < 40_000 + PIECE, "not buffered");
        }
        server.await.unwrap();
    }

    #[tokio::test]
    async fn a_response_at_the_limit_passes_and_one_past_it_does_not() {
        let row = data_row(b"0123456789");
        for (limit, passes) in [(row.len() - 1, true), (row.len() - 2, false)] {
            let (ours, mut theirs) = tokio::io::duplex(1024);
            theirs.write_all(&row).await.unwrap();
            assert_eq!(Wire::new(Box::new(ours), limit).receive().await.is_ok(), passes);
        }
    }

    #[tokio::test]
    async fn a_connection_that_the_server_closed_is_not_alive() {
        let (ours, mut theirs) = tokio::io::duplex(1024);
        let mut wire = Wire::new(Box::new(ours), 1024);
        assert!(wire.is_alive());
        theirs.write_all(b"S\0\0\0\x08a\0b\0").await.unwrap();
        assert!(wire.is_alive());
        drop(theirs);
        assert!(!wire.is_alive());

        let (ours, mut theirs) = tokio::io::duplex(1024);
        theirs.write_all(b"E\0\0\0\x05\0").await.unwrap();
        assert!(!Wire::new(Box::new(ours), 1024).is_alive());
    }
}

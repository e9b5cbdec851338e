//! A WebSocket, as far as a load needs it.

use std::time::{SystemTime, UNIX_EPOCH};

use bytes::{Buf, BytesMut};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

use crate::measure::Result;

/// The reading side.
pub(crate) struct Inbox {
    stream: OwnedReadHalf,
    buffer: BytesMut,
}

/// The writing side.
pub(crate) struct Outbox(OwnedWriteHalf);

/// Nanoseconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| u64::try_from(time.as_nanos()).unwrap_or_default())
}

/// Opens a socket of version 2.0.0.
pub(crate) async fn open(url: &str, token: &str) -> Result<(Inbox, Outbox)> {
    let host = url.strip_prefix("http://").ok_or("the URL begins with http://")?;
    let mut stream = TcpStream::connect(host).await?;
    stream.set_nodelay(true)?;
    let request = format!(
        "GET /realtime/v1/websocket?apikey={token}&vsn=2.0.0 HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut buffer = BytesMut::new();
    let end = loop {
        if stream.read_buf(&mut buffer).await? == 0 {
            return Err("the server closed the connection".into());
        }
        if let Some(at) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
    };
    if !buffer.starts_with(b"HTTP/1.1 101") {
        return Err(String::from_utf8_lossy(&buffer).into_owned().into());
    }
    buffer.advance(end);
    let (reader, writer) = stream.into_split();
    Ok((Inbox { stream: reader, buffer }, Outbox(writer)))
}

impl Inbox {
    /// Reads what has arrived and gives every frame to `each`. An end of the connection is an error.
    pub(crate) async fn read(&mut self, mut each: impl FnMut(&[u8])) -> Result<()> {
        self.fill().await?;
        while let Some((head, length)) = frame(&self.buffer) {
            each(&self.buffer[head..head + length]);
            self.buffer.advance(head + length);
        }
        Ok(())
    }

    /// Reads until a frame contains a text; the frames after it are left for the next reading.
    pub(crate) async fn until(&mut self, text: &str) -> Result<()> {
        loop {
            self.fill().await?;
            let Some((head, length)) = frame(&self.buffer) else { continue };
            let read = String::from_utf8_lossy(&self.buffer[head..head + length]).into_owned();
            self.buffer.advance(head + length);
            if read.contains(text) {
                return Ok(());
            }
            if read.contains("\"status\":\"error\"") {
                return Err(read.into());
            }
        }
    }

    /// Waits until a whole frame has arrived.
    async fn fill(&mut self) -> Result<()> {
        while frame(&self.buffer).is_none() {
            self.buffer.reserve(16 * 1024);
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err("the server closed the connection".into());
            }
        }
        Ok(())
    }
}

impl Outbox {
    /// Sends a message on a channel.
    pub(crate) async fn send(&mut self, topic: &str, event: &str, payload: &Value) -> Result<()> {
        self.send_text(json!(["1", "1", topic, event, payload]).to_string().as_bytes()).await
    }

    /// Sends a frame of text, masked with zeros.
    pub(crate) async fn send_text(&mut self, text: &[u8]) -> Result<()> {
        let mut frame = vec![0x81];
        match u16::try_from(text.len())? {
            length @ 0..=125 => frame.push(0x80 | u8::try_from(length)?),
            length => {
                frame.push(0x80 | 126);
                frame.extend(length.to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(text);
        Ok(self.0.write_all(&frame).await?)
    }
}

/// The lengths of the head and the body of the first frame, if it is complete.
fn frame(bytes: &[u8]) -> Option<(usize, usize)> {
    let (head, length) = match *bytes.get(1)? {
        126 => (4, usize::from(u16::from_be_bytes(bytes.get(2..4)?.try_into().ok()?))),
        127 => (10, usize::try_from(u64::from_be_bytes(bytes.get(2..10)?.try_into().ok()?)).ok()?),
        short => (2, usize::from(short)),
    };
    (bytes.len() >= head + length).then_some((head, length))
}

/// The time that a message says it was sent at: the digits after `"t":`.
pub(crate) fn sent_at(frame: &[u8]) -> Option<u64> {
    let at = frame.windows(4).position(|window| window == b"\"t\":")? + 4;
    let digits = frame[at..].iter().skip_while(|byte| **byte == b' ').take_while(|byte| byte.is_ascii_digit());
    Some(digits.fold(0, |number, digit| number * 10 + u64::from(digit - b'0')))
}

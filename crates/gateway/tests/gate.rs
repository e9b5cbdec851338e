//! The gate stands before the server's own parser. Both must find the same requests in any input.
//!
//! `GATE_CASES=1000000 cargo test -p gateway --test gate --release` tests more cases; `GATE_SEED` repeats a run.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)] // clippy.toml allows them in test functions only, not in helpers

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use actix_codec::Decoder;
use actix_http::h1::{Codec, Message};
use actix_http::{HttpMessage, ServiceConfig};
use bytes::BytesMut;
use gateway::budget::Budget;
use gateway::gate::{Gate, Rules};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};

/// A request as the server reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    method: String,
    target: String,
    fields: Vec<(String, Vec<u8>)>,
    body: Vec<u8>,
    is_whole: bool,
}

/// A client that sends these pieces and closes.
struct Client {
    pieces: Vec<Vec<u8>>,
}

impl AsyncRead for Client {
    fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<std::io::Result<()>> {
        if let Some(piece) = self.pieces.first_mut() {
            let len = piece.len().min(buf.remaining());
            buf.put_slice(&piece.drain(..len).collect::<Vec<_>>());
            if piece.is_empty() {
                self.pieces.remove(0);
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Client {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, buf: &[u8]) -> Poll<std::io::Result<usize>> {
        Poll::Ready(Ok(buf.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// What the server reads when a client sends `pieces`. Whenever no more arrives, the server writes a byte of a response.
fn through_gate(pieces: Vec<Vec<u8>>, rng: &mut StdRng) -> Vec<u8> {
    let second = Duration::from_secs(1);
    let rules = Rules::new(second, second, Budget::default());
    let mut gate = Gate::new(Client { pieces }, Arc::new(rules));
    let mut cx = Context::from_waker(Waker::noop());
    let mut read = Vec::new();
    let mut room = vec![0; 8192];
    let mut stuck = 0;
    loop {
        let len = rng.random_range(1..=room.len());
        let mut buf = ReadBuf::new(&mut room[..len]);
        match Pin::new(&mut gate).poll_read(&mut cx, &mut buf) {
            Poll::Ready(Ok(())) if buf.filled().is_empty() => return read,
            Poll::Ready(result) => {
                result.unwrap();
                read.extend_from_slice(buf.filled());
                stuck = 0;
            }
            Poll::Pending => {
                stuck += 1;
                assert!(stuck < 3, "the gate does not make progress");
                assert!(Pin::new(&mut gate).poll_write(&mut cx, b"x").is_ready());
            }
        }
    }
}

/// The requests that the server parses from these bytes. With `encoding`, heads are read as if their targets had been
/// percent-encoded, and without `Upgrade`.
fn requests(server: &ServiceConfig, bytes: &[u8], encoding: bool) -> Vec<Found> {
    let mut codec = Codec::new(server.clone());
    let mut left = BytesMut::from(bytes);
    let mut found: Vec<Found> = Vec::new();
    loop {
        if encoding && found.last().is_none_or(|last| last.is_whole) {
            left = BytesMut::from(&without_upgrade(encoded(&left))[..]);
        }
        match codec.decode(&mut left) {
            Ok(Some(Message::Item(request))) => {
                let fields =
                    request.headers().iter().map(|(name, value)| (name.to_string(), value.as_bytes().to_vec()));
                let mut fields: Vec<_> = fields.collect();
                fields.sort();
                found.push(Found {
                    method: request.method().to_string(),
                    target: request.uri().to_string(),
                    fields,
                    body: Vec::new(),
                    is_whole: matches!(codec.message_type(), actix_http::h1::MessageType::None),
                });
            }
            Ok(Some(Message::Chunk(Some(chunk)))) => found.last_mut().unwrap().body.extend_from_slice(&chunk),
            Ok(Some(Message::Chunk(None))) => found.last_mut().unwrap().is_whole = true,
            Ok(None) | Err(_) => return found,
        }
    }
}

/// The bytes with the target of the first line percent-encoded, if that line is a request line.
fn encoded(bytes: &[u8]) -> Vec<u8> {
    let start = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let end = bytes[start..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| start + at);
    let mut parts = bytes[start..end].splitn(2, |byte| *byte == b' ');
    let (Some(method), Some(rest)) = (parts.next(), parts.next()) else { return bytes.to_vec() };
    let Some(len) = rest.windows(6).rposition(|window| window == b" HTTP/") else { return bytes.to_vec() };
    let mut whole = bytes[..start + method.len() + 1].to_vec();
    for byte in &rest[..len] {
        match byte {
            b'"' | b'<' | b'>' | b'`' | 0x80.. => whole.extend(format!("%{byte:02X}").bytes()),
            _ => whole.push(*byte),
        }
    }
    whole.extend_from_slice(&bytes[start + method.len() + 1 + len..]);
    whole
}

/// The bytes without the lines of their first head that ask for an upgrade.
fn without_upgrade(bytes: Vec<u8>) -> Vec<u8> {
    let start = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let mut kept = bytes[..start].to_vec();
    let mut lines = bytes[start..].split_inclusive(|byte| *byte == b'\n');
    for line in lines.by_ref() {
        if !line.to_ascii_lowercase().starts_with(b"upgrade:") {
            kept.extend_from_slice(line);
        }
        if line.trim_ascii().is_empty() {
            break;
        }
    }
    kept.extend(lines.flatten());
    kept
}

const TARGETS: [&str; 9] =
    ["/", "/t?data->>key=eq.x", "/ü?\"a\"=<b>", "/a`b", "*", "http://x/a>b?c", "/t?a=1#f", "/%3E", "/a?{b}|\\^"];
const BODIES: [&str; 6] = [
    "",
    "x",
    "{\"a\": 1}\r\n",
    "GET /inner->key HTTP/1.1\r\nhost: x\r\n\r\n",
    "0\r\n\r\nGET /inner HTTP/1.1\r\nhost: y\r\n\r\n",
    "\n\r\nPOST / HTTP/1.1\ncontent-length: 3\n\nabc",
];
const TOKENS: [&str; 24] = [
    "\n",
    "\r",
    "\r\n",
    "\r\n\r\n",
    " ",
    "\t",
    ":",
    ",",
    ";",
    "0",
    "1",
    "f",
    "+",
    "-",
    "chunked",
    "GET / HTTP/1.1\r\nhost: x\r\n\r\n",
    "content-length: 5\r\n",
    "Content-Length: 0\r\n",
    "transfer-encoding: chunked\r\n",
    "Transfer-Encoding : chunked\r\n",
    "upgrade: websocket\r\n",
    "5\r\n",
    "0\r\n\r\n",
    "\u{0}",
];

fn request(rng: &mut StdRng) -> Vec<u8> {
    let target = TARGETS.choose(rng).unwrap();
    let body = BODIES.choose(rng).unwrap();
    let line = |method: &str| format!("{method} {target} HTTP/1.1\r\nHost: x\r\nx-Field: \u{fc} v \r\n");
    match rng.random_range(0..4) {
        0 => line("GET") + "\r\n",
        1 => format!("{}Content-Length: {}\r\n\r\n{body}", line("POST"), body.len()),
        2 => format!("{}content-length: {}\r\nexpect: 100-continue\r\n\r\n{body}", line("PATCH"), body.len()),
        _ => {
            let mut chunks = String::new();
            for piece in body.as_bytes().chunks(rng.random_range(1..20)) {
                let extension = *["", ";a=b", ";"].choose(rng).unwrap();
                chunks += &format!("{:x}{extension}\r\n{}\r\n", piece.len(), std::str::from_utf8(piece).unwrap());
            }
            let trailer = *["", "x: y\r\n"].choose(rng).unwrap();
            format!("{}Transfer-Encoding: chunked\r\n\r\n{chunks}0\r\n{trailer}\r\n", line("PUT"))
        }
    }
    .into_bytes()
}

fn mutate(bytes: &mut Vec<u8>, rng: &mut StdRng) {
    for _ in 0..rng.random_range(1..4) {
        let at = rng.random_range(0..=bytes.len());
        match rng.random_range(0..3) {
            0 => {
                let end = (at + rng.random_range(1..12)).min(bytes.len());
                bytes.drain(at..end);
            }
            1 => drop(bytes.splice(at..at, TOKENS.choose(rng).unwrap().bytes())),
            _ => {
                let end = (at + 1).min(bytes.len());
                drop(bytes.splice(at..end, TOKENS.choose(rng).unwrap().bytes()));
            }
        }
    }
}

fn pieces(bytes: &[u8], rng: &mut StdRng) -> Vec<Vec<u8>> {
    let longest = *[1, 3, 40, 4000, 100_000].choose(rng).unwrap();
    let mut pieces = Vec::new();
    let mut left = bytes;
    while !left.is_empty() {
        let (piece, rest) = left.split_at(rng.random_range(1..=longest).min(left.len()));
        pieces.push(piece.to_vec());
        left = rest;
    }
    pieces
}

#[actix_web::test]
async fn gate_and_server_find_the_same_requests() {
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (cases, seed) = (number("GATE_CASES", 20_000), number("GATE_SEED", rand::random()));
    println!("GATE_SEED={seed}");
    let mut rng = StdRng::seed_from_u64(seed);
    let server = ServiceConfig::default();
    let (mut refused, mut whole) = (0, 0);
    for case in 0..cases {
        let mut sent: Vec<u8> = (0..rng.random_range(1..5)).flat_map(|_| request(&mut rng)).collect();
        let is_sound = rng.random_range(0..4) == 0;
        if !is_sound {
            mutate(&mut sent, &mut rng);
        }
        let read = through_gate(pieces(&sent, &mut rng), &mut rng);
        let mut found = requests(&server, &read, false);
        let wanted = requests(&server, &sent, true);
        let says = format!("case {case} of GATE_SEED={seed}: {}", String::from_utf8_lossy(&sent));
        let is_refused = found.last().is_some_and(|last| last.method == "REFUSED");
        if is_refused {
            found.pop();
        }
        refused += u64::from(is_refused);
        whole += found.len();
        for (at, found) in found.iter().enumerate() {
            let wanted = wanted.get(at).unwrap_or_else(|| panic!("an unexpected request: {found:?}\n{says}"));
            if found.is_whole {
                assert_eq!(found, wanted, "{says}");
            } else {
                // The request was refused within its body, or is incomplete.
                assert!(wanted.body.starts_with(&found.body), "{found:?}\n{wanted:?}\n{says}");
                assert_eq!((&found.target, &found.fields), (&wanted.target, &wanted.fields), "{says}");
            }
        }
        if is_sound {
            assert_eq!(found, wanted, "{says}");
        }
        let seal = b"dugout-refused";
        let seals = read.windows(seal.len()).filter(|window| window == seal).count();
        assert_eq!(seals, usize::from(is_refused), "the gate's refusal must be one request: {says}");
    }
    assert!(refused > cases / 10 && whole > 0, "{refused} refused, {whole} whole requests");
}

#[actix_web::test]
async fn after_an_upgrade_bytes_are_passed_through() {
    let head = "GET /socket?v=1 HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n";
    let sent = [head.as_bytes(), &[0x81, 0, 13, 10, 255]].concat();
    let second = Duration::from_secs(1);
    let rules = Rules { upgrades: vec!["/socket".to_owned()], ..Rules::new(second, second, Budget::default()) };
    let mut gate = Gate::new(Client { pieces: vec![sent.clone()] }, Arc::new(rules));
    let mut read = Vec::new();
    gate.read_to_end(&mut read).await.unwrap();
    assert_eq!(read, sent);
}

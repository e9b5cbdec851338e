//! Parses the head of a request: whether it is well-formed, where its target is, and what kind of body follows.

use std::mem::MaybeUninit;
use std::ops::Range;

use actix_web::http::Uri;

use super::{Fault, MAX_HEAD, MAX_TARGET};

/// Maximum number of header fields: the same as that of the HTTP server.
const MAX_FIELDS: usize = 96;
/// Maximum length of a field name, in bytes. Above its own limit the `http` crate would panic.
const MAX_NAME: usize = 256;

/// The result of parsing.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Parsed {
    /// An incomplete head.
    Partial,
    /// A complete head of `len` bytes.
    Whole {
        /// Its length, in bytes.
        len: usize,
        /// What follows it.
        body: Kind,
        /// What to change before the server reads it.
        changes: Changes,
    },
    /// A refused head.
    Refused(Fault),
}

/// What to change in a head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// The position of the target, if that contains characters to encode.
    target: Option<Range<usize>>,
    /// Lines to leave out.
    lines: Vec<Range<usize>>,
}

/// What follows a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The next request.
    Nothing,
    /// A body of this many bytes, at least one.
    Length(u64),
    /// Chunks (RFC 9112 section 7.1).
    Chunks,
    /// Another protocol, until the connection ends.
    Upgraded,
}

impl Changes {
    pub(super) fn is_empty(&self) -> bool {
        self.target.is_none() && self.lines.is_empty()
    }

    /// The changed head.
    pub(super) fn of(&self, head: &[u8]) -> Vec<u8> {
        let mut changed = Vec::with_capacity(head.len() + 16);
        let mut at = 0;
        if let Some(target) = &self.target {
            changed.extend_from_slice(&head[..target.start]);
            changed.extend_from_slice(&encode(&head[target.clone()]));
            at = target.end;
        }
        for line in &self.lines {
            changed.extend_from_slice(&head[at..line.start]);
            at = line.end;
        }
        changed.extend_from_slice(&head[at..]);
        changed
    }
}

/// Parses the start of `bytes`. Only requests for a path of `upgrades` are upgraded; one that ends in a slash stands for all
/// paths that begin with it.
pub(super) fn parse(bytes: &[u8], upgrades: &[String]) -> Parsed {
    match parse_head(bytes, upgrades) {
        Ok(parsed) => parsed,
        Err(fault) => Parsed::Refused(fault),
    }
}

fn parse_head(bytes: &[u8], upgrades: &[String]) -> Result<Parsed, Fault> {
    let mut fields = [const { MaybeUninit::uninit() }; MAX_FIELDS];
    let mut request = httparse::Request::new(&mut []);
    let parsed = request.parse_with_uninit_headers(bytes, &mut fields);
    let len = match parsed {
        Ok(httparse::Status::Complete(len)) if len > MAX_HEAD => return Err(Fault::LongHead),
        Ok(httparse::Status::Complete(len)) => len,
        Ok(httparse::Status::Partial) if bytes.len() >= MAX_HEAD => return Err(Fault::LongHead),
        Ok(httparse::Status::Partial) => return Ok(Parsed::Partial),
        Err(httparse::Error::TooManyHeaders) => return Err(Fault::LongHead),
        Err(_) if has_bare_line_feed(bytes) => return Err(Fault::BareLineFeed),
        Err(_) => return Err(Fault::Head),
    };
    if has_bare_line_feed(&bytes[..len]) {
        return Err(Fault::BareLineFeed);
    }
    let (Some(method), Some(target), Some(version)) = (request.method, request.path, request.version) else {
        return Err(Fault::Head);
    };
    // The HTTP server would treat the rest of the connection as a tunnel to nowhere.
    if method == "CONNECT" {
        return Err(Fault::Target);
    }
    let path = target.split('?').next().unwrap_or_default();
    let is_below = |own: &String| own.ends_with('/') && path.starts_with(own.as_str());
    let upgrades = method == "GET" && upgrades.iter().any(|own| own == path || is_below(own));
    let body = body(request.headers, version, method, upgrades)?;
    let position = |part: &[u8]| part.as_ptr() as usize - bytes.as_ptr() as usize;
    let mut changes = Changes::default();
    if judge(target.as_bytes())? {
        let start = position(target.as_bytes());
        changes.target = Some(start..start + target.len());
    }
    if !upgrades {
        let fields = request.headers.iter().filter(|field| asks_for_upgrade(field));
        // Lines end with CR LF, and a line feed is nowhere else.
        let line = |field: &httparse::Header<'_>| {
            let (start, value) = (position(field.name.as_bytes()), position(field.value));
            let end = memchr::memchr(b'\n', &bytes[value..len]).map_or(len, |at| value + at + 1);
            start..end
        };
        changes.lines = fields.map(line).collect();
    }
    Ok(Parsed::Whole { len, body, changes })
}

/// True for `Upgrade`, and for `Connection` where it names that. Where it also says `close`, the server obeys only that.
fn asks_for_upgrade(field: &httparse::Header<'_>) -> bool {
    let names = |option: &[u8]| {
        field.value.split(|byte| *byte == b',').any(|own| own.trim_ascii().eq_ignore_ascii_case(option))
    };
    field.name.eq_ignore_ascii_case("upgrade")
        || field.name.eq_ignore_ascii_case("connection") && names(b"upgrade") && !names(b"close")
}

fn has_bare_line_feed(head: &[u8]) -> bool {
    memchr::memchr_iter(b'\n', head).any(|at| at == 0 || head[at - 1] != b'\r')
}

/// What follows the head, if every parser agrees about it (RFC 9112 section 6).
fn body(fields: &[httparse::Header<'_>], version: u8, method: &str, upgrades: bool) -> Result<Kind, Fault> {
    let (mut length, mut chunked, mut host, mut upgraded) = (None, false, false, false);
    for field in fields {
        if field.name.len() > MAX_NAME {
            return Err(Fault::LongHead);
        }
        if field.name.eq_ignore_ascii_case("content-length") {
            if length.is_some() {
                return Err(Fault::Length);
            }
            length = Some(number(field.value).ok_or(Fault::Length)?);
        } else if field.name.eq_ignore_ascii_case("transfer-encoding") {
            if chunked || version == 0 || !field.value.eq_ignore_ascii_case(b"chunked") {
                return Err(Fault::Length);
            }
            chunked = true;
        } else if field.name.eq_ignore_ascii_case("host") {
            if host {
                return Err(Fault::Head);
            }
            host = true;
        } else if upgrades && field.name.eq_ignore_ascii_case("upgrade") {
            upgraded |= field.value.trim_ascii().eq_ignore_ascii_case(b"websocket");
        }
    }
    match (length, chunked) {
        _ if version == 1 && !host => Err(Fault::Head),
        (None, false) if version == 0 && method == "POST" => Err(Fault::Length),
        (Some(_), true) => Err(Fault::Length),
        (Some(1..), _) | (_, true) if upgraded => Err(Fault::Length),
        (_, true) => Ok(Kind::Chunks),
        _ if upgraded => Ok(Kind::Upgraded),
        (Some(length @ 1..), _) => Ok(Kind::Length(length)),
        _ => Ok(Kind::Nothing),
    }
}

/// Digits only.
fn number(value: &[u8]) -> Option<u64> {
    let is_number = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(value).ok().filter(|_| is_number)?.parse().ok()
}

/// True if the target must be encoded.
fn judge(target: &[u8]) -> Result<bool, Fault> {
    if target.len() > MAX_TARGET {
        return Err(Fault::LongTarget);
    }
    let raw = target.iter().filter(|byte| must_be_encoded(**byte)).count();
    if target.len() + 2 * raw > MAX_TARGET {
        return Err(Fault::LongTarget);
    }
    // Paths and queries may contain any other visible character.
    if target.first() == Some(&b'/') {
        return Ok(raw > 0);
    }
    let encoded = if raw > 0 { encode(target) } else { target.to_vec() };
    Uri::try_from(encoded).map_err(|_| Fault::Target)?;
    Ok(raw > 0)
}

/// Characters that neither the path nor the query of a [`Uri`] may contain.
fn must_be_encoded(byte: u8) -> bool {
    matches!(byte, b'"' | b'<' | b'>' | b'`' | 0x7F..)
}

/// The target with those characters encoded (RFC 3986 section 2.1).
fn encode(target: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut encoded = Vec::with_capacity(target.len() + 16);
    for byte in target {
        if must_be_encoded(*byte) {
            encoded.extend([b'%', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
        } else {
            encoded.push(*byte);
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Parsed {
        parse(text.replace('\n', "\r\n").as_bytes(), &["/socket".to_owned()])
    }

    fn kind(fields: &str) -> Result<Kind, Fault> {
        match of(&format!("POST / HTTP/1.1\nhost: x\n{fields}\n")) {
            Parsed::Whole { body, .. } => Ok(body),
            Parsed::Refused(fault) => Err(fault),
            Parsed::Partial => panic!("{fields}"),
        }
    }

    #[test]
    fn what_every_parser_reads_alike_is_taken() {
        for (fields, expected) in [
            ("", Ok(Kind::Nothing)),
            ("content-length: 0\n", Ok(Kind::Nothing)),
            ("Content-Length:  17 \n", Ok(Kind::Length(17))),
            ("Transfer-Encoding: Chunked\n", Ok(Kind::Chunks)),
            ("upgrade: WebSocket\nconnection: upgrade\n", Ok(Kind::Nothing)),
            ("upgrade: websocket\ncontent-length: 1\n", Ok(Kind::Length(1))),
            ("upgrade: websocket\ntransfer-encoding: chunked\n", Ok(Kind::Chunks)),
            ("content-length: 1\ncontent-length: 1\n", Err(Fault::Length)),
            ("content-length: 1, 1\n", Err(Fault::Length)),
            ("content-length: +1\n", Err(Fault::Length)),
            ("content-length: 0x1\n", Err(Fault::Length)),
            ("content-length: 18446744073709551616\n", Err(Fault::Length)),
            ("content-length:\n", Err(Fault::Length)),
            ("content-length: 1\ntransfer-encoding: chunked\n", Err(Fault::Length)),
            ("transfer-encoding: gzip, chunked\n", Err(Fault::Length)),
            ("transfer-encoding: identity\n", Err(Fault::Length)),
            ("transfer-encoding: chunked\ntransfer-encoding: chunked\n", Err(Fault::Length)),
            ("host: y\n", Err(Fault::Head)),
            ("content-length : 1\n", Err(Fault::Head)),
            ("x: a\n b\n", Err(Fault::Head)),
            ("x: a\rb\n", Err(Fault::Head)),
        ] {
            assert_eq!(kind(fields), expected, "{fields:?}");
        }
        assert_eq!(of("GET / HTTP/1.1\n\n"), Parsed::Refused(Fault::Head));
        assert_eq!(of("POST / HTTP/1.0\n\n"), Parsed::Refused(Fault::Length));
        assert_eq!(of("POST / HTTP/1.0\ntransfer-encoding: chunked\n\n"), Parsed::Refused(Fault::Length));
        assert_eq!(of("CONNECT x:80 HTTP/1.1\nhost: x\n\n"), Parsed::Refused(Fault::Target));
        assert_eq!(of("GET /a b HTTP/1.1\nhost: x\n\n"), Parsed::Refused(Fault::Head));
        assert_eq!(of("GET /\u{1} HTTP/1.1\nhost: x\n\n"), Parsed::Refused(Fault::Head));
        assert_eq!(of("GET / HTTP/1.1\nhost: x\n"), Parsed::Partial);
    }

    #[test]
    fn only_registered_routes_upgrade() {
        for (line, fields, expected) in [
            ("GET /socket?v=1", "upgrade: WebSocket\nconnection: upgrade\n", Ok(Kind::Upgraded)),
            ("GET /socket", "upgrade: h2c\n", Ok(Kind::Nothing)),
            ("GET /socket", "upgrade: websocket\ncontent-length: 1\n", Err(Fault::Length)),
            ("GET /socket", "upgrade: websocket\ntransfer-encoding: chunked\n", Err(Fault::Length)),
            ("POST /socket", "upgrade: websocket\n", Ok(Kind::Nothing)),
            ("GET /socket/", "upgrade: websocket\n", Ok(Kind::Nothing)),
        ] {
            let found = match of(&format!("{line} HTTP/1.1\nhost: x\n{fields}\n")) {
                Parsed::Whole { body, changes, .. } => {
                    assert_eq!(changes.is_empty(), line.starts_with("GET /socket") && !line.ends_with('/'), "{line}");
                    Ok(body)
                }
                Parsed::Refused(fault) => Err(fault),
                Parsed::Partial => panic!("{line}"),
            };
            assert_eq!(found, expected, "{line} {fields}");
        }
        let sent = "GET /> HTTP/1.1\r\nUpgrade:\r\nx: a\r\nconnection: a, Upgrade\r\nconnection: close, upgrade\r\n\
                    host: x\r\nupgrade: websocket \r\n\r\nupgrade: y\r\n";
        let Parsed::Whole { len, changes, .. } = parse(sent.as_bytes(), &[]) else { panic!("{sent}") };
        let passed = "GET /%3E HTTP/1.1\r\nx: a\r\nconnection: close, upgrade\r\nhost: x\r\n\r\n";
        assert_eq!(String::from_utf8(changes.of(&sent.as_bytes()[..len])).unwrap(), passed);
    }

    #[test]
    fn a_line_feed_alone_ends_no_line() {
        for text in
            ["GET / HTTP/1.1\nhost: x\n\n", "GET / HTTP/1.1\r\nhost: x\n\r\n", "\nGET / HTTP/1.1\r\nhost: x\r\n\r\n"]
        {
            assert_eq!(parse(text.as_bytes(), &[]), Parsed::Refused(Fault::BareLineFeed), "{text:?}");
        }
        assert!(
            matches!(of("\nGET / HTTP/1.1\nhost: x\n\n"), Parsed::Whole { .. }),
            "an empty line before the request is allowed"
        );
    }

    #[test]
    fn raw_characters_of_a_target_are_encoded() {
        for (target, expected) in [
            ("/t?data->>key=eq.\"ü\"", "/t?data-%3E%3Ekey=eq.%22%C3%BC%22"),
            ("/a<b>{c}`", "/a%3Cb%3E{c}%60"),
            ("http://x/a>b", "http://x/a%3Eb"),
        ] {
            let head = format!("GET {target} HTTP/1.1\r\nhost: x\r\n\r\n");
            let Parsed::Whole { changes: Changes { target: Some(range), .. }, .. } = parse(head.as_bytes(), &[]) else {
                panic!("{target}")
            };
            assert_eq!(&head[range.clone()], target);
            assert_eq!(encode(&head.as_bytes()[range]), expected.as_bytes());
            assert!(Uri::try_from(expected).is_ok());
        }
        let plain = "/t?select=a,b(*)&or=(x.eq.1,y.in.(1,2))&z=cs.{1}[1]|\\^~!$'*+;:@%22#f";
        let head = format!("GET {plain} HTTP/1.1\r\nhost: x\r\n\r\n");
        assert!(matches!(parse(head.as_bytes(), &[]), Parsed::Whole { changes, .. } if changes.is_empty()));
        assert!(Uri::try_from(plain).is_ok());
        assert_eq!(of("GET http://a>b/ HTTP/1.1\nhost: x\n\n"), Parsed::Refused(Fault::Target));
    }

    #[test]
    fn heads_have_limits() {
        let head = |target: usize, name: usize, value: usize, fields: usize| {
            let text = format!(
                "GET /{} HTTP/1.1\r\nhost: x\r\n{}: {}\r\n{}\r\n",
                "a".repeat(target),
                "n".repeat(name),
                "v".repeat(value),
                "a: b\r\n".repeat(fields)
            );
            match parse(text.as_bytes(), &[]) {
                Parsed::Whole { len, .. } => Ok(len),
                Parsed::Refused(fault) => Err(fault),
                Parsed::Partial => panic!("partial"),
            }
        };
        assert!(head(MAX_TARGET - 1, 1, 1, 0).is_ok());
        assert_eq!(head(MAX_TARGET, 1, 1, 0), Err(Fault::LongTarget));
        assert!(head(0, MAX_NAME, 1, 0).is_ok());
        assert_eq!(head(0, MAX_NAME + 1, 1, 0), Err(Fault::LongHead));
        assert!(head(0, 1, 1, MAX_FIELDS - 2).is_ok());
        assert_eq!(head(0, 1, 1, MAX_FIELDS - 1), Err(Fault::LongHead));
        let rest = head(0, 1, 0, 0).unwrap();
        assert_eq!(head(0, 1, MAX_HEAD - rest, 0), Ok(MAX_HEAD));
        assert_eq!(head(0, 1, MAX_HEAD - rest + 1, 0), Err(Fault::LongHead));
        assert_eq!(parse(&[b'a'; MAX_HEAD], &[]), Parsed::Refused(Fault::LongHead));
        let raw = format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", ">".repeat(MAX_TARGET / 3 + 1));
        assert_eq!(parse(raw.as_bytes(), &[]), Parsed::Refused(Fault::LongTarget));
    }
}

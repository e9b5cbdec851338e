//! The request that replaces a refused one, so that the intended service answers.

use std::sync::LazyLock;

use actix_web::http::header::{HeaderMap, HeaderName};
use rand::Rng;
use rand::distr::Alphanumeric;

use super::Fault;

/// A method that no route has, so that every path answers with the refusal of its service.
const METHOD: &str = "REFUSED";
/// The field with the reason, preceded by [`SEAL`].
const REASON: HeaderName = HeaderName::from_static("dugout-refused");
/// A random value that only the gate knows, so that clients cannot forge a reason.
static SEAL: LazyLock<String> =
    LazyLock::new(|| rand::rng().sample_iter(Alphanumeric).take(32).map(char::from).collect());
/// Maximum length of the kept path, in bytes: enough to find the service.
const MAX_PATH: usize = 256;
/// Maximum length of the kept origin, in bytes.
const MAX_ORIGIN: usize = 256;

/// The request that replaces the one at the start of `refused`.
pub(super) fn stand_in(refused: &[u8], fault: Fault) -> Vec<u8> {
    let path = path(refused);
    let origin = origin(refused).map(|origin| format!("origin: {origin}\r\n")).unwrap_or_default();
    let (seal, fault) = (SEAL.as_str(), fault.name());
    format!("{METHOD} {path} HTTP/1.1\r\nhost: x\r\n{origin}{REASON}: {seal}{fault}\r\nconnection: close\r\n\r\n")
        .into()
}

/// Why the gate refused the request that this one replaces.
pub fn reason(headers: &HeaderMap) -> Option<Fault> {
    let name = headers.get(REASON)?.to_str().ok()?.strip_prefix(SEAL.as_str())?;
    Fault::ALL.into_iter().find(|fault| fault.name() == name)
}

/// The harmless start of the path.
fn path(refused: &[u8]) -> &str {
    let target = refused.trim_ascii_start().split(|byte| *byte == b' ').nth(1).unwrap_or_default();
    let is_harmless = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-' | b'.');
    let len = target.iter().take(MAX_PATH).take_while(|byte| is_harmless(byte)).count();
    std::str::from_utf8(&target[..len]).ok().filter(|path| path.starts_with('/')).unwrap_or("/")
}

/// The request's origin: without it, a browser would not show the response to the page.
fn origin(refused: &[u8]) -> Option<&str> {
    let mut lines = refused.split(|byte| *byte == b'\n').skip(1);
    let value = lines.find_map(|line| {
        let (name, value) = line.split_at_checked("origin:".len())?;
        name.eq_ignore_ascii_case(b"origin:").then(|| value.trim_ascii())
    })?;
    let is_harmless = (1..=MAX_ORIGIN).contains(&value.len()) && value.iter().all(u8::is_ascii_graphic);
    std::str::from_utf8(value).ok().filter(|_| is_harmless)
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    #[test]
    fn the_service_and_the_page_are_kept() {
        for (refused, expected, origin) in [
            ("GET /rest/v1/t?a=b c HTTP/1.1\nOrigin: http://x.test\n\n", "/rest/v1/t", Some("http://x.test")),
            ("GET /rest/v1/t\u{1} HTTP/1.1\r\norigin: a\r\nx: y", "/rest/v1/t", Some("a")),
            ("GET http://x/ HTTP/1.1\r\n", "/", None),
            ("\r\nGET\r\n\r\n", "/", None),
            ("GET / HTTP/1.1\r\norigin: a\tb\r\n", "/", None),
            ("", "/", None),
        ] {
            assert_eq!(
                (path(refused.as_bytes()), super::origin(refused.as_bytes())),
                (expected, origin),
                "{refused:?}"
            );
        }
    }

    #[test]
    fn only_the_gate_gives_a_reason() {
        let headers = |value: &str| HeaderMap::from_iter([(REASON, HeaderValue::from_str(value).unwrap())]);
        assert_eq!(reason(&headers("busy")), None);
        assert_eq!(reason(&headers(&format!("{}busy", "a".repeat(32)))), None);
        for fault in Fault::ALL {
            assert_eq!(reason(&headers(&format!("{}{}", *SEAL, fault.name()))), Some(fault));
        }
    }
}

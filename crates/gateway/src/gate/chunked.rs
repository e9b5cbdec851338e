//! Finds the end of a chunked body (RFC 9112 section 7.1), strictly: CR and LF, no blanks around sizes.

use super::Fault;

/// Maximum number of digits of a chunk's size.
const MAX_DIGITS: u8 = 15;
/// Maximum bytes of extensions and trailers of one body. They are ignored.
const MAX_IGNORED: u16 = 8 * 1024;

/// The position in the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunks {
    place: Place,
    /// The size being read, then the remaining data.
    size: u64,
    ignored: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Size { digits: u8 },
    Extension,
    SizeLf,
    Data,
    DataCr,
    DataLf,
    TrailerStart,
    Trailer,
    TrailerLf,
    EndLf,
}

impl Chunks {
    pub(super) fn new() -> Self {
        Chunks { place: Place::Size { digits: 0 }, size: 0, ignored: 0 }
    }

    /// How many of `bytes` belong to the body, and whether it ends with them.
    ///
    /// # Errors
    /// [`Fault::Length`] if the framing violates the RFC.
    pub(super) fn pass(&mut self, bytes: &[u8]) -> Result<(usize, bool), Fault> {
        let mut at = 0;
        while at < bytes.len() {
            if self.place == Place::Data {
                let left = usize::try_from(self.size).unwrap_or(usize::MAX);
                let taken = left.min(bytes.len() - at);
                at += taken;
                self.size -= taken as u64;
                if self.size == 0 {
                    self.place = Place::DataCr;
                }
                continue;
            }
            let is_end = self.place == Place::EndLf;
            self.place = self.next(bytes[at])?;
            at += 1;
            if is_end {
                return Ok((at, true));
            }
        }
        Ok((at, false))
    }

    fn next(&mut self, byte: u8) -> Result<Place, Fault> {
        Ok(match (self.place, byte) {
            (Place::Size { digits: 0 }, _) if !byte.is_ascii_hexdigit() => return Err(Fault::Length),
            (Place::Size { .. }, b'\r') => Place::SizeLf,
            (Place::Size { .. }, b';') => Place::Extension,
            (Place::Size { digits }, _) if digits < MAX_DIGITS => {
                let digit = char::from(byte).to_digit(16).ok_or(Fault::Length)?;
                self.size = self.size * 16 + u64::from(digit);
                Place::Size { digits: digits + 1 }
            }
            (Place::Extension, b'\r') => Place::SizeLf,
            (Place::Extension, b'\t' | b' '..=b'~') => self.ignore(Place::Extension)?,
            (Place::SizeLf, b'\n') if self.size == 0 => Place::TrailerStart,
            (Place::SizeLf, b'\n') => Place::Data,
            (Place::DataCr, b'\r') => Place::DataLf,
            (Place::DataLf, b'\n') => Place::Size { digits: 0 },
            (Place::TrailerStart, b'\r') => Place::EndLf,
            (Place::TrailerStart, b'!'..=b'~') => self.ignore(Place::Trailer)?,
            (Place::Trailer, b'\r') => Place::TrailerLf,
            (Place::Trailer, b'\t' | b' '..=b'~' | 0x80..) => self.ignore(Place::Trailer)?,
            (Place::TrailerLf, b'\n') => Place::TrailerStart,
            (Place::EndLf, b'\n') => Place::EndLf,
            _ => return Err(Fault::Length),
        })
    }

    fn ignore(&mut self, place: Place) -> Result<Place, Fault> {
        self.ignored += 1;
        if self.ignored > MAX_IGNORED { Err(Fault::Length) } else { Ok(place) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Byte by byte, and all at once.
    fn pass(text: &str) -> Result<(usize, bool), Fault> {
        let whole = Chunks::new().pass(text.as_bytes());
        let mut chunks = Chunks::new();
        for (at, byte) in text.bytes().enumerate() {
            match chunks.pass(&[byte]) {
                Ok((_, false)) => {}
                Ok((_, true)) => {
                    assert_eq!(whole, Ok((at + 1, true)), "{text:?}");
                    return whole;
                }
                Err(fault) => {
                    assert_eq!(whole, Err(fault), "{text:?}");
                    return whole;
                }
            }
        }
        assert_eq!(whole, Ok((text.len(), false)), "{text:?}");
        whole
    }

    #[test]
    fn the_end_of_a_body_is_found() {
        for body in ["0\r\n\r\n", "1\r\na\r\n0\r\n\r\n", "A;x=\"y\"\r\n0123456789\r\n000\r\na: b\r\nc: d\r\n\r\n"] {
            assert_eq!(pass(&format!("{body}GET /")), Ok((body.len(), true)), "{body:?}");
        }
        assert_eq!(pass("5\r\nab"), Ok((5, false)));
        for body in [
            "\r\n",
            "x\r\n",
            " 1\r\n",
            "1 \r\n",
            "1\n",
            "1\ra",
            "-1\r\n",
            "0x1\r\n",
            "1\r\nab\r\n",
            "1\r\na\n",
            "1\r\na\rb",
            "0\r\n\n",
            "0\r\na: b\n\r\n",
            "0\r\n a\r\n",
            "1;\u{1}\r\n",
            "1234567890abcdef0\r\n",
        ] {
            assert_eq!(pass(body), Err(Fault::Length), "{body:?}");
        }
    }

    #[test]
    fn what_nobody_reads_has_a_limit() {
        let body = |extension: usize| format!("1;{}\r\na\r\n0\r\n\r\n", "x".repeat(extension));
        assert!(pass(&body(usize::from(MAX_IGNORED))).is_ok_and(|(_, ended)| ended));
        assert_eq!(pass(&body(usize::from(MAX_IGNORED) + 1)), Err(Fault::Length));
    }
}

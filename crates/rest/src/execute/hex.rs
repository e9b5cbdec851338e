//! Decodes PostgreSQL's hexadecimal format of `bytea`: `\x` and two digits per byte.

use bytes::Bytes;

const PREFIX: &[u8] = b"\\x";

/// Decodes a value in pieces, which may end between two digits.
#[derive(Debug, Default)]
pub(super) struct Digits {
    /// How many bytes of the prefix have been read.
    prefix: usize,
    half: Option<u8>,
}

/// Decodes a complete value; `None` if it is malformed.
pub(super) fn decode(value: &[u8]) -> Option<Bytes> {
    let mut digits = Digits::default();
    let decoded = digits.decode(value)?;
    (digits.half.is_none() && digits.prefix == PREFIX.len() || value.is_empty()).then_some(decoded)
}

/// The decoded length of a value of `len` bytes.
pub(super) fn decoded_len(len: usize) -> usize {
    len.saturating_sub(PREFIX.len()) / 2
}

impl Digits {
    /// Decodes a piece; `None` if it contains anything but digits.
    pub(super) fn decode(&mut self, piece: &[u8]) -> Option<Bytes> {
        let (prefix, digits) = piece.split_at(piece.len().min(PREFIX.len() - self.prefix));
        if prefix != &PREFIX[self.prefix..self.prefix + prefix.len()] {
            return None;
        }
        self.prefix += prefix.len();
        let mut bytes = Vec::with_capacity(digits.len() / 2 + 1);
        let (first, pairs) = match (self.half.take(), digits) {
            (Some(high), [low, rest @ ..]) => (Some((high << 4) | nibble(*low)?), rest),
            (half, rest) => {
                self.half = half;
                (None, rest)
            }
        };
        bytes.extend(first);
        let (pairs, rest) = pairs.as_chunks::<2>();
        for [high, low] in pairs {
            bytes.push((nibble(*high)? << 4) | nibble(*low)?);
        }
        if let [high] = rest {
            self.half = Some(nibble(*high)?);
        }
        Some(bytes.into())
    }
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_the_same_wherever_the_pieces_end() {
        let value = b"\\x00ffA9617a";
        let expected = b"\x00\xff\xa9az";
        assert_eq!(decode(value).unwrap(), &expected[..]);
        assert_eq!(decoded_len(value.len()), expected.len());
        for first in 0..=value.len() {
            for second in first..=value.len() {
                let mut digits = Digits::default();
                let pieces = [&value[..first], &value[first..second], &value[second..]];
                let decoded: Vec<u8> = pieces.iter().flat_map(|piece| digits.decode(piece).unwrap()).collect();
                assert_eq!(decoded, expected, "{first} {second}");
            }
        }
    }

    #[test]
    fn what_is_no_bytea_is_refused() {
        for value in [&b"\\x0"[..], b"\\x0g", b"00", b"\\", b"\\y00"] {
            assert_eq!(decode(value), None, "{value:?}");
        }
        assert_eq!(decode(b"").unwrap(), "");
        assert_eq!(decode(b"\\x").unwrap(), "");
    }
}

//! WebP: EXIF, XMP and unknown chunks, and the flags that announce them.

use std::io::{Read, Seek, Write};

use super::fault::Fault;
use super::tape::Tape;

const NEEDED: &[&[u8; 4]] = &[b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF", b"ICCP"];
/// The flags of EXIF and XMP in the first byte of `VP8X`.
const FLAGS: u8 = 0x08 | 0x04;

pub(super) fn strip(tape: &mut Tape<'_, impl Read + Write + Seek>) -> Result<(), Fault> {
    let end = u64::from(u32::from_le_bytes(tape.read(4)?)) + 8;
    if end > tape.length {
        return Err(Fault::Unknown);
    }
    let mut at = 12;
    while at + 8 <= end {
        let kind: [u8; 4] = tape.read(at)?;
        let length = u64::from(u32::from_le_bytes(tape.read(at + 4)?));
        let (from, next) = (at + 8, at + 8 + length + length % 2);
        if from + length > end {
            return Err(Fault::Unknown);
        }
        if kind == *b"VP8X" {
            let [flags] = tape.read(from)?;
            if flags & FLAGS != 0 {
                tape.write(from, &[flags & !FLAGS])?;
            }
        } else if !NEEDED.contains(&&kind) {
            tape.write(at, b"JUNK")?;
            tape.zero(from, from + length)?;
        }
        at = next;
    }
    tape.zero(end.max(at).min(tape.length), tape.length)
}

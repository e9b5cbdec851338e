//! PNG: every chunk that decoders do not need becomes a private one of zeros.

use std::io::{Read, Seek, Write};

use super::fault::Fault;
use super::tape::Tape;

/// Needed for the picture, its colours or its animation.
const NEEDED: &[&[u8; 4]] = &[
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB", b"bKGD", b"hIST",
    b"pHYs", b"sPLT", b"acTL", b"fcTL", b"fdAT", b"cICP", b"mDCV", b"cLLI",
];
/// Ancillary, private, safe to copy: every program skips it.
const VOID: &[u8; 4] = b"voId";

pub(super) fn strip(tape: &mut Tape<'_, impl Read + Write + Seek>) -> Result<(), Fault> {
    let mut at = 8;
    loop {
        let length = u64::from(tape.u32(at)?);
        let kind: [u8; 4] = tape.read(at + 4)?;
        let end = at + 8 + length + 4;
        if end > tape.length {
            return Err(Fault::Unknown);
        }
        if !NEEDED.contains(&&kind) {
            if kind[0].is_ascii_uppercase() {
                return Err(Fault::Unknown);
            }
            if kind != *VOID {
                tape.write(at + 4, VOID)?;
            }
            tape.zero(at + 8, end - 4)?;
            tape.write(end - 4, &checksum(length).to_be_bytes())?;
        }
        if kind == *b"IEND" {
            return tape.zero(end, tape.length);
        }
        at = end;
    }
}

/// The CRC of a void chunk.
fn checksum(length: u64) -> u32 {
    const ZEROS: [u8; 4096] = [0; 4096];
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(VOID);
    let mut left = length;
    while left > 0 {
        let piece = usize::try_from(left).unwrap_or(ZEROS.len()).min(ZEROS.len());
        hasher.update(&ZEROS[..piece]);
        left -= piece as u64;
    }
    hasher.finalize()
}

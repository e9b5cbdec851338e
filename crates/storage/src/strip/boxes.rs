//! Reads the boxes of MP4 and QuickTime files.

use std::io::{Read, Seek, Write};

use super::fault::Fault;
use super::tape::Tape;

/// A box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) kind: [u8; 4],
    pub(super) at: u64,
    /// Where its content begins.
    pub(super) content: u64,
    pub(super) end: u64,
}

/// The first child of a kind.
pub(super) fn child(
    tape: &mut Tape<'_, impl Read + Write + Seek>,
    parent: Part,
    kind: &[u8; 4],
) -> Result<Option<Part>, Fault> {
    let mut at = parent.content;
    while at + 8 <= parent.end {
        let part = part(tape, at, parent.end)?;
        if part.kind == *kind {
            return Ok(Some(part));
        }
        at = part.end;
    }
    Ok(None)
}

/// The box at a place, which ends at `limit` or before.
pub(super) fn part(tape: &mut Tape<'_, impl Read + Write + Seek>, at: u64, limit: u64) -> Result<Part, Fault> {
    let length = u64::from(tape.u32(at)?);
    let kind = tape.read(at + 4)?;
    let (content, length) = match length {
        // Zero means: up to the end of the file.
        0 => (at + 8, limit - at),
        1 => (at + 16, u64::from_be_bytes(tape.read(at + 8)?)),
        length => (at + 8, length),
    };
    let end = at.checked_add(length).filter(|end| *end <= limit && *end >= content).ok_or(Fault::Unknown)?;
    Ok(Part { kind, at, content, end })
}

//! WebM and Matroska: tags and attachments become void elements. Source: RFC 8794, RFC 9559.

use std::io::{Read, Seek, Write};

use super::fault::Fault;
use super::tape::Tape;

const EBML: u32 = 0x1A45_DFA3;
const SEGMENT: u32 = 0x1853_8067;
const CLUSTER: u32 = 0x1F43_B675;
const VOID: u32 = 0xEC;
/// SeekHead, Info, Tracks, Cues, Chapters, CRC-32.
const NEEDED: &[u32] = &[0x114D_9B74, 0x1549_A966, 0x1654_AE6B, 0x1C53_BB6B, 0x1043_A770, 0xBF];
/// Of a cluster whose length is unknown: Timestamp, Position, PrevSize, SimpleBlock, BlockGroup.
const IN_CLUSTER: &[u32] = &[0xE7, 0xA7, 0xAB, 0xA3, 0xA0];

struct Element {
    id: u32,
    /// Where its content begins.
    content: u64,
    /// `None` if its length is unknown, as in a recording that is still going on.
    end: Option<u64>,
}

pub(super) fn strip(tape: &mut Tape<'_, impl Read + Write + Seek>) -> Result<(), Fault> {
    let header = element(tape, 0)?;
    let segment = element(tape, header.end.filter(|_| header.id == EBML).ok_or(Fault::Unknown)?)?;
    if segment.id != SEGMENT {
        return Err(Fault::Unknown);
    }
    let end = segment.end.unwrap_or(tape.length);
    let mut at = segment.content;
    while at < end {
        let found = element(tape, at)?;
        at = match (found.id, found.end) {
            // Its children follow, as if they were the segment's.
            (CLUSTER, None) => found.content,
            (_, None) => return Err(Fault::Unknown),
            (_, Some(next)) if next > end => return Err(Fault::Unknown),
            (VOID, Some(next)) => {
                tape.zero(found.content, next)?;
                next
            }
            (CLUSTER, Some(next)) => next,
            (id, Some(next)) if NEEDED.contains(&id) || IN_CLUSTER.contains(&id) => next,
            (_, Some(next)) => {
                void(tape, at, next)?;
                next
            }
        };
    }
    tape.zero(end, tape.length)
}

fn element(tape: &mut Tape<'_, impl Read + Write + Seek>, at: u64) -> Result<Element, Fault> {
    let [first] = tape.read(at)?;
    let width = first.leading_zeros() + 1;
    if width > 4 {
        return Err(Fault::Unknown);
    }
    let mut id = 0;
    for byte in 0..u64::from(width) {
        let [next] = tape.read(at + byte)?;
        id = id << 8 | u32::from(next);
    }
    let at = at + u64::from(width);
    let [first] = tape.read(at)?;
    let width = u64::from(first.leading_zeros() + 1);
    if width > 8 {
        return Err(Fault::Unknown);
    }
    // The first byte's highest set bit marks the width.
    let mut length = u64::from(first) & ((0x80 >> (width - 1)) - 1);
    for byte in 1..width {
        let [next] = tape.read(at + byte)?;
        length = length << 8 | u64::from(next);
    }
    let content = at + width;
    if length == (1 << (7 * width)) - 1 {
        return Ok(Element { id, content, end: None });
    }
    let end = content.checked_add(length).filter(|end| *end <= tape.length).ok_or(Fault::Unknown)?;
    Ok(Element { id, content, end: Some(end) })
}

/// Writes a void element from `from` to `to`.
fn void(tape: &mut Tape<'_, impl Read + Write + Seek>, from: u64, to: u64) -> Result<(), Fault> {
    let whole = to - from;
    tape.zero(from, to)?;
    match whole {
        0..2 => Err(Fault::Unknown),
        2..9 => {
            let length = u8::try_from(whole - 2).unwrap_or_default();
            tape.write(from, &[0xEC, 0x80 | length])
        }
        _ => {
            let mut head = [0; 9];
            head[1..].copy_from_slice(&(whole - 9).to_be_bytes());
            (head[0], head[1]) = (0xEC, 0x01);
            tape.write(from, &head)
        }
    }
}

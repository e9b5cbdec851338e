//! WebM and Matroska: everything but pictures and sound becomes void elements, such as tags, attachments, titles and chapters.
//!
//! Source: RFC 8794, RFC 9559.

use std::io::{Read, Seek, Write};

use super::fault::Fault;
use super::tape::Tape;

const EBML: u32 = 0x1A45_DFA3;
const SEGMENT: u32 = 0x1853_8067;
const CLUSTER: u32 = 0x1F43_B675;
const INFO: u32 = 0x1549_A966;
const TRACKS: u32 = 0x1654_AE6B;
const TRACK: u32 = 0xAE;
const TRACK_TYPE: u32 = 0x83;
const VOID: u32 = 0xEC;
/// SeekHead, Cues. Checksums (CRC-32) are not needed: what they cover changes.
const NEEDED: &[u32] = &[0x114D_9B74, 0x1C53_BB6B];
/// Of a cluster whose length is unknown: Timestamp, Position, PrevSize, SimpleBlock, BlockGroup.
const IN_CLUSTER: &[u32] = &[0xE7, 0xA7, 0xAB, 0xA3, 0xA0];
/// TimestampScale, Duration.
const IN_INFO: &[u32] = &[0x2A_D7B1, 0x4489];
/// MuxingApp, WritingApp: every file has them, though they may be empty.
const PROGRAMS: &[u32] = &[0x4D80, 0x5741];
/// TrackNumber, TrackUID, TrackType, FlagEnabled, FlagDefault, FlagForced, FlagLacing, MinCache, MaxCache, DefaultDuration,
/// DefaultDecodedFieldDuration, TrackTimestampScale, MaxBlockAdditionID, BlockAdditionMapping, Language, LanguageBCP47, CodecID,
/// CodecPrivate, CodecDelay, SeekPreRoll, Video, Audio, TrackOperation, ContentEncodings.
const IN_TRACK: &[u32] = &[
    0xD7, 0x73C5, TRACK_TYPE, 0xB9, 0x88, 0x55AA, 0x9C, 0x6DE7, 0x6DF8, 0x23_E383, 0x23_4E7A, 0x23_314F, 0x55EE,
    0x41E4, 0x22_B59C, 0x22_B59D, 0x86, 0x63A2, 0x56AA, 0x56BB, 0xE0, 0xE1, 0xE2, 0x6D80,
];

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
            (id, Some(next)) => {
                match id {
                    VOID => tape.zero(found.content, next)?,
                    INFO => info(tape, found.content, next)?,
                    TRACKS => tracks(tape, found.content, next)?,
                    id if id == CLUSTER || NEEDED.contains(&id) || IN_CLUSTER.contains(&id) => {}
                    _ => void(tape, at, next)?,
                }
                next
            }
        };
    }
    tape.zero(end, tape.length)
}

fn info(tape: &mut Tape<'_, impl Read + Write + Seek>, from: u64, to: u64) -> Result<(), Fault> {
    children(tape, from, to, |tape, id, from, to| {
        if PROGRAMS.contains(&id) {
            tape.zero(from, to)?;
            return Ok(true);
        }
        Ok(IN_INFO.contains(&id))
    })
}

fn tracks(tape: &mut Tape<'_, impl Read + Write + Seek>, from: u64, to: u64) -> Result<(), Fault> {
    children(tape, from, to, |tape, id, from, to| {
        if id != TRACK {
            return Ok(false);
        }
        track(tape, from, to)?;
        Ok(true)
    })
}

/// Refuses a track that is neither picture (1) nor sound (2): its content is scattered over the clusters.
fn track(tape: &mut Tape<'_, impl Read + Write + Seek>, from: u64, to: u64) -> Result<(), Fault> {
    let mut known = false;
    children(tape, from, to, |tape, id, from, to| {
        if id == TRACK_TYPE {
            known = to - from == 1 && matches!(tape.read(from)?, [1 | 2]);
            if !known {
                return Err(Fault::Unknown);
            }
        }
        Ok(IN_TRACK.contains(&id))
    })?;
    if known { Ok(()) } else { Err(Fault::Unknown) }
}

/// Voids the children that `keep` does not want, and overwrites the content of void ones. `keep` gets the child's id and where
/// its content begins and ends.
fn children<F: Read + Write + Seek>(
    tape: &mut Tape<'_, F>,
    from: u64,
    to: u64,
    mut keep: impl FnMut(&mut Tape<'_, F>, u32, u64, u64) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    let mut at = from;
    while at < to {
        let found = element(tape, at)?;
        let next = found.end.filter(|next| *next <= to).ok_or(Fault::Unknown)?;
        if found.id == VOID {
            tape.zero(found.content, next)?;
        } else if !keep(tape, found.id, found.content, next)? {
            void(tape, at, next)?;
        }
        at = next;
    }
    Ok(())
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

/// Writes a void element from `from` to `to`. The head comes first: a repetition after a crash finds an element.
fn void(tape: &mut Tape<'_, impl Read + Write + Seek>, from: u64, to: u64) -> Result<(), Fault> {
    let whole = to - from;
    let head = match whole {
        0..2 => return Err(Fault::Unknown),
        2..9 => vec![0xEC, 0x80 | u8::try_from(whole - 2).unwrap_or_default()],
        _ => {
            let mut head = vec![0xEC];
            head.extend((whole - 9).to_be_bytes());
            head[1] = 0x01;
            head
        }
    };
    tape.write(from, &head)?;
    tape.zero(from + head.len() as u64, to)
}

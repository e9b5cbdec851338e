//! User data between the pictures of H.264 and H.265: encoders write their settings there, cameras and drones their position.
//!
//! A message of user data becomes one of filler, of the same length. User data that a standard registers goes, too: captions, and
//! the brightness of scenes in HDR10+.
//!
//! Source: Rec. ITU-T H.264 and H.265, sections 7.3 and annex D.

use std::io::{Read, Seek, Write};

use super::fault::Fault;
use super::tape::Tape;

/// The payload types `filler_payload`, `user_data_registered_itu_t_t35` and `user_data_unregistered`.
const FILLER: u8 = 3;
/// A payload type that the standards reserve; readers skip it.
const RESERVED: u8 = 0xFE;
const REGISTERED: u32 = 4;
const UNREGISTERED: u32 = 5;
/// Maximum size of a unit that is looked into, in bytes. Cameras write some hundred.
const UNIT_LIMIT: u64 = 1024 * 1024;

/// How the units of a track's samples are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Coding {
    pub(super) codec: Codec,
    /// Bytes of the length before each unit: 1, 2 or 4.
    pub(super) prefix: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    H264,
    H265,
}

impl Codec {
    /// Bytes of a unit's header.
    fn header(self) -> u64 {
        match self {
            Codec::H264 => 1,
            Codec::H265 => 2,
        }
    }

    /// Whether a unit with this first byte holds messages.
    fn has_messages(self, first: u8) -> bool {
        match self {
            Codec::H264 => first & 0x1F == 6,
            Codec::H265 => matches!((first >> 1) & 0x3F, 39 | 40),
        }
    }
}

/// Removes the user data of one sample.
pub(super) fn sample(
    tape: &mut Tape<'_, impl Read + Write + Seek>,
    coding: Coding,
    begin: u64,
    end: u64,
) -> Result<(), Fault> {
    if end > tape.length {
        return Err(Fault::Unknown);
    }
    tape.walk(end - begin)?;
    let prefix = u64::from(coding.prefix);
    let mut at = begin;
    while at + prefix <= end {
        let length = match coding.prefix {
            1 => u64::from(tape.read::<1>(at)?[0]),
            2 => u64::from(u16::from_be_bytes(tape.read(at)?)),
            _ => u64::from(tape.u32(at)?),
        };
        let unit = at + prefix;
        at = unit.checked_add(length).filter(|at| *at <= end).ok_or(Fault::Unknown)?;
        if length > coding.codec.header() && coding.codec.has_messages(tape.read::<1>(unit)?[0]) {
            messages(tape, unit + coding.codec.header(), at)?;
        }
    }
    Ok(())
}

fn messages(tape: &mut Tape<'_, impl Read + Write + Seek>, begin: u64, end: u64) -> Result<(), Fault> {
    let length = Some(end - begin).filter(|length| *length <= UNIT_LIMIT).ok_or(Fault::Unknown)?;
    let mut unit = vec![0; usize::try_from(length).map_err(|_| Fault::Unknown)?];
    tape.fill(begin, &mut unit)?;
    if emptied(&mut unit) { tape.patch(begin, &unit) } else { Ok(()) }
}

/// Makes messages of user data messages of filler; whether there were any.
fn emptied(unit: &mut [u8]) -> bool {
    let (content, kept) = content(unit);
    let mut changed = false;
    let mut at = 0;
    // One byte is left at the end: a bit that says so.
    while at + 2 < content.len() {
        let Some((kind, size_at)) = number(unit, &content, at) else { break };
        let Some((size, payload)) = number(unit, &content, size_at) else { break };
        let end = payload.saturating_add(size as usize).min(content.len());
        if matches!(kind, REGISTERED | UNREGISTERED) {
            changed = true;
            let at = content[size_at - 1];
            // A 3 behind two zeros would be read as the byte that keeps a start code from appearing.
            unit[at] = if at >= 2 && unit[at - 2..at] == [0, 0] { RESERVED } else { FILLER };
            for &at in &content[payload..end] {
                if !kept[at] {
                    unit[at] = 0xFF;
                }
            }
        }
        at = end;
    }
    changed
}

/// Where the bytes of the content are: all but those that keep a start code from appearing. With them, whether a byte must stay,
/// because it and its neighbours are such a place.
fn content(unit: &[u8]) -> (Vec<usize>, Vec<bool>) {
    let (mut content, mut kept) = (Vec::with_capacity(unit.len()), vec![false; unit.len()]);
    let mut zeros = 0;
    for (at, &byte) in unit.iter().enumerate() {
        if zeros >= 2 && byte == 3 {
            kept[at - 2..=at].fill(true);
            zeros = 0;
            continue;
        }
        zeros = if byte == 0 { zeros + 1 } else { 0 };
        content.push(at);
    }
    (content, kept)
}

/// A number as messages have them: 255 for each byte of ones, and a last one. With it, where it ends.
fn number(unit: &[u8], content: &[usize], mut at: usize) -> Option<(u32, usize)> {
    let mut number = 0_u32;
    loop {
        let byte = unit[*content.get(at)?];
        at += 1;
        number = number.saturating_add(u32::from(byte));
        if byte != 0xFF {
            return Some((number, at));
        }
    }
}

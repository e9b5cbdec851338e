//! Removes user data from the SEI messages of H.264 and H.265. Encoders write their settings there, cameras and drones their
//! position.
//!
//! A user data message becomes a filler message of the same length. This includes registered user data (ITU-T T.35): captions,
//! and the brightness of scenes in HDR10+.
//!
//! Source: Rec. ITU-T H.264 and H.265, sections 7.3 and annex D.

use std::io::{Read, Seek, Write};

use super::fault::Fault;
use super::tape::Tape;

/// The payload types `filler_payload`, `user_data_registered_itu_t_t35` and `user_data_unregistered`.
const FILLER: u8 = 3;
/// A reserved payload type, which decoders skip.
const RESERVED: u8 = 0xFE;
const REGISTERED: u32 = 4;
const UNREGISTERED: u32 = 5;
/// Maximum size of a unit of SEI messages, in bytes. Cameras write some hundred.
const UNIT_LIMIT: u64 = 1024 * 1024;

/// How a track's samples are split into NAL units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Coding {
    pub(super) codec: Codec,
    /// Size of the length before each unit, in bytes: 1, 2 or 4.
    pub(super) prefix: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    H264,
    H265,
}

impl Codec {
    /// Size of a unit's header, in bytes.
    fn header(self) -> u64 {
        match self {
            Codec::H264 => 1,
            Codec::H265 => 2,
        }
    }

    /// Whether a unit with this first byte holds SEI messages.
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

/// Turns user data messages into filler messages; `true` if there were any.
fn emptied(unit: &mut [u8]) -> bool {
    let (content, kept) = content(unit);
    let mut changed = false;
    let mut at = 0;
    // The last byte holds the trailing bits, which are no message.
    while at + 2 < content.len() {
        let Some((kind, size_at)) = number(unit, &content, at) else { break };
        let Some((size, payload)) = number(unit, &content, size_at) else { break };
        let end = payload.saturating_add(size as usize).min(content.len());
        if matches!(kind, REGISTERED | UNREGISTERED) {
            changed = true;
            let at = content[size_at - 1];
            // After two zeros, a 3 would be read as an emulation prevention byte.
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

/// The positions of the content: all bytes but emulation prevention bytes. With them, for each byte, whether it must not change,
/// because it is an emulation prevention byte or one of the two zeros before it.
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

/// A number of an SEI message: the sum of its bytes, the last of which is not 255. Returns the position after it, too.
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

//! JPEG: application segments and comments, thumbnails, and what follows the picture, such as the video of a moving photo.

use std::io::{Read, Seek, Write};

use super::fault::Fault;
use super::tape::Tape;

/// The length of the EXIF data that has only an orientation, in bytes.
const ORIENTATION: u64 = 32;

pub(super) fn strip(tape: &mut Tape<'_, impl Read + Write + Seek>) -> Result<(), Fault> {
    let mut at = 2;
    loop {
        let [0xFF, marker] = tape.read(at)? else { return Err(Fault::Unknown) };
        match marker {
            // Any number of fill bytes may precede a marker.
            0xFF => at += 1,
            0x01 | 0xD0..=0xD7 => at += 2,
            0xD9 => return tape.zero(at + 2, tape.length),
            _ => {
                let length = u64::from(u16::from_be_bytes(tape.read(at + 2)?));
                let end = at + 2 + length;
                if length < 2 || end > tape.length {
                    return Err(Fault::Unknown);
                }
                if tells(tape, marker, at + 4, end)? {
                    blank(tape, at + 4, end)?;
                } else {
                    shorten(tape, marker, at + 4, end)?;
                }
                at = end;
                if marker == 0xDA {
                    let Some(next) = after_scan(tape, at)? else { return Ok(()) };
                    at = next;
                }
            }
        }
    }
}

/// Whether a segment is metadata. What decoders need for the colours is not.
fn tells(tape: &mut Tape<'_, impl Read + Write + Seek>, marker: u8, from: u64, to: u64) -> Result<bool, Fault> {
    let needed: &[u8] = match marker {
        0xE0 => b"JFIF\0",
        0xE2 => b"ICC_PROFILE\0",
        0xEE => b"Adobe",
        0xE1..=0xEF | 0xFE => return Ok(true),
        _ => return Ok(false),
    };
    if to - from < needed.len() as u64 {
        return Ok(true);
    }
    let mut name = vec![0; needed.len()];
    tape.fill(from, &mut name)?;
    Ok(name != needed)
}

/// Overwrites what follows the fields of JFIF and Adobe: the thumbnail, for one.
fn shorten(tape: &mut Tape<'_, impl Read + Write + Seek>, marker: u8, from: u64, to: u64) -> Result<(), Fault> {
    let length = match marker {
        0xE0 => 14,
        0xEE => 12,
        _ => return Ok(()),
    };
    if to - from < length {
        return Ok(());
    }
    // The width and the height of the thumbnail.
    if marker == 0xE0 && tape.read::<2>(from + 12)? != [0, 0] {
        tape.write(from + 12, &[0, 0])?;
    }
    tape.zero(from + length, to)
}

/// Overwrites a segment, except for the orientation of the picture.
fn blank(tape: &mut Tape<'_, impl Read + Write + Seek>, from: u64, to: u64) -> Result<(), Fault> {
    let mut segment = vec![0; usize::try_from(to - from).map_err(|_| Fault::Unknown)?];
    tape.fill(from, &mut segment)?;
    let orientation = segment.strip_prefix(b"Exif\0\0").and_then(orientation);
    match orientation.filter(|value| (2..=8).contains(value) && to - from >= ORIENTATION) {
        Some(value) => {
            let mut exif = *b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\0\0\0\0\0\0\0\0";
            exif[24] = value;
            // Before the rest: after a crash in between a repetition finds the orientation.
            tape.write(from, &exif)?;
            tape.zero(from + ORIENTATION, to)
        }
        None => tape.zero(from, to),
    }
}

/// The orientation (tag 0x0112) in EXIF data. Source: TIFF 6.0, section 2.
fn orientation(tiff: &[u8]) -> Option<u8> {
    let little = match tiff.get(..4)? {
        b"II*\0" => true,
        b"MM\0*" => false,
        _ => return None,
    };
    let u16_at = |at: usize| {
        let bytes: [u8; 2] = tiff.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    };
    let first: [u8; 4] = tiff.get(4..8)?.try_into().ok()?;
    let first = if little { u32::from_le_bytes(first) } else { u32::from_be_bytes(first) };
    let first = usize::try_from(first).ok()?;
    let entries = usize::from(u16_at(first)?);
    (0..entries)
        .map_while(|entry| {
            let at = first.checked_add(2 + entry * 12)?;
            Some((u16_at(at)?, u16_at(at + 2)?, u16_at(at + 8)?))
        })
        .find(|(tag, kind, _)| (*tag, *kind) == (0x0112, 3))
        .and_then(|(_, _, value)| u8::try_from(value).ok())
}

/// The first marker after a scan's data; `None` if the file ends within them.
fn after_scan(tape: &mut Tape<'_, impl Read + Write + Seek>, mut at: u64) -> Result<Option<u64>, Fault> {
    while at + 2 <= tape.length {
        match tape.read(at)? {
            // A byte of the data, or a restart.
            [0xFF, 0x00 | 0xD0..=0xD7] => at += 2,
            [0xFF, 0xFF] => at += 1,
            [0xFF, _] => return Ok(Some(at)),
            [_, _] => at += 1,
        }
    }
    Ok(None)
}

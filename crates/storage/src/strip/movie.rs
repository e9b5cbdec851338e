//! MP4 and QuickTime: user data (`udta` with `©xyz`), metadata (`meta` with `com.apple.quicktime.location…`), unknown boxes,
//! tracks that are neither picture nor sound, and what dashcams write between the samples.
//!
//! Captions go, too: drones write their position into them every second.
//!
//! Source: ISO/IEC 14496-12; Apple, QuickTime File Format.

use std::io::{Read, Seek, Write};

use super::fault::Fault;
use super::tape::Tape;

/// Boxes of the file that are needed to play it.
const IN_FILE: &[&[u8; 4]] =
    &[b"ftyp", b"styp", b"moov", b"moof", b"mdat", b"mfra", b"sidx", b"ssix", b"pdin", b"prft"];
const IN_MOVIE: &[&[u8; 4]] = &[b"mvhd", b"trak", b"mvex", b"iods"];
const IN_TRACK: &[&[u8; 4]] = &[b"tkhd", b"mdia", b"edts", b"tref", b"tapt", b"load"];
const IN_MEDIA: &[&[u8; 4]] = &[b"mdhd", b"hdlr", b"minf", b"elng"];
const IN_FRAGMENT: &[&[u8; 4]] = &[b"mfhd", b"traf"];
/// Pictures, sound and time codes.
const HANDLERS: &[&[u8; 4]] = &[b"vide", b"soun", b"tmcd"];
const EMPTY: &[&[u8; 4]] = &[b"free", b"skip", b"wide"];
/// What a dashcam's position begins with: a `free` box between the samples, after its length of four bytes.
const POSITION: &[u8; 8] = b"freeGPS ";

#[derive(Clone, Copy, Debug)]
struct Part {
    kind: [u8; 4],
    at: u64,
    /// Where its content begins.
    content: u64,
    end: u64,
}

pub(super) fn strip(tape: &mut Tape<'_, impl Read + Write + Seek>) -> Result<(), Fault> {
    let mut at = 0;
    let mut seen = false;
    while at < tape.length {
        // Less than a box needs: old programs end with four zeros.
        if tape.length - at < 8 {
            tape.zero(at, tape.length)?;
            break;
        }
        let part = part(tape, at, tape.length)?;
        at = part.end;
        match &part.kind {
            b"moov" => {
                seen = true;
                movie(tape, part)?;
            }
            b"moof" => children(tape, part, IN_FRAGMENT)?,
            b"mdat" => positions(tape, part)?,
            kind if IN_FILE.contains(&kind) => {}
            _ => blank(tape, part)?,
        }
    }
    if seen { Ok(()) } else { Err(Fault::Unknown) }
}

/// Overwrites the positions of a dashcam. No track names them.
fn positions(tape: &mut Tape<'_, impl Read + Write + Seek>, data: Part) -> Result<(), Fault> {
    let mut at = data.content;
    while let Some(found) = tape.find(POSITION, at, data.end)? {
        let content = found + POSITION.len() as u64;
        let begin = found.checked_sub(4).filter(|begin| *begin >= data.content);
        let length = begin.map_or(Ok(0), |begin| tape.u32(begin))?;
        at = (found + u64::from(length)).saturating_sub(4).clamp(content, data.end);
        tape.zero_claimed(content, at)?;
    }
    Ok(())
}

fn movie(tape: &mut Tape<'_, impl Read + Write + Seek>, movie: Part) -> Result<(), Fault> {
    let fragments = child(tape, movie, b"mvex")?.is_some();
    let mut at = movie.content;
    while at + 8 <= movie.end {
        let part = part(tape, at, movie.end)?;
        at = part.end;
        match &part.kind {
            b"trak" => track(tape, part, fragments)?,
            // Compressed.
            b"cmov" => return Err(Fault::Unknown),
            kind if IN_MOVIE.contains(&kind) => {}
            _ => blank(tape, part)?,
        }
    }
    Ok(())
}

fn track(tape: &mut Tape<'_, impl Read + Write + Seek>, track: Part, fragments: bool) -> Result<(), Fault> {
    let media = child(tape, track, b"mdia")?.ok_or(Fault::Unknown)?;
    let handler = child(tape, media, b"hdlr")?.ok_or(Fault::Unknown)?;
    let kind: [u8; 4] = tape.read(handler.content + 8)?;
    if HANDLERS.contains(&&kind) {
        children(tape, media, IN_MEDIA)?;
        return children(tape, track, IN_TRACK);
    }
    // Its samples are scattered over fragments that do not say where they end.
    if fragments {
        return Err(Fault::Unknown);
    }
    let information = child(tape, media, b"minf")?.ok_or(Fault::Unknown)?;
    if let Some(table) = child(tape, information, b"stbl")? {
        samples(tape, table)?;
    }
    blank(tape, track)
}

/// Overwrites the samples of a track.
fn samples(tape: &mut Tape<'_, impl Read + Write + Seek>, table: Part) -> Result<(), Fault> {
    let sizes = child(tape, table, b"stsz")?.ok_or(Fault::Unknown)?;
    let runs = child(tape, table, b"stsc")?.ok_or(Fault::Unknown)?;
    let (offsets, wide) = match child(tape, table, b"co64")? {
        Some(offsets) => (offsets, true),
        None => (child(tape, table, b"stco")?.ok_or(Fault::Unknown)?, false),
    };
    let same = u64::from(tape.u32(sizes.content + 4)?);
    let count = u64::from(tape.u32(sizes.content + 8)?);
    let (run_count, chunks) = (u64::from(tape.u32(runs.content + 4)?), u64::from(tape.u32(offsets.content + 4)?));
    let (mut run, mut per_chunk, mut sample) = (0, 0, 0);
    for chunk in 0..chunks {
        // The next run begins with the chunk of this number, counted from 1.
        if run < run_count && u64::from(tape.u32(runs.content + 8 + run * 12)?) == chunk + 1 {
            per_chunk = u64::from(tape.u32(runs.content + 12 + run * 12)?);
            run += 1;
        }
        let offset = match wide {
            true => u64::from_be_bytes(tape.read(offsets.content + 8 + chunk * 8)?),
            false => u64::from(tape.u32(offsets.content + 8 + chunk * 4)?),
        };
        let last = (sample + per_chunk).min(count);
        let mut length = same.saturating_mul(last - sample);
        while same == 0 && sample < last {
            length += u64::from(tape.u32(sizes.content + 12 + sample * 4)?);
            sample += 1;
        }
        sample = last;
        tape.zero_claimed(offset, offset.saturating_add(length))?;
    }
    Ok(())
}

/// Blanks the children that are not needed.
fn children(tape: &mut Tape<'_, impl Read + Write + Seek>, parent: Part, needed: &[&[u8; 4]]) -> Result<(), Fault> {
    let mut at = parent.content;
    // QuickTime ends some boxes with four zeros.
    while at + 8 <= parent.end {
        let part = part(tape, at, parent.end)?;
        at = part.end;
        if !needed.contains(&&part.kind) {
            blank(tape, part)?;
        }
    }
    Ok(())
}

/// The first child of a kind.
fn child(tape: &mut Tape<'_, impl Read + Write + Seek>, parent: Part, kind: &[u8; 4]) -> Result<Option<Part>, Fault> {
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

/// Makes a box an empty one of the same length.
fn blank(tape: &mut Tape<'_, impl Read + Write + Seek>, part: Part) -> Result<(), Fault> {
    if !EMPTY.contains(&&part.kind) {
        tape.write(part.at + 4, b"free")?;
    }
    tape.zero(part.content, part.end)
}

fn part(tape: &mut Tape<'_, impl Read + Write + Seek>, at: u64, limit: u64) -> Result<Part, Fault> {
    let length = u64::from(tape.u32(at)?);
    let kind = tape.read(at + 4)?;
    let (content, length) = match length {
        // Up to the end of the file.
        0 => (at + 8, limit - at),
        1 => (at + 16, u64::from_be_bytes(tape.read(at + 8)?)),
        length => (at + 8, length),
    };
    let end = at.checked_add(length).filter(|end| *end <= limit && *end >= content).ok_or(Fault::Unknown)?;
    Ok(Part { kind, at, content, end })
}

//! MP4 and QuickTime: user data (`udta` with `©xyz`), metadata (`meta` with `com.apple.quicktime.location…`), unknown boxes,
//! tracks that are neither picture nor sound, what dashcams write between the samples, and user data within them.
//!
//! Captions go, too: drones write their position into them every second.
//!
//! Source: ISO/IEC 14496-12; Apple, QuickTime File Format.

use std::io::{Read, Seek, Write};

use super::boxes::{Part, child, part};
use super::fault::Fault;
use super::fragments;
use super::samples::{self, Chunks, Tables, Track};
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

pub(super) fn strip(tape: &mut Tape<'_, impl Read + Write + Seek>) -> Result<(), Fault> {
    let mut at = 0;
    let mut tracks = None;
    while at < tape.length {
        // Less than a box needs: old programs end with four zeros.
        if tape.length - at < 8 {
            tape.zero(at, tape.length)?;
            break;
        }
        let part = part(tape, at, tape.length)?;
        at = part.end;
        match &part.kind {
            b"moov" => tracks = Some(movie(tape, part)?),
            b"moof" => {
                children(tape, part, IN_FRAGMENT)?;
                fragments::clean(tape, part, tracks.as_deref().ok_or(Fault::Unknown)?)?;
            }
            b"mdat" => positions(tape, part)?,
            kind if IN_FILE.contains(&kind) => {}
            _ => blank(tape, part)?,
        }
    }
    tracks.map(drop).ok_or(Fault::Unknown)
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

/// Cleans a movie, and returns the tracks that fragments may continue.
fn movie(tape: &mut Tape<'_, impl Read + Write + Seek>, movie: Part) -> Result<Vec<Track>, Fault> {
    let extension = child(tape, movie, b"mvex")?;
    let mut tracks = Vec::new();
    let mut at = movie.content;
    while at + 8 <= movie.end {
        let part = part(tape, at, movie.end)?;
        at = part.end;
        match &part.kind {
            b"trak" => tracks.extend(track(tape, part, extension)?),
            // Compressed.
            b"cmov" => return Err(Fault::Unknown),
            kind if IN_MOVIE.contains(&kind) => {}
            _ => blank(tape, part)?,
        }
    }
    Ok(tracks)
}

/// Cleans a track, or empties it if it is neither picture nor sound.
fn track(
    tape: &mut Tape<'_, impl Read + Write + Seek>,
    track: Part,
    extension: Option<Part>,
) -> Result<Option<Track>, Fault> {
    let media = child(tape, track, b"mdia")?.ok_or(Fault::Unknown)?;
    let handler = child(tape, media, b"hdlr")?.ok_or(Fault::Unknown)?;
    let kind: [u8; 4] = tape.read(handler.content + 8)?;
    let information = child(tape, media, b"minf")?;
    let table = information.map_or(Ok(None), |information| child(tape, information, b"stbl"))?;
    if HANDLERS.contains(&&kind) {
        children(tape, media, IN_MEDIA)?;
        children(tape, track, IN_TRACK)?;
        let coding =
            if kind == *b"vide" { table.map_or(Ok(None), |table| samples::coding(tape, table))? } else { None };
        if let (Some(table), Some(coding)) = (table, coding) {
            samples::clean(tape, table, coding)?;
        }
        return Track::of(tape, track, extension, coding);
    }
    // Its samples are scattered over fragments that do not say where they end.
    if extension.is_some() {
        return Err(Fault::Unknown);
    }
    information.ok_or(Fault::Unknown)?;
    if let Some(table) = table {
        erase(tape, table)?;
    }
    blank(tape, track).map(|()| None)
}

/// Overwrites the samples of a track, chunk by chunk.
fn erase(tape: &mut Tape<'_, impl Read + Write + Seek>, table: Part) -> Result<(), Fault> {
    let tables = Tables::of(tape, table)?;
    let mut chunks = Chunks::default();
    while let Some(chunk) = chunks.next(tape, &tables)? {
        let length = tables.length(tape, chunk.samples)?;
        tape.zero_claimed(chunk.at, chunk.at.saturating_add(length))?;
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

/// Makes a box an empty one of the same length.
fn blank(tape: &mut Tape<'_, impl Read + Write + Seek>, part: Part) -> Result<(), Fault> {
    if !EMPTY.contains(&&part.kind) {
        tape.write(part.at + 4, b"free")?;
    }
    tape.zero(part.content, part.end)
}

//! Finds the samples of movie fragments, and removes user data from them.
//!
//! Source: ISO/IEC 14496-12, section 8.8.

use std::io::{Read, Seek, Write};

use super::boxes::{Part, part};
use super::fault::Fault;
use super::samples::Track;
use super::sei::{self, Coding};
use super::tape::Tape;

// Flags of `tfhd`: which fields there are.
const BASE: u32 = 0x1;
const DESCRIPTION: u32 = 0x2;
const DURATION: u32 = 0x8;
const SIZE: u32 = 0x10;
const BASE_IS_FRAGMENT: u32 = 0x2_0000;
// Flags of `trun`.
const OFFSET: u32 = 0x1;
const FIRST_FLAGS: u32 = 0x4;
const RUN_SIZE: u32 = 0x200;
/// Flags of a sample's optional fields in a run, in file order: duration, size, flags, time. Each field has four bytes.
const OF_SAMPLE: [u32; 4] = [0x100, RUN_SIZE, 0x400, 0x800];

/// Removes the user data from the samples of a fragment. `tracks` are the movie's tracks, with their default sample sizes.
pub(super) fn clean(
    tape: &mut Tape<'_, impl Read + Write + Seek>,
    fragment: Part,
    tracks: &[Track],
) -> Result<(), Fault> {
    // The end of the previous track's data.
    let mut end = fragment.at;
    let mut at = fragment.content;
    while at + 8 <= fragment.end {
        let track = part(tape, at, fragment.end)?;
        at = track.end;
        if track.kind == *b"traf" {
            end = of_track(tape, fragment, track, tracks, end)?;
        }
    }
    Ok(())
}

fn of_track(
    tape: &mut Tape<'_, impl Read + Write + Seek>,
    fragment: Part,
    track: Part,
    tracks: &[Track],
    previous: u64,
) -> Result<u64, Fault> {
    let (mut header, mut next) = (None, previous);
    let mut at = track.content;
    while at + 8 <= track.end {
        let part = part(tape, at, track.end)?;
        at = part.end;
        match &part.kind {
            b"tfhd" => {
                let found = Header::of(tape, part, fragment, tracks, previous)?;
                next = found.base;
                header = Some(found);
            }
            b"trun" => next = run(tape, part, header.as_ref().ok_or(Fault::Unknown)?, next)?,
            _ => {}
        }
    }
    Ok(next)
}

/// A track's header in a fragment (`tfhd`).
struct Header {
    /// The position that offsets are relative to.
    base: u64,
    /// The size of samples whose run gives no size, in bytes.
    size: u32,
    coding: Option<Coding>,
}

impl Header {
    fn of(
        tape: &mut Tape<'_, impl Read + Write + Seek>,
        header: Part,
        fragment: Part,
        tracks: &[Track],
        previous: u64,
    ) -> Result<Self, Fault> {
        let flags = tape.u32(header.content)? & 0xFF_FFFF;
        let track = tape.u32(header.content + 4)?;
        let known = tracks.iter().find(|known| known.track == track).ok_or(Fault::Unknown)?;
        let mut at = header.content + 8;
        let mut base = if flags & BASE_IS_FRAGMENT > 0 { fragment.at } else { previous };
        if flags & BASE > 0 {
            base = u64::from_be_bytes(tape.read(at)?);
            at += 8;
        }
        at += [DESCRIPTION, DURATION].iter().map(|field| if flags & field > 0 { 4 } else { 0 }).sum::<u64>();
        let size = if flags & SIZE > 0 { tape.u32(at)? } else { known.size };
        Ok(Header { base, size, coding: known.coding })
    }
}

/// Cleans the samples of a run, and returns their end.
fn run(tape: &mut Tape<'_, impl Read + Write + Seek>, run: Part, header: &Header, next: u64) -> Result<u64, Fault> {
    let flags = tape.u32(run.content)? & 0xFF_FFFF;
    let samples = u64::from(tape.u32(run.content + 4)?);
    let mut at = run.content + 8;
    let mut place = next;
    if flags & OFFSET > 0 {
        let offset = i32::from_be_bytes(tape.read(at)?);
        place = header.base.checked_add_signed(offset.into()).ok_or(Fault::Unknown)?;
        at += 4;
    }
    if flags & FIRST_FLAGS > 0 {
        at += 4;
    }
    let fields = |fields: &[u32]| fields.iter().map(|field| if flags & field > 0 { 4 } else { 0 }).sum::<u64>();
    let (row, size_at) = (fields(&OF_SAMPLE), fields(&OF_SAMPLE[..1]));
    for sample in 0..samples {
        let size = if flags & RUN_SIZE > 0 { tape.u32(at + sample * row + size_at)? } else { header.size };
        let end = place.checked_add(size.into()).ok_or(Fault::Unknown)?;
        tape.step()?;
        if let Some(coding) = header.coding {
            sei::sample(tape, coding, place, end)?;
        }
        place = end;
    }
    Ok(place)
}

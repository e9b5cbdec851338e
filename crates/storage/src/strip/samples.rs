//! Finds the samples of a track through its tables, and what its fragments need to find theirs.
//!
//! Source: ISO/IEC 14496-12, sections 8.7 and 8.8; ISO/IEC 14496-15.

use std::io::{Read, Seek, Write};
use std::ops::Range;

use super::boxes::{Part, child, part};
use super::fault::Fault;
use super::sei::{self, Codec, Coding};
use super::tape::Tape;

/// Length of a video sample entry before its child boxes, in bytes.
const DESCRIPTION: u64 = 86;

/// A track of a movie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Track {
    pub(super) track: u32,
    /// How its pictures are coded; `None` if they cannot hold user data.
    pub(super) coding: Option<Coding>,
    /// The size of samples to which no fragment gives a size, in bytes.
    pub(super) size: u32,
}

impl Track {
    /// A track of a movie with fragments; `None` without `extension` (`mvex`), which holds the default sample sizes.
    pub(super) fn of(
        tape: &mut Tape<'_, impl Read + Write + Seek>,
        track: Part,
        extension: Option<Part>,
        coding: Option<Coding>,
    ) -> Result<Option<Self>, Fault> {
        let (Some(header), Some(extension)) = (child(tape, track, b"tkhd")?, extension) else { return Ok(None) };
        // The track's number follows two times of four or eight bytes each.
        let times = if tape.read::<1>(header.content)?[0] == 0 { 8 } else { 16 };
        let number = tape.u32(header.content + 4 + times)?;
        let mut found = Track { track: number, coding, size: 0 };
        let mut at = extension.content;
        while at + 8 <= extension.end {
            let part = part(tape, at, extension.end)?;
            at = part.end;
            if part.kind == *b"trex" && tape.u32(part.content + 4)? == number {
                found.size = tape.u32(part.content + 16)?;
            }
        }
        Ok(Some(found))
    }
}

/// How a track's pictures are coded; `None` where they cannot hold user data.
pub(super) fn coding(tape: &mut Tape<'_, impl Read + Write + Seek>, table: Part) -> Result<Option<Coding>, Fault> {
    let Some(descriptions) = child(tape, table, b"stsd")? else { return Ok(None) };
    let mut at = descriptions.content + 8;
    let mut found = None;
    while at + 8 <= descriptions.end {
        let entry = part(tape, at, descriptions.end)?;
        at = entry.end;
        // The last number is the position of the length prefix's size in the settings.
        let (codec, settings, place) = match &entry.kind {
            b"avc1" | b"avc3" | b"dva1" | b"dvav" => (Codec::H264, b"avcC", 4),
            b"hvc1" | b"hev1" | b"dvh1" | b"dvhe" => (Codec::H265, b"hvcC", 21),
            _ => continue,
        };
        let boxes = Part { content: entry.at + DESCRIPTION, ..entry };
        let settings = child(tape, boxes, settings)?.ok_or(Fault::Unknown)?;
        let prefix = (tape.read::<1>(settings.content + place)?[0] & 3) + 1;
        let coding = Coding { codec, prefix };
        // Which description a sample uses is not read here, so all descriptions must agree.
        if prefix == 3 || found.is_some_and(|found| found != coding) {
            return Err(Fault::Unknown);
        }
        found = Some(coding);
    }
    Ok(found)
}

/// Removes the user data from the samples that a track's tables list.
pub(super) fn clean(tape: &mut Tape<'_, impl Read + Write + Seek>, table: Part, coding: Coding) -> Result<(), Fault> {
    let tables = Tables::of(tape, table)?;
    let mut chunks = Chunks::default();
    while let Some(chunk) = chunks.next(tape, &tables)? {
        let mut at = chunk.at;
        for sample in chunk.samples {
            let end = at.checked_add(tables.size(tape, sample)?).ok_or(Fault::Unknown)?;
            tape.step()?;
            sei::sample(tape, coding, at, end)?;
            at = end;
        }
    }
    Ok(())
}

/// The tables of a track: sizes of samples (`stsz`), samples per chunk (`stsc`), and offsets of chunks (`stco`, `co64`).
pub(super) struct Tables {
    sizes: Part,
    /// The size of every sample, in bytes; 0 if they differ.
    same: u64,
    samples: u64,
    runs: Part,
    run_count: u64,
    offsets: Part,
    /// Whether offsets have eight bytes instead of four.
    wide: bool,
    chunks: u64,
}

impl Tables {
    pub(super) fn of(tape: &mut Tape<'_, impl Read + Write + Seek>, table: Part) -> Result<Self, Fault> {
        let sizes = child(tape, table, b"stsz")?.ok_or(Fault::Unknown)?;
        let runs = child(tape, table, b"stsc")?.ok_or(Fault::Unknown)?;
        let (offsets, wide) = match child(tape, table, b"co64")? {
            Some(offsets) => (offsets, true),
            None => (child(tape, table, b"stco")?.ok_or(Fault::Unknown)?, false),
        };
        let mut number = |at: u64| tape.u32(at).map(u64::from);
        Ok(Tables {
            same: number(sizes.content + 4)?,
            samples: number(sizes.content + 8)?,
            run_count: number(runs.content + 4)?,
            chunks: number(offsets.content + 4)?,
            sizes,
            runs,
            offsets,
            wide,
        })
    }

    /// The total size of some samples, in bytes.
    pub(super) fn length(
        &self,
        tape: &mut Tape<'_, impl Read + Write + Seek>,
        samples: Range<u64>,
    ) -> Result<u64, Fault> {
        if self.same > 0 {
            return Ok(self.same.saturating_mul(samples.end - samples.start));
        }
        let mut length = 0;
        for sample in samples {
            length += self.size(tape, sample)?;
        }
        Ok(length)
    }

    /// The size of a sample, in bytes.
    pub(super) fn size(&self, tape: &mut Tape<'_, impl Read + Write + Seek>, sample: u64) -> Result<u64, Fault> {
        if self.same > 0 { Ok(self.same) } else { tape.u32(self.sizes.content + 12 + sample * 4).map(u64::from) }
    }
}

/// Samples that are stored one after another.
pub(super) struct Chunk {
    pub(super) at: u64,
    pub(super) samples: Range<u64>,
}

/// Iterates over the chunks of [`Tables`].
#[derive(Default)]
pub(super) struct Chunks {
    chunk: u64,
    run: u64,
    per_chunk: u64,
    sample: u64,
}

impl Chunks {
    pub(super) fn next(
        &mut self,
        tape: &mut Tape<'_, impl Read + Write + Seek>,
        tables: &Tables,
    ) -> Result<Option<Chunk>, Fault> {
        if self.chunk == tables.chunks {
            return Ok(None);
        }
        // A chunk counts as a step, because a file could have any number of empty ones.
        tape.step()?;
        let run = tables.runs.content + 8 + self.run * 12;
        // The next run begins with the chunk of this number, counted from 1.
        if self.run < tables.run_count && u64::from(tape.u32(run)?) == self.chunk + 1 {
            self.per_chunk = u64::from(tape.u32(run + 4)?);
            self.run += 1;
        }
        let at = match tables.wide {
            true => u64::from_be_bytes(tape.read(tables.offsets.content + 8 + self.chunk * 8)?),
            false => u64::from(tape.u32(tables.offsets.content + 8 + self.chunk * 4)?),
        };
        let samples = self.sample..(self.sample + self.per_chunk).min(tables.samples);
        (self.chunk, self.sample) = (self.chunk + 1, samples.end);
        Ok(Some(Chunk { at, samples }))
    }
}

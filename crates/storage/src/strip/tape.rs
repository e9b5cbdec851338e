//! A file with random access in small pieces, and a limit on the number of changes.

use std::io::{self, Read, Seek, SeekFrom, Write};

use super::fault::Fault;

/// Bytes read at once.
const WINDOW: usize = 64 * 1024;
/// Maximum number of changes in one file. Cameras cause a dozen; a file made of nothing but foreign parts is refused.
pub(super) const CHANGES: u32 = 10_000;
/// Maximum number of samples and chunks in one file: more than an hour at 240 pictures a second.
pub(super) const SAMPLES: u32 = 1_000_000;

pub(super) struct Tape<'f, F> {
    file: &'f mut F,
    /// In bytes.
    pub(super) length: u64,
    window: Vec<u8>,
    /// Where the window begins.
    start: u64,
    changes: u32,
    /// How many bytes were overwritten with zeros.
    zeroed: u64,
    samples: u32,
    /// How many bytes of samples were read.
    walked: u64,
}

impl<'f, F: Read + Write + Seek> Tape<'f, F> {
    pub(super) fn new(file: &'f mut F) -> io::Result<Self> {
        let length = file.seek(SeekFrom::End(0))?;
        Ok(Tape { file, length, window: Vec::new(), start: 0, changes: 0, zeroed: 0, samples: 0, walked: 0 })
    }

    /// `N` bytes at a position.
    pub(super) fn read<const N: usize>(&mut self, at: u64) -> Result<[u8; N], Fault> {
        let mut bytes = [0; N];
        self.fill(at, &mut bytes)?;
        Ok(bytes)
    }

    /// Fills `bytes` from a position.
    pub(super) fn fill(&mut self, at: u64, bytes: &mut [u8]) -> Result<(), Fault> {
        let end = at.checked_add(bytes.len() as u64).ok_or(Fault::Unknown)?;
        if end > self.length {
            return Err(Fault::Unknown);
        }
        if at < self.start || end > self.start + self.window.len() as u64 {
            self.start = at;
            self.window.clear();
            self.file.seek(SeekFrom::Start(at))?;
            Read::by_ref(&mut *self.file).take(WINDOW.max(bytes.len()) as u64).read_to_end(&mut self.window)?;
        }
        let from = usize::try_from(at - self.start).map_err(|_| Fault::Unknown)?;
        bytes.copy_from_slice(self.window.get(from..from + bytes.len()).ok_or(Fault::Unknown)?);
        Ok(())
    }

    /// The big-endian number of four bytes.
    pub(super) fn u32(&mut self, at: u64) -> Result<u32, Fault> {
        self.read(at).map(u32::from_be_bytes)
    }

    /// Where some bytes are first found between `from` and `to`.
    pub(super) fn find<const N: usize>(
        &mut self,
        bytes: &[u8; N],
        mut from: u64,
        to: u64,
    ) -> Result<Option<u64>, Fault> {
        let mut piece = Vec::new();
        while from + N as u64 <= to {
            piece.resize(usize::try_from(to - from).unwrap_or(WINDOW).min(WINDOW), 0);
            self.fill(from, &mut piece)?;
            if let Some(at) = piece.windows(N).position(|window| window == bytes) {
                return Ok(Some(from + at as u64));
            }
            from += (piece.len() - N + 1) as u64;
        }
        Ok(None)
    }

    /// Overwrites bytes.
    pub(super) fn write(&mut self, at: u64, bytes: &[u8]) -> Result<(), Fault> {
        if at.checked_add(bytes.len() as u64).is_none_or(|end| end > self.length) {
            return Err(Fault::Unknown);
        }
        self.count()?;
        self.file.seek(SeekFrom::Start(at))?;
        self.file.write_all(bytes)?;
        Ok(())
    }

    /// Overwrites bytes of a sample. This does not count as a change, because some cameras write user data into every sample; the
    /// number of samples is limited by [`Tape::step`].
    pub(super) fn patch(&mut self, at: u64, bytes: &[u8]) -> Result<(), Fault> {
        self.window.clear();
        self.file.seek(SeekFrom::Start(at))?;
        self.file.write_all(bytes)?;
        Ok(())
    }

    /// Counts a sample or a chunk.
    pub(super) fn step(&mut self) -> Result<(), Fault> {
        self.samples += 1;
        if self.samples > SAMPLES { Err(Fault::Unknown) } else { Ok(()) }
    }

    /// Counts bytes of samples, at most twice the length of the file: tables that name the same bytes repeatedly would take
    /// hours.
    pub(super) fn walk(&mut self, bytes: u64) -> Result<(), Fault> {
        self.walked += bytes;
        if self.walked / 2 > self.length { Err(Fault::Unknown) } else { Ok(()) }
    }

    /// Overwrites everything from `from` to `to` with zeros.
    pub(super) fn zero(&mut self, from: u64, to: u64) -> Result<(), Fault> {
        if to > self.length || from > to {
            return Err(Fault::Unknown);
        }
        if from == to {
            return Ok(());
        }
        self.count()?;
        // A table that names the same bytes again and again would keep the disk busy for hours.
        self.zeroed += to - from;
        if self.zeroed / 2 > self.length {
            return Err(Fault::Unknown);
        }
        self.file.seek(SeekFrom::Start(from))?;
        io::copy(&mut io::repeat(0).take(to - from), self.file)?;
        Ok(())
    }

    /// As [`Tape::zero`], for a range that the file claims to have: an empty one is a change, too, so that a table of millions
    /// of them is refused.
    pub(super) fn zero_claimed(&mut self, from: u64, to: u64) -> Result<(), Fault> {
        if from == to { self.count() } else { self.zero(from, to) }
    }

    fn count(&mut self) -> Result<(), Fault> {
        self.changes += 1;
        self.window.clear();
        if self.changes > CHANGES { Err(Fault::Unknown) } else { Ok(()) }
    }
}

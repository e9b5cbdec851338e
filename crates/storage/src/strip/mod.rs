//! Removes what a picture or a video tells besides what it shows: place, camera, names, comments, thumbnails.
//!
//! The file keeps its length: what is removed is overwritten with zeros, in a form that programs skip, so memory stays constant.
//! That form is written before the zeros, so a repetition finishes what a crash has interrupted. A format that is not known
//! here is refused, because nobody knows what it contains.
//!
//! DEVIATION (more): the setting `storage.strip_metadata` names buckets whose pictures and videos lose place, camera and other
//! metadata when they are uploaded. Such a bucket takes JPEG, PNG, WebP, MP4, MOV and WebM, and copies from its like only.

mod boxes;
mod fault;
mod fragments;
mod jpeg;
mod matroska;
mod movie;
mod png;
mod samples;
mod sei;
mod tape;
mod webp;

use std::io::{self, Read, Seek, Write};

use fault::Fault;
use tape::Tape;

/// Cleans a JPEG, PNG, WebP, MP4, QuickTime, WebM or Matroska file in place. False if it is none of these, or damaged. A JPEG
/// keeps its orientation, and all keep their colour profile.
///
/// # Errors
/// Disk errors.
pub(crate) fn strip(file: &mut (impl Read + Write + Seek)) -> io::Result<bool> {
    let mut tape = Tape::new(file)?;
    match cleaned(&mut tape) {
        Ok(()) => Ok(true),
        Err(Fault::Unknown) => Ok(false),
        Err(Fault::Io(error)) => Err(error),
    }
}

fn cleaned(tape: &mut Tape<'_, impl Read + Write + Seek>) -> Result<(), Fault> {
    let head: [u8; 12] = tape.read(0)?;
    match head {
        [0xFF, 0xD8, 0xFF, ..] => jpeg::strip(tape),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => png::strip(tape),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P'] => webp::strip(tape),
        [0x1A, 0x45, 0xDF, 0xA3, ..] => matroska::strip(tape),
        // Pictures in the same container keep their metadata in places that movies do not have.
        [_, _, _, _, b'f', b't', b'y', b'p', brand @ ..] => match &brand {
            b"heic" | b"heix" | b"heim" | b"heis" | b"mif1" | b"msf1" | b"avif" | b"avis" => Err(Fault::Unknown),
            _ => movie::strip(tape),
        },
        // QuickTime before MP4 began without a type.
        [_, _, _, _, b'm', b'o', b'o', b'v', ..]
        | [_, _, _, _, b'm', b'd', b'a', b't', ..]
        | [_, _, _, _, b'w', b'i', b'd', b'e', ..] => movie::strip(tape),
        _ => Err(Fault::Unknown),
    }
}

#[cfg(test)]
mod sample_tests;
#[cfg(test)]
mod tests;

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use image::{ExtendedColorType, ImageEncoder};

use super::strip;
use super::tape::CHANGES;

const PLACE: &[u8] = b"+48.8577+002.295/";

pub(super) fn contains(file: &[u8], text: &[u8]) -> bool {
    file.windows(text.len()).any(|window| window == text)
}

/// A file whose disk fails after some writes.
struct Failing<'f> {
    file: Cursor<&'f mut Vec<u8>>,
    left: usize,
}

impl Read for Failing<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes)
    }
}

impl Seek for Failing<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Write for Failing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.left = self.left.checked_sub(1).ok_or(io::ErrorKind::Other)?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Strips a file that is known, and checks that a repetition changes nothing, also after a crash.
#[track_caller]
pub(super) fn stripped(file: &[u8]) -> Vec<u8> {
    let mut once = file.to_vec();
    assert!(strip(&mut Cursor::new(&mut once)).unwrap(), "it is known");
    assert_eq!(once.len(), file.len(), "the length stays");
    let mut twice = once.clone();
    assert!(strip(&mut Cursor::new(&mut twice)).unwrap());
    assert!(once == twice, "a repetition changes nothing");
    for left in 0..100 {
        let mut crashed = file.to_vec();
        let broken = strip(&mut Failing { file: Cursor::new(&mut crashed), left });
        assert!(strip(&mut Cursor::new(&mut crashed)).unwrap(), "a file is known after {left} writes");
        assert!(crashed == once, "a repetition after {left} writes finishes");
        if broken.is_ok() {
            break;
        }
    }
    once
}

#[track_caller]
fn accepted(file: &[u8]) {
    assert!(strip(&mut Cursor::new(&mut file.to_vec())).unwrap());
}

#[track_caller]
pub(super) fn refused(file: &[u8]) {
    assert!(!strip(&mut Cursor::new(&mut file.to_vec())).unwrap());
}

fn pixels() -> Vec<u8> {
    (0..16 * 8 * 3).map(|index| (index % 251) as u8).collect()
}

fn jpeg() -> Vec<u8> {
    let mut file = Vec::new();
    let encoder = image::codecs::jpeg::JpegEncoder::new(&mut file);
    encoder.write_image(&pixels(), 16, 8, ExtendedColorType::Rgb8).unwrap();
    file
}

fn png() -> Vec<u8> {
    let mut file = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut file);
    encoder.write_image(&pixels(), 16, 8, ExtendedColorType::Rgb8).unwrap();
    file
}

fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
    [&[0xFF, marker], &length[..], content].concat()
}

/// EXIF with an orientation and a place.
fn exif(orientation: u8) -> Vec<u8> {
    let head = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0";
    [&head[..], &[orientation], b"\0\0\0\0\0\0", PLACE].concat()
}

#[test]
fn a_jpeg_keeps_its_picture_and_its_orientation_only() {
    let plain = jpeg();
    let icc = segment(0xE2, b"ICC_PROFILE\0\x01\x01profile");
    let told = [segment(0xE1, &exif(6)), segment(0xED, PLACE), segment(0xFE, PLACE), icc].concat();
    let after = [PLACE, b"....ftypmp42"].concat();
    // A thumbnail of 2 by 3 pixels after the fields of JFIF, and something after those of Adobe.
    let thumbnail = [b"JFIF\0\x01\x02\0\0\x01\0\x01\x02\x03".as_slice(), PLACE, b"."].concat();
    let adobe = [b"Adobe\0\x64\0\0\0\0\x01".as_slice(), PLACE].concat();
    assert_eq!(plain[2..4], [0xFF, 0xE0], "JFIF comes first");
    let rest = 4 + usize::from(u16::from_be_bytes([plain[4], plain[5]]));
    let told = [segment(0xE0, &thumbnail), told, segment(0xEE, &adobe)].concat();
    let file = [&plain[..2], &told, &plain[rest..], &after].concat();
    let clean = stripped(&file);
    assert!(!contains(&clean, PLACE) && contains(&clean, b"ICC_PROFILE"));
    assert!(contains(&clean, b"JFIF\0\x01\x02\0\0\x01\0\x01\0\0\0"), "the thumbnail has no size");
    assert!(contains(&clean, b"Adobe\0\x64\0\0\0\0\x01\0"), "the transformation of the colours stays");
    let decoded = |file: &[u8]| image::load_from_memory(file).unwrap();
    assert_eq!(decoded(&clean), decoded(&plain));
    let mut decoder =
        image::ImageReader::new(Cursor::new(&clean)).with_guessed_format().unwrap().into_decoder().unwrap();
    let orientation = image::ImageDecoder::orientation(&mut decoder).unwrap();
    assert_eq!(orientation, image::metadata::Orientation::Rotate90);
}

#[test]
fn an_orientation_that_is_none_is_not_kept() {
    let plain = jpeg();
    for value in [0, 1, 9] {
        let clean = stripped(&[&plain[..2], &segment(0xE1, &exif(value)), &plain[2..]].concat());
        assert!(!contains(&clean, b"Exif"), "{value}");
    }
    let short = segment(0xE1, b"Exif\0\0MM\0*\xFF\xFF\xFF\xFF");
    assert!(!contains(&stripped(&[&plain[..2], &short, &plain[2..]].concat()), b"Exif"));
}

fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let checksum = crc32fast::hash(&[&kind[..], content].concat()).to_be_bytes();
    let length = u32::try_from(content.len()).unwrap().to_be_bytes();
    [&length[..], kind, content, &checksum].concat()
}

#[test]
fn a_png_keeps_its_picture_only() {
    let plain = png();
    let told = [chunk(b"eXIf", &exif(1)[6..]), chunk(b"tEXt", PLACE), chunk(b"iTXt", &vec![b'x'; 5000])].concat();
    let clean = stripped(&[&plain[..33], &told, &plain[33..], PLACE].concat());
    assert!(!contains(&clean, PLACE) && !contains(&clean, b"tEXt"));
    assert_eq!(image::load_from_memory(&clean).unwrap(), image::load_from_memory(&plain).unwrap());
    refused(&[&plain[..33], &chunk(b"CgBI", PLACE), &plain[33..]].concat());
}

#[test]
fn a_webp_keeps_its_picture_only() {
    let plain = webp::Encoder::from_rgb(&pixels(), 16, 8).encode(80.0).to_vec();
    let extended = [b"VP8X\x0A\0\0\0".as_slice(), &[0x0C, 0, 0, 0, 15, 0, 0, 7, 0, 0]].concat();
    let told = [b"EXIF\x11\0\0\0".as_slice(), PLACE, b"\0", b"XMP \x11\0\0\0", PLACE, b"\0"].concat();
    let body = [b"WEBP".as_slice(), &extended, &plain[12..], &told].concat();
    let length = u32::try_from(body.len()).unwrap().to_le_bytes();
    let file = [b"RIFF".as_slice(), &length, &body, PLACE].concat();
    let clean = stripped(&file);
    assert!(!contains(&clean, PLACE) && clean[20] == 0, "the flags are gone, too");
    let decoded = |file: &[u8]| webp::Decoder::new(file).decode().unwrap().to_vec();
    assert_eq!(decoded(&clean), decoded(&plain));
}

pub(super) fn part(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [&u32::try_from(content.len() + 8).unwrap().to_be_bytes()[..], kind, content].concat()
}

fn track(handler: &[u8; 4], more: &[u8]) -> Vec<u8> {
    let hdlr = part(b"hdlr", &[b"\0\0\0\0\0\0\0\0".as_slice(), handler, &[0; 12]].concat());
    // Two chunks of two samples of four bytes, at 40 and 60.
    let sizes = part(b"stsz", &numbers(&[0, 0, 4, 4, 4, 4, 4]));
    let runs = part(b"stsc", &numbers(&[0, 1, 1, 2, 1]));
    let offsets = part(b"stco", &numbers(&[0, 2, 40, 60]));
    let table = part(b"stbl", &[sizes, runs, offsets].concat());
    let media = part(b"mdia", &[part(b"mdhd", b""), hdlr, part(b"minf", &table)].concat());
    part(b"trak", &[part(b"tkhd", b"matrix"), media, more.to_vec()].concat())
}

pub(super) fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

fn movie(tracks: &[u8]) -> Vec<u8> {
    let data: Vec<u8> = (0..200).map(|index| b'A' + index % 26).collect();
    let told = part(b"udta", &part(b"\xA9xyz", PLACE));
    let meta = part(b"meta", &[b"com.apple.quicktime.location.ISO6709", PLACE].concat());
    let movie = part(b"moov", &[part(b"mvhd", b"length"), told, meta, tracks.to_vec()].concat());
    let rest = [part(b"uuid", PLACE), part(b"free", PLACE), movie].concat();
    [part(b"ftyp", b"mp42\0\0\0\0"), part(b"mdat", &data), rest].concat()
}

#[test]
fn a_movie_keeps_pictures_and_sound_only() {
    let file = movie(&track(b"vide", &part(b"udta", PLACE)));
    let clean = stripped(&file);
    assert!(!contains(&clean, PLACE) && !contains(&clean, b"ISO6709") && !contains(&clean, b"udta"));
    assert_eq!(clean[..224], file[..224], "offsets and data stay");
    assert!(contains(&clean, b"matrix"), "so does the rotation");
}

#[test]
fn the_samples_of_a_track_with_positions_are_overwritten() {
    // Drones write captions.
    for handler in [b"meta", b"text", b"sbtl", b"subt", b"clcp"] {
        let file = movie(&[track(b"vide", b""), track(handler, b"")].concat());
        let clean = stripped(&file);
        assert_eq!(clean[40..48], [0; 8]);
        assert_eq!(clean[60..68], [0; 8]);
        assert_eq!((&clean[..40], &clean[48..60], &clean[68..224]), (&file[..40], &file[48..60], &file[68..224]));
        assert!(!contains(&clean, handler));
        let fragmented = [track(handler, b""), part(b"mvex", b"")].concat();
        refused(&movie(&fragmented));
    }
}

/// A movie with these data.
fn movie_of(data: &[u8]) -> Vec<u8> {
    [part(b"ftyp", b"mp42\0\0\0\0"), part(b"mdat", data), part(b"moov", &track(b"vide", b""))].concat()
}

#[test]
fn positions_between_the_samples_are_overwritten() {
    // As dashcams write them: `free` boxes among the samples.
    let block = part(b"free", &[b"GPS ".as_slice(), PLACE].concat());
    // The second one begins up to 8 bytes before the end of the first piece that is searched.
    let padding = vec![b'x'; 64 * 1024 - b"between".len() - 4];
    for cut in 0..=8 {
        let file = movie_of(&[b"before", &block[..], b"between", &padding[cut..], &block, b"after"].concat());
        let clean = stripped(&file);
        let zeros = file.windows(PLACE.len()).filter(|window| *window == PLACE).count();
        assert!(zeros == 2 && !contains(&clean, PLACE), "{cut}");
        for kept in [b"before".as_slice(), b"between", &padding[cut..], b"after"] {
            assert!(contains(&clean, kept));
        }
    }
    // Lengths that are wrong.
    for length in [0, 7, 0xFFFF_FFFF_u32] {
        stripped(&movie_of(&[&length.to_be_bytes(), b"freeGPS ".as_slice(), PLACE].concat()));
    }
    stripped(&movie_of(b"freeGPS "));
    let many = |count: u32| movie_of(&b"\0\0\0\0freeGPS ".repeat(usize::try_from(count).unwrap()));
    accepted(&many(CHANGES));
    refused(&many(CHANGES + 1));
}

#[test]
fn damaged_movies_are_refused() {
    let file = movie(&track(b"vide", b""));
    refused(&file[..file.len() - 1]);
    refused(&part(b"ftyp", b"mp42\0\0\0\0"));
    refused(&[part(b"ftyp", b"heic\0\0\0\0"), file].concat());
    let beyond = track(b"meta", b"").windows(4).collect::<Vec<_>>().concat();
    refused(&movie(&part(b"trak", &beyond)));
}

#[test]
fn the_number_of_changes_is_limited() {
    let foreign = |count: u32| {
        let tags: Vec<u8> = (0..count).flat_map(|_| part(b"tags", b"")).collect();
        [part(b"ftyp", b"mp42\0\0\0\0"), tags, part(b"moov", &track(b"vide", b""))].concat()
    };
    accepted(&foreign(CHANGES));
    refused(&foreign(CHANGES + 1));
    // Chunks without samples: each makes three far jumps.
    let empty = |count: u32| {
        let hdlr = part(b"hdlr", b"\0\0\0\0\0\0\0\0meta\0\0\0\0\0\0\0\0\0\0\0\0");
        let runs = part(b"stsc", &numbers(&[0, 1, u32::MAX, 1, 1]));
        let offsets: Vec<u32> = [0, count].into_iter().chain((0..count).map(|_| 0)).collect();
        let far = part(b"free", &[0; 70_000]);
        let table = [part(b"stsz", &numbers(&[0, 0, 0])), runs, far, part(b"stco", &numbers(&offsets))].concat();
        let media = part(b"mdia", &[hdlr, part(b"minf", &part(b"stbl", &table))].concat());
        [part(b"ftyp", b"mp42\0\0\0\0"), part(b"moov", &part(b"trak", &media))].concat()
    };
    // The track itself becomes an empty box, which makes two.
    accepted(&empty(CHANGES - 2));
    refused(&empty(CHANGES + 1));
}

fn element(id: &[u8], content: &[u8]) -> Vec<u8> {
    [id, &[0x40 | u8::try_from(content.len() >> 8).unwrap(), content.len() as u8], content].concat()
}

#[test]
fn a_webm_keeps_pictures_and_sound_only() {
    let header = element(&[0x1A, 0x45, 0xDF, 0xA3], b"webm");
    let tags = |content: &[u8]| element(&[0x12, 0x54, 0xC3, 0x67], content);
    let cluster = element(&[0x1F, 0x43, 0xB6, 0x75], b"pictures");
    let chapters = element(&[0x10, 0x43, 0xA7, 0x70], PLACE);
    let content = [tags(PLACE), tags(b""), chapters, cluster, element(&[0xEC], PLACE)].concat();
    let clean = stripped(&[header.clone(), element(&[0x18, 0x53, 0x80, 0x67], &content), PLACE.to_vec()].concat());
    assert!(!contains(&clean, PLACE) && contains(&clean, b"pictures"));

    // As a browser records it: lengths are unknown, and blocks follow one another.
    let open = [header, [0x18, 0x53, 0x80, 0x67, 0x01].to_vec(), vec![0xFF; 7]].concat();
    let live = [[0x1F, 0x43, 0xB6, 0x75, 0xFF].to_vec(), element(&[0xA3], b"pictures"), tags(PLACE)].concat();
    let clean = stripped(&[open, live].concat());
    assert!(!contains(&clean, PLACE) && contains(&clean, b"pictures"));
}

/// A WebM with these facts, and tracks of these types.
fn webm(facts: &[u8], types: &[&[u8]]) -> Vec<u8> {
    let name = element(&[0x53, 0x6E], PLACE);
    let track = |kind: &&[u8]| {
        let kind = element(&[0x83], kind);
        element(&[0xAE], &[element(&[0xBF], b"crc."), element(&[0x86], b"V_VP8"), kind, name.clone()].concat())
    };
    let tracks = [types.iter().flat_map(track).collect(), element(&[0xEC], PLACE), name.clone()].concat();
    let content = [element(&[0x15, 0x49, 0xA9, 0x66], facts), element(&[0x16, 0x54, 0xAE, 0x6B], &tracks)].concat();
    [element(&[0x1A, 0x45, 0xDF, 0xA3], b"webm"), element(&[0x18, 0x53, 0x80, 0x67], &content)].concat()
}

#[test]
fn a_webm_keeps_no_titles_names_and_checksums() {
    let title = element(&[0x7B, 0xA9], PLACE);
    let (scale, program) = (element(&[0x2A, 0xD7, 0xB1], b"scale"), element(&[0x57, 0x41], PLACE));
    let facts =
        [element(&[0xBF], b"crc."), scale, title.clone(), element(&[0x44, 0x61], b"8 bytes!"), program].concat();
    let clean = stripped(&webm(&facts, &[&[1], &[2]]));
    assert!(!contains(&clean, PLACE) && !contains(&clean, b"8 bytes!") && !contains(&clean, b"crc."));
    assert!(contains(&clean, b"scale") && contains(&clean, b"V_VP8"));
    assert!(contains(&clean, &element(&[0x57, 0x41], &[0; PLACE.len()])), "the program is there, without a name");
    // Subtitles, no type at all, two types, and a child that is longer than its parent.
    for types in [&[17_u8] as &[u8], &[], &[0, 1]] {
        refused(&webm(&facts, &[&[1], types]));
    }
    refused(&webm(&title[..title.len() - 1], &[&[1]]));
}

#[test]
fn what_is_not_known_is_refused() {
    for file in [b"".as_slice(), b"short", b"GIF89a..........", b"<svg xmlns=....", b"\xFF\xD8\xFF\xE1\xFF\xFFExif.."] {
        refused(file);
    }
}

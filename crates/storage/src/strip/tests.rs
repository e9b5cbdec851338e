use std::io::Cursor;

use image::{ExtendedColorType, ImageEncoder};

use super::strip;
use super::tape::CHANGES;

const PLACE: &[u8] = b"+48.8577+002.295/";

fn contains(file: &[u8], text: &[u8]) -> bool {
    file.windows(text.len()).any(|window| window == text)
}

/// Strips a file that is known, and checks that a repetition changes nothing.
#[track_caller]
fn stripped(file: &[u8]) -> Vec<u8> {
    let mut once = file.to_vec();
    assert!(strip(&mut Cursor::new(&mut once)).unwrap(), "it is known");
    assert_eq!(once.len(), file.len(), "the length stays");
    let mut twice = once.clone();
    assert!(strip(&mut Cursor::new(&mut twice)).unwrap());
    assert!(once == twice, "a repetition changes nothing");
    once
}

#[track_caller]
fn refused(file: &[u8]) {
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
    let file = [&plain[..2], &told, &plain[2..], &after].concat();
    let clean = stripped(&file);
    assert!(!contains(&clean, PLACE) && contains(&clean, b"ICC_PROFILE"));
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

fn part(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
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

fn numbers(numbers: &[u32]) -> Vec<u8> {
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
    let file = movie(&[track(b"vide", b""), track(b"meta", b"")].concat());
    let clean = stripped(&file);
    assert_eq!(clean[40..48], [0; 8]);
    assert_eq!(clean[60..68], [0; 8]);
    assert_eq!((&clean[..40], &clean[48..60], &clean[68..224]), (&file[..40], &file[48..60], &file[68..224]));
    assert!(!contains(&clean, b"meta"));
    let fragmented = [track(b"meta", b""), part(b"mvex", b"")].concat();
    refused(&movie(&fragmented));
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
    stripped(&foreign(CHANGES));
    refused(&foreign(CHANGES + 1));
}

fn element(id: &[u8], content: &[u8]) -> Vec<u8> {
    [id, &[0x40 | u8::try_from(content.len() >> 8).unwrap(), content.len() as u8], content].concat()
}

#[test]
fn a_webm_keeps_pictures_and_sound_only() {
    let header = element(&[0x1A, 0x45, 0xDF, 0xA3], b"webm");
    let tags = |content: &[u8]| element(&[0x12, 0x54, 0xC3, 0x67], content);
    let cluster = element(&[0x1F, 0x43, 0xB6, 0x75], b"pictures");
    let content = [tags(PLACE), tags(b""), cluster, element(&[0xEC], PLACE)].concat();
    let clean = stripped(&[header.clone(), element(&[0x18, 0x53, 0x80, 0x67], &content), PLACE.to_vec()].concat());
    assert!(!contains(&clean, PLACE) && contains(&clean, b"pictures"));

    // As a browser records it: lengths are unknown, and blocks follow one another.
    let open = [header, [0x18, 0x53, 0x80, 0x67, 0x01].to_vec(), vec![0xFF; 7]].concat();
    let live = [[0x1F, 0x43, 0xB6, 0x75, 0xFF].to_vec(), element(&[0xA3], b"pictures"), tags(PLACE)].concat();
    let clean = stripped(&[open, live].concat());
    assert!(!contains(&clean, PLACE) && contains(&clean, b"pictures"));
}

#[test]
fn what_is_not_known_is_refused() {
    for file in [b"".as_slice(), b"short", b"GIF89a..........", b"<svg xmlns=....", b"\xFF\xD8\xFF\xE1\xFF\xFFExif.."] {
        refused(file);
    }
}

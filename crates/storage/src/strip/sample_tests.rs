//! User data within the samples of movies.

use super::tests::{contains, numbers, part, refused, stripped};

const PLACE: &[u8] = b"+48.8577+002.295/";
const UUID: [u8; 16] = [0xDC; 16];
/// A message that players need: where pictures can be shown from.
const RECOVERY: &[u8] = &[6, 1, 0xC4];

fn unit(content: &[u8]) -> Vec<u8> {
    [&u32::try_from(content.len()).unwrap().to_be_bytes()[..], content].concat()
}

/// A message of unregistered user data.
fn user_data(text: &[u8]) -> Vec<u8> {
    let size = UUID.len() + text.len();
    let mut message = vec![5];
    message.extend(std::iter::repeat_n(0xFF, size / 255));
    message.push(u8::try_from(size % 255).unwrap());
    [&message, &UUID[..], text].concat()
}

/// A sample of H.264: messages, then a picture.
fn sample(messages: &[&[u8]], picture: &[u8]) -> Vec<u8> {
    [unit(&[&[6][..], &messages.concat(), &[0x80]].concat()), unit(&[&[0x65], picture].concat())].concat()
}

fn description(kind: &[u8; 4], settings: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let entry = part(kind, &[vec![0; 78], part(settings, content)].concat());
    part(b"stsd", &[numbers(&[0, 1]), entry].concat())
}

fn avc() -> Vec<u8> {
    description(b"avc1", b"avcC", &[1, 66, 0, 30, 0xFF, 0xE0, 0])
}

/// A track with these descriptions, and samples one behind the other from `at` on.
fn track(description: &[u8], at: u32, samples: &[Vec<u8>]) -> Vec<u8> {
    let sizes: Vec<u32> = samples.iter().map(|sample| u32::try_from(sample.len()).unwrap()).collect();
    let count = u32::try_from(samples.len()).unwrap();
    let sizes = part(b"stsz", &[numbers(&[0, 0, count]), numbers(&sizes)].concat());
    let runs = part(b"stsc", &numbers(&[0, 1, 1, count, 1]));
    let offsets = part(b"stco", &numbers(&[0, u32::from(count > 0), at]));
    let table = part(b"stbl", &[description, &sizes, &runs, &offsets].concat());
    let hdlr = part(b"hdlr", &[b"\0\0\0\0\0\0\0\0vide".as_slice(), &[0; 12]].concat());
    let header = part(b"tkhd", &numbers(&[0, 0, 0, 7]));
    part(b"trak", &[header, part(b"mdia", &[hdlr, part(b"minf", &table)].concat())].concat())
}

/// A movie of these samples.
fn movie(description: &[u8], samples: &[Vec<u8>]) -> Vec<u8> {
    let begin = part(b"ftyp", b"mp42\0\0\0\0");
    let at = u32::try_from(begin.len() + 8).unwrap();
    [begin, part(b"mdat", &samples.concat()), part(b"moov", &track(description, at, samples))].concat()
}

#[test]
fn user_data_within_h264_goes_and_pictures_stay() {
    // Longer than one byte can say, and with the bytes that keep a start code away.
    let long = [PLACE, &[0, 0, 3, 1, 0, 0, 3, 0], &[b'x'; 300], PLACE].concat();
    let mut counted = user_data(&long);
    // Two of the bytes are no content.
    counted[2] -= 2;
    let samples = [
        sample(&[&user_data(PLACE)], b"first"),
        sample(&[RECOVERY, &counted, RECOVERY], b"second"),
        // Registered: captions, and what drones write.
        sample(&[&[&[4, 17][..], PLACE].concat()], b"third"),
        // A size that is wrong.
        sample(&[&[&[5, 200][..], PLACE].concat()], b"fourth"),
        // The same bytes are a picture where the unit is one.
        unit(&[&[0x65, 5, 9][..], b"a picture"].concat()),
    ];
    let file = movie(&avc(), &samples);
    let clean = stripped(&file);
    assert!(!contains(&clean, PLACE) && !contains(&clean, &UUID[..8]) && !contains(&clean, b"xxx"));
    for kept in [&b"first"[..], b"second", b"third", b"fourth", b"a picture"] {
        assert!(contains(&clean, kept), "{}", String::from_utf8_lossy(kept));
    }
    assert_eq!(clean.windows(3).filter(|window| *window == RECOVERY).count(), 2, "other messages stay");
    let length = |bytes: &[u8]| usize::try_from(u32::from_be_bytes(bytes.try_into().unwrap())).unwrap();
    let mut units = &clean[24..16 + length(&clean[16..20])];
    while !units.is_empty() {
        let (unit, next) = units[4..].split_at(length(&units[..4]));
        assert!(!unit.windows(3).any(|window| window == [0, 0, 1]), "no start code appears");
        units = next;
    }
    // What becomes of it is filler, of the same length.
    assert_eq!(clean[28..32], [6, 3, 33, 0xFF]);
}

#[test]
fn what_follows_two_zeros_is_not_read_as_a_byte_that_keeps_a_start_code_away() {
    let timing = [1, 2, 0, 0];
    let clean = stripped(&movie(&avc(), &[sample(&[&timing, &user_data(PLACE), RECOVERY], b"picture")]));
    assert!(!contains(&clean, PLACE) && contains(&clean, &[1, 2, 0, 0, 0xFE]) && contains(&clean, RECOVERY));
}

#[test]
fn user_data_within_h265_goes() {
    let hevc = description(b"hvc1", b"hvcC", &[[1; 21].as_slice(), &[0xFF, 0]].concat());
    let message = [&[39 << 1, 1], &user_data(PLACE)[..], &[0x80]].concat();
    let after = [&[40 << 1, 1], &user_data(PLACE)[..], &[0x80]].concat();
    let picture = [&[1 << 1, 1][..], b"picture"].concat();
    let clean = stripped(&movie(&hevc, &[[unit(&message), unit(&picture), unit(&after)].concat()]));
    assert!(!contains(&clean, PLACE) && contains(&clean, b"picture"));
}

#[test]
fn units_that_are_longer_than_their_sample_are_refused() {
    let mut broken = sample(&[&user_data(PLACE)], b"first");
    broken[3] += 100;
    refused(&movie(&avc(), &[broken]));
    // Samples beyond the file, and the same bytes again and again.
    let good = sample(&[RECOVERY], b"first");
    let begin = [part(b"ftyp", b"mp42\0\0\0\0"), part(b"mdat", &good)].concat();
    refused(&[begin.clone(), part(b"moov", &track(&avc(), 1 << 30, std::slice::from_ref(&good)))].concat());
    let again = |count: u32| {
        let size = u32::try_from(good.len()).unwrap();
        let offsets: Vec<u32> = [0, count].into_iter().chain((0..count).map(|_| 24)).collect();
        let tables = [
            avc(),
            part(b"stsz", &numbers(&[0, size, count])),
            part(b"stsc", &numbers(&[0, 1, 1, 1, 1])),
            part(b"stco", &numbers(&offsets)),
        ];
        let hdlr = part(b"hdlr", &[b"\0\0\0\0\0\0\0\0vide".as_slice(), &[0; 12]].concat());
        let media = part(b"mdia", &[hdlr, part(b"minf", &part(b"stbl", &tables.concat()))].concat());
        [begin.clone(), part(b"moov", &part(b"trak", &media))].concat()
    };
    stripped(&again(2));
    refused(&again(10_000));
}

/// A movie without samples of its own, and a fragment with them. `header` and `run` are flags and fields.
fn fragmented(header: &[u32], run: &[u32], samples: &[Vec<u8>]) -> Vec<u8> {
    let extension = part(b"mvex", &part(b"trex", &numbers(&[0, 7, 1, 0, 33, 0])));
    let begin = [part(b"ftyp", b"mp42\0\0\0\0"), part(b"moov", &[track(&avc(), 0, &[]), extension].concat())].concat();
    let track = [part(b"tfhd", &numbers(header)), part(b"trun", &numbers(run))].concat();
    let fragment = part(b"moof", &[part(b"mfhd", &numbers(&[0, 1])), part(b"traf", &track)].concat());
    [begin, fragment, part(b"mdat", &samples.concat())].concat()
}

#[test]
fn user_data_within_fragments_goes() {
    let samples = [sample(&[&user_data(PLACE)], b"first"), sample(&[&user_data(PLACE)], b"and the second")];
    let [first, second] = [&samples[0], &samples[1]].map(|sample| u32::try_from(sample.len()).unwrap());
    // Boxes before the data: fragment, its header, track, header, run, and the head of the data.
    let offset = |header: u32, run: u32| 8 + 16 + 8 + 8 + header + 8 + run + 8;
    // As browsers and phones write them: from the fragment on, with a size for each sample, some with times.
    let sized = fragmented(&[0x02_0000, 7], &[0x201, 2, offset(8, 20), first, second], &samples);
    let timed =
        fragmented(&[0x02_002A, 7, 1, 9, 0], &[0xF05, 2, offset(20, 48), 0, 1, first, 0, 0, 1, second, 0, 0], &samples);
    for file in [sized, timed] {
        let clean = stripped(&file);
        assert!(!contains(&clean, PLACE));
        assert!(contains(&clean, b"first") && contains(&clean, b"and the second"));
    }
    // One size for all.
    let same = [samples[0].clone(), samples[0].clone()];
    let clean = stripped(&fragmented(&[0x02_0010, 7, first], &[0x1, 2, offset(12, 12)], &same));
    assert!(!contains(&clean, PLACE));
    // A track that the movie does not have, and samples beyond the file.
    refused(&fragmented(&[0x02_0000, 8], &[0x201, 2, offset(8, 20), first, second], &samples));
    refused(&fragmented(&[0x02_0000, 7], &[0x201, 2, offset(8, 20), first, second + 1], &samples));
}

#![no_main]

use libfuzzer_sys::fuzz_target;

// The first byte says what the others are: which content type, sent with which verb.
fuzz_target!(|bytes: &[u8]| {
    if let Some((choice, body)) = bytes.split_first() {
        rest::fuzzing::read_body(*choice, body);
    }
});

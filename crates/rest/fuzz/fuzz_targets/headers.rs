#![no_main]

use libfuzzer_sys::fuzz_target;
use rest::fuzzing::{Grammar, read};

// The first byte says which header the others are: Prefer, Range (with limit and offset) or Accept.
fuzz_target!(|bytes: &[u8]| {
    if let Some((choice, text)) = bytes.split_first()
        && let Ok(text) = std::str::from_utf8(text)
    {
        read(Grammar::of_headers(*choice), text);
    }
});

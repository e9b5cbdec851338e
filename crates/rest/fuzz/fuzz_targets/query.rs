#![no_main]

use libfuzzer_sys::fuzz_target;
use rest::fuzzing::{Grammar, read};

fuzz_target!(|text: &str| {
    read(Grammar::Query, text);
});

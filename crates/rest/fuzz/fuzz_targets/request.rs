#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use rest::fuzzing::{Generated, World, check};

static WORLD: LazyLock<World> = LazyLock::new(World::invented);

// Whole requests, planned against a catalog that was made up. The first byte says whether the others are the choices that
// a request is made from, or its text.
fuzz_target!(|bytes: &[u8]| {
    let Some((choice, rest)) = bytes.split_first() else { return };
    let request = match (choice % 2, std::str::from_utf8(rest)) {
        (1, Ok(text)) => Generated::of_text(text),
        _ => WORLD.request(rest),
    };
    if let Ok(statements) = WORLD.statements(&request) {
        for text in statements {
            check(&text, &request.markers, &["note", "a note"]).expect("the text is ours");
        }
    }
});

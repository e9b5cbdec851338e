//! Marks tests that this machine cannot run.

use std::io::Write;

/// Records that the running test is skipped, and why; the caller then returns. `make test` lists skipped tests. With
/// CI=true it fails because of them, unless `reason` says `../shared is absent` or names `GOTRUE_BIN`.
pub fn skip(reason: &str) {
    let test = std::thread::current().name().unwrap_or("?").to_owned();
    eprintln!("skipped {test}: {reason}");
    if let Some(list) = std::env::var_os("DUGOUT_TEST_SKIPS") {
        let mut list = std::fs::OpenOptions::new().append(true).create(true).open(list).unwrap();
        writeln!(list, "{test}: {reason}").unwrap();
    }
}

//! Tests that cannot be done on this machine say so.

use std::io::Write;

/// Notes that the running test is not done here and why; `make test` lists it, and fails for it where CI=true, unless
/// `reason` says that `../shared is absent` or names `GOTRUE_BIN`. The test then returns.
pub fn skip(reason: &str) {
    let test = std::thread::current().name().unwrap_or("?").to_owned();
    eprintln!("skipped {test}: {reason}");
    if let Some(list) = std::env::var_os("DUGOUT_TEST_SKIPS") {
        let mut list = std::fs::OpenOptions::new().append(true).create(true).open(list).unwrap();
        writeln!(list, "{test}: {reason}").unwrap();
    }
}

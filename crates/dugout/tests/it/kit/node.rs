//! Helper programs that need Node, because they use npm libraries.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::architecture::root;

/// Runs a script of `crates/dugout/tests` with JSON as input and output.
///
/// # Panics
/// When the script fails; the message shows its output.
pub fn node(script: &str, input: &Value) -> Value {
    let mut child = Command::new("node")
        .arg(root().join("crates/dugout/tests").join(script))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("these tests need node");
    child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script} (which needs `npm ci` in the root) failed: {said}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{script}: {error}: {said}"))
}

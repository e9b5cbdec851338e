//! `[storage]` of config.toml.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Problem, Resolved};

/// Storage's settings; `None` where it is not enabled.
pub(super) fn config(resolved: &Resolved, data_dir: &Path, problems: &mut Vec<Problem>) -> Option<storage::Config> {
    let enabled: bool = resolved.parse("storage.enabled", "true or false", problems).unwrap_or(true);
    let defaults = storage::Config::default();
    let limit = resolved.given("storage.file_size_limit").map(bytes);
    if limit == Some(None) {
        resolved.complain("storage.file_size_limit", "must be a size such as 50MiB, or a number of bytes", problems);
    }
    let life = resolved.parse("storage.signed_upload_life", "a number of seconds", problems).map(Duration::from_secs);
    let config = storage::Config {
        file_size_limit: limit.flatten().unwrap_or(defaults.file_size_limit),
        folder: resolved.given("storage.folder").map_or_else(|| data_dir.join("storage"), PathBuf::from),
        signed_upload_life: life.unwrap_or(defaults.signed_upload_life),
        ..defaults
    };
    enabled.then_some(config)
}

/// A size as the Supabase CLI reads it: `50MiB`, `50MB` and `50m` are all 50 times 1024 times 1024.
fn bytes(text: &str) -> Option<u64> {
    let lower = text.trim().to_ascii_lowercase();
    let digits = lower.find(|character: char| !character.is_ascii_digit()).unwrap_or(lower.len());
    let (number, unit) = lower.split_at(digits);
    let shift = match unit.trim().trim_end_matches('b').trim_end_matches('i') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_binary_as_the_cli_has_them() {
        for (text, found) in [
            ("50MiB", Some(50 << 20)),
            ("50MB", Some(50 << 20)),
            ("1g", Some(1 << 30)),
            ("52428800", Some(52_428_800)),
            ("0", Some(0)),
            ("", None),
            ("MiB", None),
            ("1.5MB", None),
            ("99999999999TB", None),
        ] {
            assert_eq!(bytes(text), found, "{text}");
        }
    }
}

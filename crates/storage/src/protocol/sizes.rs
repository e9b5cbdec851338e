//! Sizes with units, `20MB`.

use crate::error::StorageError;

/// A size such as `20MB`, `1.5gb` or `7b` in bytes. Units are decimal; the number is rounded to three significant
/// digits.
///
/// # Errors
/// `InvalidRequest`.
pub(crate) fn parse(text: &str) -> Result<i64, StorageError> {
    let wrong = || StorageError::invalid_request("Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B");
    let lower = text.to_ascii_lowercase();
    let (number, unit) = [("gb", 1e9), ("mb", 1e6), ("kb", 1e3), ("b", 1.0)]
        .into_iter()
        .find_map(|(suffix, unit)| lower.strip_suffix(suffix).map(|number| (number, unit)))
        .ok_or_else(wrong)?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return Err(wrong());
    }
    let value: f64 = number.parse().map_err(|_| wrong())?;
    let rounded: f64 = format!("{value:.2e}").parse().map_err(|_| wrong())?;
    let bytes = rounded * unit;
    // Larger doubles cannot represent every integer.
    if bytes > 9e15 {
        return Err(wrong());
    }
    #[expect(clippy::cast_possible_truncation, reason = "checked against the bound above")]
    Ok(bytes as i64)
}

/// A size as the Supabase CLI reads it: `50MiB`, `50MB` and `50m` are all 50 times 1024 times 1024.
pub(crate) fn binary(text: &str) -> Option<u64> {
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
            assert_eq!(binary(text), found, "{text}");
        }
    }

    #[test]
    fn units_are_decimal_and_numbers_have_three_digits() {
        for (text, bytes) in [
            ("20MB", Some(20_000_000)),
            ("1.5gb", Some(1_500_000_000)),
            ("30KB", Some(30_000)),
            ("3B", Some(3)),
            ("1234kb", Some(1_230_000)),
            ("0b", Some(0)),
            ("", None),
            ("20", None),
            ("mb", None),
            ("1.mb", None),
            (".5mb", None),
            ("-1mb", None),
            ("1e3mb", None),
            ("99999999999gb", None),
        ] {
            assert_eq!(parse(text).ok(), bytes, "{text:?}");
        }
    }
}

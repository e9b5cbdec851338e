//! Durations in Go's notation: `1h30m`, `-5s`, `250ms`.

use chrono::TimeDelta;

/// Go's `time.ParseDuration`.
///
/// # Errors
/// Go's message.
pub(crate) fn parse(text: &str) -> Result<TimeDelta, String> {
    let invalid = || format!("time: invalid duration {}", quoted(text));
    let (is_negative, mut rest) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    if rest == "0" {
        return Ok(TimeDelta::zero());
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut nanoseconds: u64 = 0;
    while !rest.is_empty() {
        let is_number = |character: char| character.is_ascii_digit() || character == '.';
        let (number, after) = rest.split_at(rest.find(|character| !is_number(character)).unwrap_or(rest.len()));
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') {
            return Err(invalid());
        }
        let (unit, after) = after.split_at(after.find(is_number).unwrap_or(after.len()));
        if unit.is_empty() {
            return Err(format!("time: missing unit in duration {}", quoted(text)));
        }
        let unit = nanoseconds_of(unit)
            .ok_or_else(|| format!("time: unknown unit {} in duration {}", quoted(unit), quoted(text)))?;
        let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| invalid())? };
        let part = format!("0.{fraction}0").parse::<f64>().unwrap_or_default() * unit as f64;
        let amount = whole.checked_mul(unit).and_then(|amount| amount.checked_add(part as u64));
        nanoseconds = amount.and_then(|amount| amount.checked_add(nanoseconds)).ok_or_else(invalid)?;
        rest = after;
    }
    // Go counts nanoseconds in 64 bits: a little more than 292 years.
    let signed = if is_negative { 0_i64.checked_sub_unsigned(nanoseconds) } else { i64::try_from(nanoseconds).ok() };
    signed.map(TimeDelta::nanoseconds).ok_or_else(invalid)
}

fn nanoseconds_of(unit: &str) -> Option<u64> {
    Some(match unit {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// A string as Go's package `time` quotes it: byte by byte.
fn quoted(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'"' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' | 0x7f => char::from(byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    };
    format!("\"{}\"", text.bytes().map(byte).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_gos() {
        for (text, milliseconds) in [
            ("0", 0),
            ("-0", 0),
            ("10s", 10_000),
            ("1h30m", 5_400_000),
            ("+1.5m", 90_000),
            (".5s", 500),
            ("-1h", -3_600_000),
            ("250ms", 250),
            ("87600h", 87_600 * 3_600_000),
        ] {
            assert_eq!(parse(text), Ok(TimeDelta::milliseconds(milliseconds)), "{text}");
        }
    }

    #[test]
    fn they_end_where_gos_end() {
        assert_eq!(parse("2562047h47m16.854775807s"), Ok(TimeDelta::nanoseconds(i64::MAX)));
        assert_eq!(parse("-2562047h47m16.854775808s"), Ok(TimeDelta::nanoseconds(i64::MIN)));
    }

    #[test]
    fn so_are_the_complaints() {
        for (text, complaint) in [
            ("", r#"time: invalid duration """#),
            ("x", r#"time: invalid duration "x""#),
            ("-", r#"time: invalid duration "-""#),
            (".s", r#"time: invalid duration ".s""#),
            ("1..5s", r#"time: invalid duration "1..5s""#),
            ("9999999999h", r#"time: invalid duration "9999999999h""#),
            ("10", r#"time: missing unit in duration "10""#),
            ("1h1", r#"time: missing unit in duration "1h1""#),
            ("1d", r#"time: unknown unit "d" in duration "1d""#),
            ("1e3s", r#"time: unknown unit "e" in duration "1e3s""#),
            ("1h -1s", r#"time: unknown unit "h -" in duration "1h -1s""#),
            ("2562047h47m16.854775808s", r#"time: invalid duration "2562047h47m16.854775808s""#),
            ("1\u{e9}", r#"time: unknown unit "\xc3\xa9" in duration "1\xc3\xa9""#),
        ] {
            assert_eq!(parse(text), Err(complaint.to_owned()), "{text}");
        }
    }
}

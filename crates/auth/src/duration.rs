//! Durations as Go writes them: `1h30m`, `-5s`, `250ms`.

use chrono::TimeDelta;

/// Go's `time.ParseDuration`.
///
/// # Errors
/// What Go says of it.
pub(crate) fn parse(text: &str) -> Result<TimeDelta, String> {
    let invalid = || format!("time: invalid duration {text:?}");
    let (sign, mut rest) = match text.as_bytes().first() {
        Some(b'-') => (-1.0, &text[1..]),
        Some(b'+') => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    if rest == "0" {
        return Ok(TimeDelta::zero());
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut nanoseconds = 0.0;
    while !rest.is_empty() {
        let is_number = |character: char| character.is_ascii_digit() || character == '.';
        let (number, after) = rest.split_at(rest.find(|character| !is_number(character)).unwrap_or(rest.len()));
        let amount: f64 = number.parse().map_err(|_| invalid())?;
        let (unit, after) = after.split_at(after.find(is_number).unwrap_or(after.len()));
        if unit.is_empty() {
            return Err(format!("time: missing unit in duration {text:?}"));
        }
        nanoseconds +=
            amount * nanoseconds_of(unit).ok_or_else(|| format!("time: unknown unit {unit:?} in duration {text:?}"))?;
        rest = after;
    }
    // Go counts nanoseconds in 64 bits: a little more than 292 years.
    if nanoseconds > i64::MAX as f64 {
        return Err(invalid());
    }
    Ok(TimeDelta::nanoseconds((sign * nanoseconds).round() as i64))
}

fn nanoseconds_of(unit: &str) -> Option<f64> {
    Some(match unit {
        "ns" => 1.0,
        "us" | "µs" | "μs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        "m" => 60e9,
        "h" => 3600e9,
        _ => return None,
    })
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
        ] {
            assert_eq!(parse(text), Err(complaint.to_owned()), "{text}");
        }
    }
}

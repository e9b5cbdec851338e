//! Compares time-outs in PostgreSQL's notation.

use super::limits::TIMEOUT_MS;

/// Whether a `statement_timeout` is shorter than this lane's. Malformed ones count as longer; PostgreSQL reports them.
pub(super) fn is_short(timeout: &str) -> bool {
    let timeout = timeout.trim();
    let digits = timeout.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(timeout.len());
    let (number, unit) = timeout.split_at(digits);
    let unit = match unit.trim() {
        "us" => 0.001,
        "" | "ms" => 1.0,
        "s" => 1000.0,
        _ => return false,
    };
    let (own, ours) = (number.parse().map(|number: f64| number * unit), TIMEOUT_MS.parse::<f64>());
    matches!((own, ours), (Ok(own), Ok(ours)) if own > 0.0 && own < ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_out_of_the_roles_own_may_be_shorter() {
        for (timeout, short) in [
            ("50", true),
            ("99ms", true),
            (" 50 ms ", true),
            ("0.05s", true),
            ("500us", true),
            ("0", false),
            ("100", false),
            ("3s", false),
            ("1min", false),
            ("-1", false),
            ("", false),
        ] {
            assert_eq!(is_short(timeout), short, "{timeout:?}");
        }
    }
}

//! Rounding as people do it: half up, in decimal.

/// Decimal places beyond the wanted ones that decide about rounding. What a computation in binary adds or loses is
/// smaller, and counts of a career have no quotient so close to a half.
const GUARD: usize = 8;

/// A number with this many decimal places. A half is rounded up: an ERA of 2.125 is 2.13, and 17 / 80 is .213, although
/// its binary value is a little smaller. Below zero a half is rounded down, and there is no `-0`.
#[must_use]
pub fn rounded(number: f64, places: usize) -> String {
    let exact = format!("{:.*}", places + GUARD, number.abs());
    let Some((kept, cut)) = exact.split_at_checked(exact.len().saturating_sub(GUARD)) else {
        return format!("{number:.places$}");
    };
    let up = cut.starts_with(['5', '6', '7', '8', '9']);
    let digits: String = kept.chars().filter(char::is_ascii_digit).collect();
    // Neither infinite nor beyond 38 digits.
    let Some(value) = digits.parse::<u128>().ok().and_then(|value| value.checked_add(u128::from(up))) else {
        return format!("{number:.places$}");
    };
    let digits = format!("{value:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let sign = if number < 0.0 && value > 0 { "-" } else { "" };
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn a_half_is_rounded_up_in_decimal() {
        for (number, places, expected) in [
            (2.125, 2, "2.13"),
            (17.0 / 80.0, 3, "0.213"),
            (9.0 * 5.0 / (200.0 / 3.0), 2, "0.68"),
            (0.5, 0, "1"),
            (1.5, 0, "2"),
            (2.5, 0, "3"),
            (0.045 * 100.0, 0, "5"),
            (1.005, 2, "1.01"),
            (0.9995, 3, "1.000"),
            (9.995, 2, "10.00"),
            (2.124_999_9, 2, "2.12"),
            (1.0 / 3.0, 3, "0.333"),
            (0.0, 3, "0.000"),
            (100.0, 0, "100"),
        ] {
            assert_eq!(rounded(number, places), expected, "{number}");
        }
    }

    #[test]
    fn below_zero_it_mirrors_and_zero_has_no_sign() {
        for (number, places, expected) in
            [(-2.125, 2, "-2.13"), (-0.0, 1, "0.0"), (-0.04, 1, "0.0"), (-0.05, 1, "-0.1"), (-0.4, 0, "0")]
        {
            assert_eq!(rounded(number, places), expected, "{number}");
        }
    }

    #[test]
    fn numbers_without_end_do_not_panic() {
        for number in [f64::NAN, f64::INFINITY, f64::MAX, f64::MIN_POSITIVE, 1e30] {
            assert!(!rounded(number, 3).is_empty());
        }
    }
}

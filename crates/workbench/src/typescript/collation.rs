//! The order of names: that of `Intl.Collator("en")`, the Unicode collation algorithm with CLDR's root table. Exact for ASCII;
//! other letters follow their base letter, and other scripts come after Latin.

use std::cmp::Ordering;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// ASCII before letters, in the table's order. Control characters besides white space are ignored.
const BEFORE_LETTERS: &str = "\t\n\u{b}\u{c}\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789";

/// First the letters, then their marks, then capitals, which come after small letters.
pub(super) fn compare(a: &str, b: &str) -> Ordering {
    let (a, b) = (weights(a), weights(b));
    let by = |level: fn(&Weight) -> u32| a.iter().map(level).cmp(b.iter().map(level));
    by(|weight| weight.letter).then_with(|| by(|weight| weight.mark)).then_with(|| by(|weight| weight.capital))
}

#[derive(Debug, Default)]
struct Weight {
    letter: u32,
    mark: u32,
    capital: u32,
}

fn weights(text: &str) -> Vec<Weight> {
    let mut weights: Vec<Weight> = Vec::new();
    for c in text.nfd() {
        if is_combining_mark(c) {
            if let Some(last) = weights.last_mut() {
                last.mark = last.mark.wrapping_mul(0x1_0001).wrapping_add(u32::from(c));
            }
            continue;
        }
        let special = BEFORE_LETTERS.chars().position(|special| special == c);
        if special.is_none() && c.is_control() {
            continue;
        }
        let small = c.to_lowercase().next().unwrap_or(c);
        let letter = special.map_or(1_000 + u32::from(small), |place| u32::try_from(place).unwrap_or_default());
        weights.push(Weight { letter, mark: 0, capital: u32::from(c.is_uppercase()) });
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_of_the_original() {
        // Printed by node: [...].sort(new Intl.Collator("en").compare).
        let sorted = [
            "", "_", "_a", "a", "A", "a b", "a_1", "a_b", "a-b", "a$", "a1", "a10", "a2", "aa", "Aa", "aB", "Ab", "b",
            "e", "é", "É", "eb", "z", "α", "я",
        ];
        let mut names: Vec<&str> = sorted.iter().rev().copied().collect();
        names.sort_by(|a, b| compare(a, b));
        assert_eq!(names, sorted);
        assert_eq!(compare("\u{1}a", "a"), Ordering::Equal);
    }
}

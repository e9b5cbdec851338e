//! Spellings of other eras and programs: read as today's notation, printed as written.

use smol_str::SmolStr;

/// An event as written, where that differs from the notation of today.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelling {
    written: SmolStr,
    /// The event in today's notation.
    modern: SmolStr,
}

/// Codes of other eras and what they are today. `POSB2`: picked off, but safe on second base, which is a stolen base.
const CODES: &[(&str, &str)] = &[("OBA", "OA"), ("HBP", "HP"), ("POSB", "SB")];

impl Spelling {
    pub(super) fn new(written: &str, modern: &str) -> Self {
        Spelling { written: SmolStr::new(written), modern: SmolStr::new(modern) }
    }

    /// The text as written, unless the event has been changed since.
    pub(super) fn of(&self, printed: &str) -> Option<&str> {
        (self.modern == printed).then_some(self.written.as_str())
    }
}

/// The text in today's notation: in capitals, with today's codes, and without signs between or after fielders (`63+`,
/// `8-`, `6-3`). The result may still violate the notation.
pub(super) fn modernized(text: &str) -> String {
    let capitals = text.to_ascii_uppercase();
    let code = capitals.find(['/', '.']).unwrap_or(capitals.len());
    let (basic, rest) = capitals.split_at(code);
    let mut modern = String::with_capacity(text.len());
    for (index, part) in basic.split_inclusive(['+', ';']).enumerate() {
        // Only the first code of an event is a batter's.
        let known = CODES.iter().find(|(old, _)| part.starts_with(old) && (index == 0 || *old != "HBP"));
        match known.and_then(|(old, new)| Some((new, part.strip_prefix(old)?))) {
            Some((new, rest)) => modern.extend([*new, rest]),
            None => modern.push_str(part),
        }
    }
    let mut modern = without_signs(&modern);
    modern.push_str(rest);
    modern
}

/// Removes signs after fielders. A plus before a letter begins a running play: `K23+WP`.
fn without_signs(basic: &str) -> String {
    let letters: Vec<char> = basic.chars().collect();
    let is_sign = |at: usize| {
        let before = letters[..at].iter().rev().find(|letter| !matches!(letter, '!' | '?' | '#' | ' ' | '+' | '-'));
        let after = letters[at + 1..].iter().find(|letter| !matches!(letter, '!' | '?' | '#' | ' '));
        matches!(letters[at], '+' | '-')
            && before.is_some_and(|letter| letter.is_ascii_digit() || *letter == ')')
            && !after.is_some_and(char::is_ascii_alphabetic)
    };
    (0..letters.len()).filter(|at| !is_sign(*at)).map(|at| letters[at]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::parse_event;

    #[test]
    fn other_spellings_mean_todays_and_are_printed_as_written() {
        for (written, modern) in [
            ("OBA.1-2", "OA.1-2"),
            ("K+OBA.1-2", "K+OA.1-2"),
            ("HBP.1-2", "HP.1-2"),
            ("POSB2(13)", "SB2(13)"),
            ("SB3;POSB2", "SB3;SB2"),
            ("63+/G", "63/G"),
            ("8-/F8", "8/F8"),
            ("64(1)3-/GDP", "64(1)3/GDP"),
            ("6-3/G", "63/G"),
            ("S7+", "S7"),
            ("8!-/F", "8!/F"),
            ("s7/g6.b-2(e7/th);1xh(72)", "S7/G6.B-2(E7/TH);1XH(72)"),
            ("k23+wp", "K23+WP"),
            ("7#/f", "7#/F"),
        ] {
            let mut event = parse_event(written).unwrap_or_else(|error| panic!("{written}: {error}"));
            assert_eq!(event.to_string(), written);
            event.respell();
            assert_eq!(event, parse_event(modern).unwrap());
        }
    }

    #[test]
    fn a_changed_event_is_printed_in_todays_notation() {
        let mut event = parse_event("hbp.1-2").unwrap();
        event.advances.clear();
        assert_eq!(event.to_string(), "HP");
    }

    #[test]
    fn an_error_has_its_position_in_the_text_as_written() {
        for (text, at) in [("s7.1+2", 0), ("63+/G.4-1", 2), ("K+HBP", 2), ("+63", 0)] {
            assert_eq!(parse_event(text).unwrap_err().at, at, "{text}");
        }
    }
}

//! The fielders who touched the ball: `643`, `6E3`, `E5`.

use smol_str::SmolStr;

/// A sequence of fielders, each with or without an error. Stored as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fielding(SmolStr);

/// One fielder of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// Position 1 to 9; 0 if unknown.
    pub fielder: u8,
    /// The fielder made an error.
    pub error: bool,
}

impl Fielding {
    /// Parses a sequence: digits, with `E` before the digit of a fielder who erred. `E` alone is an error of an unknown
    /// fielder.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let mut after_error = false;
        for byte in text.bytes() {
            match byte {
                b'0'..=b'9' => after_error = false,
                b'E' if !after_error => after_error = true,
                _ => return None,
            }
        }
        Some(Fielding(SmolStr::new(text)))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True if no fielder is named.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if there was an error.
    #[must_use]
    pub fn has_error(&self) -> bool {
        self.0.contains('E')
    }

    /// True if it resulted in an out: fielders are named and none erred.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        !self.is_empty() && !self.has_error()
    }

    /// The fielders in order. `99` stands for one unknown fielder.
    pub fn touches(&self) -> impl Iterator<Item = Touch> + '_ {
        let text = if self.0 == "99" { "0" } else { self.0.as_str() };
        let mut bytes = text.bytes().peekable();
        std::iter::from_fn(move || match bytes.next()? {
            b'E' => {
                let fielder = bytes.next_if(u8::is_ascii_digit).map_or(0, |digit| digit - b'0');
                Some(Touch { fielder, error: true })
            }
            digit => Some(Touch { fielder: digit.wrapping_sub(b'0'), error: false }),
        })
    }

    /// The first fielder who touched the ball, if known.
    #[must_use]
    pub fn first(&self) -> Option<u8> {
        self.touches().next().map(|touch| touch.fielder).filter(|fielder| *fielder > 0)
    }

    /// The last fielder who touched the ball, if known.
    #[must_use]
    pub fn last(&self) -> Option<u8> {
        self.touches().last().map(|touch| touch.fielder).filter(|fielder| *fielder > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touches(text: &str) -> Vec<(u8, bool)> {
        Fielding::new(text).unwrap().touches().map(|touch| (touch.fielder, touch.error)).collect()
    }

    #[test]
    fn an_error_belongs_to_the_fielder_after_the_letter() {
        assert_eq!(touches("6E3"), [(6, false), (3, true)]);
        assert_eq!(touches("E54"), [(5, true), (4, false)]);
        assert_eq!(touches("E"), [(0, true)]);
        assert_eq!(touches(""), []);
    }

    #[test]
    fn two_nines_mean_an_unknown_fielder() {
        assert_eq!(touches("99"), [(0, false)]);
        assert_eq!(touches("999"), [(9, false); 3]);
        assert_eq!(Fielding::new("99").unwrap().first(), None);
    }

    #[test]
    fn other_letters_are_refused() {
        assert_eq!(Fielding::new("6A"), None);
        assert_eq!(Fielding::new("EE3"), None);
    }
}

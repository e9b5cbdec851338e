//! `!` (fine play), `?` and `#` (uncertain): marks that may appear anywhere and have no effect. Spaces and trailing
//! separators are stored in the same way, so that printing reproduces them.

/// The marks of an event, each with its offset in the text. An event's value is the same with and without them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks(Vec<(u16, u8)>);

impl Marks {
    /// Removes the marks from a text that is shorter than 64 KiB.
    pub(super) fn strip(text: &str) -> (std::borrow::Cow<'_, str>, Marks) {
        if !text.bytes().any(is_mark) {
            return (text.into(), Marks::default());
        }
        let marks = text.bytes().enumerate().filter(|(_, byte)| is_mark(*byte));
        let marks = marks.filter_map(|(at, byte)| Some((u16::try_from(at).ok()?, byte))).collect();
        let rest: String =
            text.chars().filter(|letter| u8::try_from(*letter).map_or(true, |byte| !is_mark(byte))).collect();
        (rest.into(), Marks(marks))
    }

    /// Puts the marks back in their places.
    pub(super) fn insert_into(&self, text: &mut String) {
        for (at, byte) in &self.0 {
            let at = usize::from(*at);
            if text.is_char_boundary(at) {
                text.insert(at, char::from(*byte));
            }
        }
    }

    /// Adds a character without meaning at this offset of the text without marks.
    pub(super) fn add(&mut self, at: usize, byte: u8) {
        if let Ok(at) = u16::try_from(self.original(at)) {
            let place = self.0.partition_point(|(before, _)| *before < at);
            self.0.insert(place, (at, byte));
        }
    }

    /// Converts an offset in the text without marks to one in the text with marks.
    pub(super) fn original(&self, mut at: usize) -> usize {
        for (mark, _) in &self.0 {
            if usize::from(*mark) <= at {
                at += 1;
            }
        }
        at
    }

    /// True if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if the play is marked as a fine play.
    #[must_use]
    pub fn fine_play(&self) -> bool {
        self.0.iter().any(|(_, byte)| *byte == b'!')
    }

    /// True if the play is marked as uncertain.
    #[must_use]
    pub fn uncertain(&self) -> bool {
        self.0.iter().any(|(_, byte)| matches!(byte, b'?' | b'#'))
    }
}

fn is_mark(byte: u8) -> bool {
    matches!(byte, b'!' | b'?' | b'#' | b' ')
}

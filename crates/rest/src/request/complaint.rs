//! Parse errors: position, unexpected input and expected input, worded like parsec's (Text.Parsec.Error).

/// The position and cause of a parse error.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// Counted from 1.
    pub(crate) line: usize,
    /// In characters, counted from 1; a tab advances to the next multiple of eight.
    pub(crate) column: usize,
    pub(crate) details: String,
}

/// What would have been accepted at one position, and what was found instead.
#[derive(Default)]
pub(super) struct Trouble {
    pub(super) at: usize,
    pub(super) messages: Vec<Message>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Message {
    /// The unexpected input of a single piece of grammar; `None` is the end of input. The first one is reported.
    Found(Option<char>),
    /// An unexpected item with a message of its own, which takes precedence.
    Unexpected(char),
    Expected(Name),
    /// Another message, which replaces all others.
    Said(&'static str),
}

/// An expected item.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    Char(char),
    Text(&'static str),
    Grammar(&'static str),
}

impl Trouble {
    /// Adds what a piece of grammar expects at `at`, unless more is known about a later position.
    pub(super) fn note(&mut self, at: usize, messages: impl IntoIterator<Item = Message>) {
        if self.messages.is_empty() || at > self.at {
            self.messages.clear();
            self.at = at;
        } else if at < self.at {
            return;
        }
        for message in messages {
            if !self.messages.contains(&message) {
                self.messages.push(message);
            }
        }
    }

    /// The error with the later position, or both merged at the same position.
    pub(super) fn merge(&mut self, later: Trouble) {
        if later.messages.is_empty() && !self.messages.is_empty() {
            return;
        }
        if self.messages.is_empty() || later.at > self.at {
            *self = later;
        } else if later.at == self.at {
            self.messages.extend(later.messages);
        }
    }

    pub(super) fn rename(&mut self, name: &'static str) {
        self.messages.retain(|message| !matches!(message, Message::Expected(_)));
        self.messages.push(Message::Expected(Name::Grammar(name)));
    }

    /// The message for `text`.
    pub(super) fn complain(&self, text: &str) -> Complaint {
        let (mut line, mut column) = (1, 1);
        for c in text.get(..self.at).unwrap_or(text).chars() {
            match c {
                '\n' => (line, column) = (line + 1, 1),
                '\t' => column += 8 - (column - 1) % 8,
                _ => column += 1,
            }
        }
        Complaint { line, column, details: self.tell() }
    }

    fn tell(&self) -> String {
        let mut unexpected: Vec<String> = Vec::new();
        let mut found = None;
        let mut expected: Vec<String> = Vec::new();
        let mut said = None;
        let add = |list: &mut Vec<String>, text: String| {
            if !list.contains(&text) {
                list.push(text);
            }
        };
        for message in &self.messages {
            match message {
                Message::Found(c) => found = found.or(Some(*c)),
                Message::Unexpected(c) => add(&mut unexpected, format!("'{}'", shown(*c, '\''))),
                Message::Expected(Name::Char(c)) => add(&mut expected, format!("\"{}\"", shown(*c, '"'))),
                Message::Expected(Name::Text(text)) => add(&mut expected, format!("{text:?}")),
                Message::Expected(Name::Grammar(name)) => add(&mut expected, (*name).to_owned()),
                Message::Said(text) => said = Some(*text),
            }
        }
        let mut parts = Vec::new();
        match found {
            _ if !unexpected.is_empty() => parts.push(format!("unexpected {}", either_of(&unexpected))),
            Some(Some(c)) => parts.push(format!("unexpected \"{}\"", shown(c, '"'))),
            Some(None) => parts.push("unexpected end of input".to_owned()),
            None => {}
        }
        if !expected.is_empty() {
            parts.push(format!("expecting {}", either_of(&expected)));
        }
        if let Some(said) = said {
            return said.to_owned();
        }
        if parts.is_empty() { "unknown parse error".to_owned() } else { parts.join(" ") }
    }
}

/// `a, b or c`.
fn either_of(names: &[String]) -> String {
    match names {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// A character as Haskell prints it between `quote`s.
fn shown(c: char, quote: char) -> String {
    const NAMES: [&str; 32] = [
        "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "a", "b", "t", "n", "v", "f", "r", "SO", "SI", "DLE", "DC1",
        "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
    ];
    match c {
        '\\' => "\\\\".to_owned(),
        c if c == quote => format!("\\{c}"),
        '\u{7f}' => "\\DEL".to_owned(),
        c if c > '\u{7f}' => format!("\\{}", u32::from(c)),
        c => NAMES.get(c as usize).map_or_else(|| c.to_string(), |name| format!("\\{name}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_characters_are_told_as_haskell_tells_them() {
        let complain = |text: &str, found| {
            let mut trouble = Trouble::default();
            trouble.note(text.len(), [Message::Found(found)]);
            let Complaint { line, column, details } = trouble.complain(text);
            (line, column, details)
        };
        for (text, found, expected) in [
            ("ab", Some('"'), (1, 3, r#"unexpected "\"""#)),
            ("é", Some('é'), (1, 2, r#"unexpected "\233""#)),
            ("a\tb", Some('\\'), (1, 10, r#"unexpected "\\""#)),
            ("a\nb", Some('\t'), (2, 2, r#"unexpected "\t""#)),
            ("", Some('\u{1}'), (1, 1, r#"unexpected "\SOH""#)),
            ("", None, (1, 1, "unexpected end of input")),
        ] {
            let (line, column, details) = expected;
            assert_eq!(complain(text, found), (line, column, details.to_owned()), "{text:?}");
        }
    }
}

//! A backtracking scanner whose error messages read as PostgREST's do.
//!
//! PostgREST's grammars are written with parsec, and the text of its parse errors (`unexpected "x" expecting …`) is part
//! of what clients see. So this scanner keeps parsec's rules for which expectations survive: reading a character forgets
//! what was expected before it, a failed attempt leaves its expectations behind, and a name given to a piece of grammar
//! replaces the expectations inside it unless something was read.

use std::borrow::Cow;

/// The piece of grammar did not fit; the scanner holds what was expected. Whether input was consumed is told by the
/// position: alternatives are only tried when it has not moved (use [`Scan::attempt`] to go back).
#[derive(Debug)]
pub(crate) struct Fail;

pub(crate) type Parsed<T> = Result<T, Fail>;

/// A text being read from left to right.
pub(crate) struct Scan<'a> {
    text: &'a str,
    at: usize,
    expected: Expected,
}

/// What would have been accepted at one place, and what was found there instead.
#[derive(Default)]
struct Expected {
    at: usize,
    /// The character found, already quoted; empty at the end of input.
    found: Option<String>,
    /// A stronger statement of what was found, which parsec's `eof` makes.
    unexpected: Option<String>,
    names: Vec<Cow<'static, str>>,
}

impl Expected {
    fn is_empty(&self) -> bool {
        self.found.is_none() && self.unexpected.is_none() && self.names.is_empty()
    }

    /// The farther of two, or both together when they are about the same place.
    fn merge(self, later: Expected) -> Expected {
        if later.is_empty() || (!self.is_empty() && self.at > later.at) {
            return self;
        }
        if self.is_empty() || later.at > self.at {
            return later;
        }
        let mut merged = self;
        merged.found = merged.found.or(later.found);
        merged.unexpected = merged.unexpected.or(later.unexpected);
        merged.names.extend(later.names);
        merged
    }
}

impl<'a> Scan<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Scan { text, at: 0, expected: Expected::default() }
    }

    /// The position, in bytes: compare it to learn whether something was consumed.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.text.get(self.at..).and_then(|rest| rest.chars().next())
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn expect(&mut self, found: Option<char>, name: Option<Cow<'static, str>>) {
        let found = found.map(|c| format!("{:?}", c.to_string())).unwrap_or_default();
        let here = Expected { at: self.at, found: Some(found), unexpected: None, names: name.into_iter().collect() };
        self.expected = std::mem::take(&mut self.expected).merge(here);
    }

    fn advance(&mut self, bytes: usize) {
        self.at += bytes;
        self.expected = Expected::default();
    }

    /// One character that `accept` takes. It has no name of its own in messages.
    pub(crate) fn one(&mut self, accept: impl Fn(char) -> bool) -> Parsed<char> {
        match self.peek() {
            Some(c) if accept(c) => {
                self.advance(c.len_utf8());
                Ok(c)
            }
            other => {
                self.expect(other, None);
                Err(Fail)
            }
        }
    }

    /// Exactly this character.
    pub(crate) fn char(&mut self, wanted: char) -> Parsed<char> {
        match self.peek() {
            Some(c) if c == wanted => {
                self.advance(c.len_utf8());
                Ok(c)
            }
            other => {
                self.expect(other, Some(quoted(wanted)));
                Err(Fail)
            }
        }
    }

    /// Exactly this text. A failure after its first character counts as having consumed.
    pub(crate) fn string(&mut self, wanted: &'static str) -> Parsed<()> {
        if self.rest().starts_with(wanted) {
            self.advance(wanted.len());
            return Ok(());
        }
        let common = self.rest().bytes().zip(wanted.bytes()).take_while(|(a, b)| a == b).count();
        let found = self.rest().get(common..).and_then(|rest| rest.chars().next());
        self.expect(found, Some(format!("{wanted:?}").into()));
        if common > 0 {
            self.at += common;
        }
        Err(Fail)
    }

    /// Text that is read whatever its case.
    pub(crate) fn string_any_case(&mut self, wanted: &'static str) -> Parsed<()> {
        for c in wanted.chars() {
            let upper = c.to_ascii_uppercase();
            if self.char(c).is_err() {
                self.char(upper)?;
            }
        }
        Ok(())
    }

    /// As many characters as `accept` takes, perhaps none.
    pub(crate) fn many(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length: usize = rest.chars().take_while(|c| accept(*c)).map(char::len_utf8).sum();
        if length > 0 {
            self.advance(length);
        }
        let found = self.peek();
        self.expect(found, None);
        rest.get(..length).unwrap_or_default()
    }

    /// Everything that is left.
    pub(crate) fn remainder(&mut self) -> &'a str {
        let rest = self.rest();
        self.advance(rest.len());
        rest
    }

    /// The end of input.
    pub(crate) fn end(&mut self) -> Parsed<()> {
        match self.peek() {
            None => Ok(()),
            Some(c) => {
                let here = Expected {
                    at: self.at,
                    found: None,
                    unexpected: Some(format!("{c:?}")),
                    names: vec!["end of input".into()],
                };
                self.expected = std::mem::take(&mut self.expected).merge(here);
                Err(Fail)
            }
        }
    }

    /// Tries `piece`; on failure goes back to where it began, keeping its expectations.
    pub(crate) fn attempt<T>(&mut self, piece: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let (start, before) = (self.at, std::mem::take(&mut self.expected));
        let result = piece(self);
        if result.is_err() {
            self.at = start;
        }
        if self.at == start {
            self.expected = before.merge(std::mem::take(&mut self.expected));
        }
        result
    }

    /// `piece` if it fits, `None` if it does not and nothing was consumed.
    pub(crate) fn optional<T>(&mut self, piece: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<Option<T>> {
        let start = self.at;
        match piece(self) {
            Ok(value) => Ok(Some(value)),
            Err(Fail) if self.at == start => Ok(None),
            Err(fail) => Err(fail),
        }
    }

    /// The first of two that fits; the second is only tried if the first consumed nothing.
    pub(crate) fn either<T>(
        &mut self,
        first: impl FnOnce(&mut Self) -> Parsed<T>,
        second: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        match self.optional(first)? {
            Some(value) => Ok(value),
            None => second(self),
        }
    }

    /// `piece`, then any number of `separator` and `piece`.
    pub(crate) fn separated<T, S>(
        &mut self,
        piece: impl Fn(&mut Self) -> Parsed<T>,
        separator: impl Fn(&mut Self) -> Parsed<S>,
    ) -> Parsed<Vec<T>> {
        let mut items = vec![piece(self)?];
        while self.optional(&separator)?.is_some() {
            items.push(piece(self)?);
        }
        Ok(items)
    }

    /// Whether `piece` would fit here; consumes nothing when it does.
    pub(crate) fn ahead<T>(&mut self, piece: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<()> {
        let (start, before) = (self.at, std::mem::take(&mut self.expected));
        let result = piece(self);
        self.at = start;
        self.expected = match result {
            Ok(_) => before,
            Err(Fail) => before.merge(std::mem::take(&mut self.expected)),
        };
        result.map(drop)
    }

    /// Gives `piece` a name: where it consumes nothing, messages say the name instead of what is inside.
    pub(crate) fn named<T>(&mut self, name: &'static str, piece: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let (start, before) = (self.at, std::mem::take(&mut self.expected));
        let result = piece(self);
        if self.at == start {
            if !self.expected.is_empty() {
                self.expected.names = vec![name.into()];
            }
            self.expected = before.merge(std::mem::take(&mut self.expected));
        }
        result
    }

    /// Spaces and tabs around `piece` do not matter.
    pub(crate) fn lexeme<T>(&mut self, piece: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.many(|c| c == ' ' || c == '\t');
        let value = piece(self)?;
        self.many(|c| c == ' ' || c == '\t');
        Ok(value)
    }

    /// The column of the failure, counted in characters from 1, and what to say about it.
    pub(crate) fn complaint(&self) -> (usize, String) {
        let before = self.text.get(..self.expected.at).unwrap_or(self.text);
        let mut text = match (&self.expected.unexpected, &self.expected.found) {
            (Some(unexpected), _) => format!("unexpected {unexpected}"),
            (None, Some(found)) if found.is_empty() => "unexpected end of input".to_owned(),
            (None, Some(found)) => format!("unexpected {found}"),
            (None, None) => String::new(),
        };
        let mut names: Vec<&str> = Vec::new();
        for name in &self.expected.names {
            if !names.contains(&&**name) {
                names.push(name);
            }
        }
        if let Some((last, others)) = names.split_last() {
            text.push_str(" expecting ");
            text.push_str(&others.join(", "));
            text.push_str(if others.is_empty() { "" } else { " or " });
            text.push_str(last);
        }
        let text = if self.expected.is_empty() { "unknown parse error".to_owned() } else { text };
        (before.chars().count() + 1, text.trim().to_owned())
    }
}

fn quoted(c: char) -> Cow<'static, str> {
    format!("{:?}", c.to_string()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_consumed_character_forgets_and_a_failed_attempt_remembers() {
        let mut scan = Scan::new("ax");
        assert!(scan.attempt(|s| s.string("abc")).is_err());
        assert_eq!(scan.at(), 0);
        assert_eq!(scan.complaint(), (1, r#"unexpected "x" expecting "abc""#.to_owned()));
        scan.char('a').unwrap();
        assert!(scan.either(|s| s.char('b').map(drop), Scan::end).is_err());
        assert_eq!(scan.complaint(), (2, r#"unexpected 'x' expecting "b" or end of input"#.to_owned()));
    }

    #[test]
    fn a_name_replaces_what_is_inside_unless_something_was_read() {
        let mut scan = Scan::new("1");
        assert!(scan.named("word", |s| s.one(char::is_alphabetic)).is_err());
        assert_eq!(scan.complaint().1, r#"unexpected "1" expecting word"#);
        let mut scan = Scan::new("a1");
        assert!(
            scan.named("word", |s| {
                s.char('a')?;
                s.char('b')
            })
            .is_err()
        );
        assert_eq!(scan.complaint(), (2, r#"unexpected "1" expecting "b""#.to_owned()));
    }

    #[test]
    fn looking_ahead_consumes_nothing() {
        let mut scan = Scan::new("(");
        scan.ahead(|s| s.char('(')).unwrap();
        assert_eq!(scan.at(), 0);
        assert!(scan.ahead(|s| s.char(')')).is_err());
        assert_eq!(scan.complaint().1, r#"unexpected "(" expecting ")""#);
    }
}

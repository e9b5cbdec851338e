//! A backtracking scanner with PostgREST's error messages.
//!
//! PostgREST's grammars use parsec, and the text of its parse errors (`unexpected "x" expecting …`) is visible to
//! clients. So this scanner follows parsec's rules for which expectations survive: consuming a character drops the
//! expectations before it, a failed attempt keeps its expectations, a repetition keeps only those of the failed
//! iteration, and a label replaces the expectations inside its piece of grammar unless input was consumed.

use super::complaint::{Complaint, Message, Name, Trouble};

/// The piece of grammar did not match; the scanner holds what was expected. The position shows whether input was
/// consumed: alternatives are only tried if it has not moved (use [`Scan::attempt`] to backtrack).
#[derive(Debug)]
pub(crate) struct Fail;

pub(crate) type Parsed<T> = Result<T, Fail>;

/// A text that is read from left to right.
pub(crate) struct Scan<'a> {
    text: &'a str,
    at: usize,
    trouble: Trouble,
}

impl<'a> Scan<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Scan { text, at: 0, trouble: Trouble::default() }
    }

    /// The position, in bytes; comparing it shows whether input was consumed.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn advance(&mut self, bytes: usize) {
        self.at += bytes;
        self.trouble.at = self.at;
        self.trouble.messages.clear();
    }

    fn expect(&mut self, expected: Option<Name>) {
        let found = Message::Found(self.peek());
        self.trouble.note(self.at, std::iter::once(found).chain(expected.map(Message::Expected)));
    }

    fn take(&mut self, accept: impl Fn(char) -> bool, name: Option<Name>) -> Parsed<char> {
        match self.peek() {
            Some(c) if accept(c) => {
                self.advance(c.len_utf8());
                Ok(c)
            }
            _ => {
                self.expect(name);
                Err(Fail)
            }
        }
    }

    /// One character that `accept` matches. It has no label in messages.
    pub(crate) fn one(&mut self, accept: impl Fn(char) -> bool) -> Parsed<char> {
        self.take(accept, None)
    }

    /// Exactly this character.
    pub(crate) fn char(&mut self, wanted: char) -> Parsed<char> {
        self.take(|c| c == wanted, Some(Name::Char(wanted)))
    }

    /// Exactly this text. A failure after its first character counts as having consumed input, but is reported at
    /// its beginning.
    pub(crate) fn string(&mut self, wanted: &'static str) -> Parsed<()> {
        let rest = self.rest();
        if rest.starts_with(wanted) {
            self.advance(wanted.len());
            return Ok(());
        }
        let common = rest.bytes().zip(wanted.bytes()).take_while(|(a, b)| a == b).count();
        let found = rest.get(common..).and_then(|rest| rest.chars().next());
        if common > 0 {
            self.trouble.messages.clear();
        }
        self.trouble.note(self.at, [Message::Found(found), Message::Expected(Name::Text(wanted))]);
        self.at += common;
        Err(Fail)
    }

    /// A text in any case.
    pub(crate) fn string_any_case(&mut self, wanted: &'static str) -> Parsed<()> {
        for c in wanted.chars() {
            self.either(|scan| scan.char(c), |scan| scan.char(c.to_ascii_uppercase()))?;
        }
        Ok(())
    }

    /// All following characters that `accept` matches, possibly none.
    pub(crate) fn while_one(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !accept(c)).unwrap_or(rest.len());
        if length > 0 {
            self.advance(length);
        }
        self.expect(None);
        rest.get(..length).unwrap_or_default()
    }

    /// All following characters that `accept` matches, at least one. `names` are their labels in messages.
    pub(crate) fn some(
        &mut self,
        accept: impl Fn(char) -> bool,
        names: impl IntoIterator<Item = &'static str>,
    ) -> Parsed<&'a str> {
        let start = self.at;
        let taken = self.while_one(accept);
        self.trouble.note(self.at, names.into_iter().map(|name| Message::Expected(Name::Grammar(name))));
        if self.at > start { Ok(taken) } else { Err(Fail) }
    }

    /// The remaining input.
    pub(crate) fn remainder(&mut self) -> &'a str {
        self.while_one(|_| true)
    }

    /// The end of input.
    pub(crate) fn end(&mut self) -> Parsed<()> {
        let (first, result) = match self.peek() {
            None => (Message::Found(None), Ok(())),
            Some(c) => (Message::Unexpected(c), Err(Fail)),
        };
        self.trouble.note(self.at, [first, Message::Expected(Name::Grammar("end of input"))]);
        result
    }

    /// Fails if `refuse` matches the next character; consumes nothing. `name` is its label in messages.
    pub(crate) fn not_followed_by(&mut self, refuse: impl Fn(char) -> bool, name: Option<char>) -> Parsed<()> {
        match self.peek() {
            Some(c) if refuse(c) => {
                self.trouble.note(self.at + c.len_utf8(), [Message::Unexpected(c)]);
                Err(Fail)
            }
            _ => {
                self.expect(name.map(Name::Char));
                Ok(())
            }
        }
    }

    /// Always fails here.
    pub(crate) fn refuse<T>(&mut self, why: &'static str) -> Parsed<T> {
        self.trouble.note(self.at, [Message::Said(why)]);
        Err(Fail)
    }

    /// Runs `piece` without earlier expectations, and returns those.
    fn fresh<T>(&mut self, piece: impl FnOnce(&mut Self) -> Parsed<T>) -> (Parsed<T>, Trouble) {
        let before = std::mem::take(&mut self.trouble);
        self.trouble.at = self.at;
        (piece(self), before)
    }

    /// Puts the expectations before a piece that consumed nothing in front of those of the piece.
    fn put_before(&mut self, mut before: Trouble) {
        before.merge(std::mem::take(&mut self.trouble));
        self.trouble = before;
    }

    /// Tries `piece`; backtracks on failure, keeping its expectations.
    pub(crate) fn attempt<T>(&mut self, piece: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let start = self.at;
        let (result, before) = self.fresh(piece);
        if result.is_err() {
            self.at = start;
        }
        if self.at == start {
            self.put_before(before);
        }
        result
    }

    /// `piece` if it matches, `None` if it does not and nothing was consumed.
    pub(crate) fn optional<T>(&mut self, piece: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<Option<T>> {
        let start = self.at;
        match piece(self) {
            Ok(value) => Ok(Some(value)),
            Err(Fail) if self.at == start => Ok(None),
            Err(fail) => Err(fail),
        }
    }

    /// The first of two that matches; the second is only tried if the first consumed nothing.
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

    /// Repeats `piece` while it matches. Each iteration must consume input.
    pub(crate) fn many<T>(&mut self, piece: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        loop {
            let start = self.at;
            let (turn, before) = self.fresh(&piece);
            match turn {
                Ok(item) if self.at > start => items.push(item),
                Err(fail) if self.at > start => return Err(fail),
                _ => {
                    if items.is_empty() {
                        self.put_before(before);
                    }
                    return Ok(items);
                }
            }
        }
    }

    /// `piece`, then any number of `separator` and `piece`.
    pub(crate) fn separated<T, S>(
        &mut self,
        piece: impl Fn(&mut Self) -> Parsed<T>,
        separator: impl Fn(&mut Self) -> Parsed<S>,
    ) -> Parsed<Vec<T>> {
        let mut items = vec![piece(self)?];
        items.append(&mut self.many(|scan| {
            separator(scan)?;
            piece(scan)
        })?);
        Ok(items)
    }

    /// Whether `piece` would match here; consumes nothing if it does.
    pub(crate) fn ahead<T>(&mut self, piece: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<()> {
        let start = self.at;
        let (result, before) = self.fresh(piece);
        self.at = start;
        match result {
            Ok(_) => self.trouble = before,
            Err(Fail) => self.put_before(before),
        }
        result.map(drop)
    }

    /// Labels `piece`: if it consumes nothing, messages show the label instead of its parts.
    pub(crate) fn named<T>(&mut self, name: &'static str, piece: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let start = self.at;
        let (result, before) = self.fresh(piece);
        if self.at == start {
            if result.is_err() || !self.trouble.messages.is_empty() {
                self.trouble.rename(name);
            }
            self.put_before(before);
        }
        result
    }

    /// Skips spaces and tabs around `piece`.
    pub(crate) fn lexeme<T>(&mut self, piece: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.while_one(|c| c == ' ' || c == '\t');
        let value = piece(self)?;
        self.while_one(|c| c == ' ' || c == '\t');
        Ok(value)
    }

    /// The message of the failure.
    pub(crate) fn complaint(&self) -> Complaint {
        self.trouble.complain(self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(scan: &Scan<'_>) -> (usize, String) {
        let Complaint { line: 1, column, details } = scan.complaint() else { panic!() };
        (column, details)
    }

    #[test]
    fn a_consumed_character_forgets_and_a_failed_attempt_remembers() {
        let mut scan = Scan::new("ax");
        assert!(scan.attempt(|s| s.string("abc")).is_err());
        assert_eq!(scan.at(), 0);
        assert_eq!(told(&scan), (1, r#"unexpected "x" expecting "abc""#.to_owned()));
        scan.char('a').unwrap();
        assert!(scan.either(|s| s.char('b').map(drop), Scan::end).is_err());
        assert_eq!(told(&scan), (2, r#"unexpected 'x' expecting "b" or end of input"#.to_owned()));
    }

    #[test]
    fn a_name_replaces_what_is_inside_unless_something_was_read() {
        let mut scan = Scan::new("1");
        assert!(scan.named("word", |s| s.one(char::is_alphabetic)).is_err());
        assert_eq!(told(&scan).1, r#"unexpected "1" expecting word"#);
        let mut scan = Scan::new("a1");
        assert!(
            scan.named("word", |s| {
                s.char('a')?;
                s.char('b')
            })
            .is_err()
        );
        assert_eq!(told(&scan), (2, r#"unexpected "1" expecting "b""#.to_owned()));
    }

    #[test]
    fn looking_ahead_consumes_nothing() {
        let mut scan = Scan::new("(");
        scan.ahead(|s| s.char('(')).unwrap();
        assert_eq!(scan.at(), 0);
        assert!(scan.ahead(|s| s.char(')')).is_err());
        assert_eq!(told(&scan).1, r#"unexpected "(" expecting ")""#);
    }
}

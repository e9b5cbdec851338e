//! Splits a script into statements exactly as the Supabase CLI does (<https://github.com/supabase/cli>, pkg/parser), because
//! `schema_migrations.statements` must have the same content.
//!
//! DEVIATION: where the CLI cuts a statement in two that PostgreSQL would read as one (after a backslash in an E'' string,
//! after CASE … END or a word that ends in "end" inside BEGIN ATOMIC, at a dollar sign inside a name), it is left whole.

/// A statement of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Its text, without the semicolon and surrounding white space. Comments belong to the following statement.
    pub text: String,
    /// The line of the script on which the text begins, from 1.
    pub line: usize,
}

/// The statements of a script. Text after the last semicolon is a statement, too, even if it is a comment.
pub fn split(sql: &str) -> Vec<Statement> {
    let mut scanner = Scanner { rest: sql, nesting: Nesting::default() };
    let mut statements = Vec::new();
    let mut line = 1;
    while !scanner.rest.is_empty() {
        let before = scanner.rest;
        scanner.skip_statement();
        let whole = &before[..before.len() - scanner.rest.len()];
        let text = whole.trim_end_matches(';').trim();
        if !text.is_empty() {
            let blank = &whole[..whole.len() - whole.trim_start().len()];
            statements.push(Statement { text: text.to_owned(), line: line + newlines(blank) });
        }
        line += newlines(whole);
    }
    statements
}

pub(super) fn newlines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

/// The words of a statement in upper case, without comments and strings.
pub(super) fn words(sql: &str) -> impl Iterator<Item = String> {
    let mut scanner = Scanner { rest: sql, nesting: Nesting::default() };
    std::iter::from_fn(move || {
        while !scanner.rest.is_empty() {
            if let Token::Word(word) = scanner.token() {
                return Some(word.to_ascii_uppercase());
            }
        }
        None
    })
}

/// A lexical element. Only those that affect splitting are distinguished.
#[derive(Debug, PartialEq, Eq)]
enum Token<'a> {
    /// A keyword or unquoted name.
    Word(&'a str),
    /// Any other character.
    Symbol(char),
    /// White space or a comment.
    Blank,
    /// A string or a quoted name.
    Quoted,
}

struct Scanner<'a> {
    rest: &'a str,
    nesting: Nesting,
}

/// State in which a semicolon does not end the statement.
#[derive(Default)]
struct Nesting {
    parentheses: usize,
    /// BEGIN ATOMIC and the CASEs in it.
    blocks: usize,
    /// The previous word, and whether a name is expected next (`AS end`, `x.end`).
    last_word: String,
    label: bool,
}

impl<'a> Scanner<'a> {
    /// Skips up to and including the next semicolon on the outermost level.
    fn skip_statement(&mut self) {
        self.nesting = Nesting::default();
        while !self.rest.is_empty() {
            let token = self.token();
            if self.nesting.ends_at(&token) {
                return;
            }
        }
    }

    fn token(&mut self) -> Token<'a> {
        let Some(first) = self.rest.chars().next() else { return Token::Blank };
        match first {
            '-' if self.rest.starts_with("--") => {
                self.take(self.rest.find('\n').map_or(usize::MAX, |end| end + 1), Token::Blank)
            }
            '/' if self.rest.starts_with("/*") => self.take(end_of_comment(self.rest), Token::Blank),
            '\'' | '"' => self.take(end_of_quoted(self.rest, first, Backslash::Literal), Token::Quoted),
            '$' => match end_of_dollar_quoted(self.rest) {
                Some(end) => self.take(end, Token::Quoted),
                None => self.take(1, Token::Symbol('$')),
            },
            // In psql a backslash keeps a semicolon from ending the statement. The CLI leaves it in the text.
            '\\' => {
                let escaped = self.rest[1..].chars().next().map_or(0, char::len_utf8);
                self.take(1 + escaped, Token::Symbol('\\'))
            }
            _ if first.is_whitespace() => self.take(first.len_utf8(), Token::Blank),
            _ if starts_name(first) => self.word(),
            _ if first.is_ascii_digit() => {
                let end = self.rest.find(|c: char| !continues_name(c) || c == '$').unwrap_or(usize::MAX);
                self.take(end, Token::Symbol('0'))
            }
            _ => self.take(first.len_utf8(), Token::Symbol(first)),
        }
    }

    fn word(&mut self) -> Token<'a> {
        let end = self.rest.find(|c: char| !continues_name(c)).unwrap_or(self.rest.len());
        let (word, after) = self.rest.split_at(end);
        if word.eq_ignore_ascii_case("e") && after.starts_with('\'') {
            return self.take(end + end_of_quoted(after, '\'', Backslash::Escapes), Token::Quoted);
        }
        self.take(end, Token::Word(word))
    }

    /// Advances by `length` bytes, at most to the end.
    fn take(&mut self, length: usize, token: Token<'a>) -> Token<'a> {
        self.rest = &self.rest[length.min(self.rest.len())..];
        token
    }
}

impl Nesting {
    /// Updates the state, and returns whether the token ends the statement.
    fn ends_at(&mut self, token: &Token<'_>) -> bool {
        match token {
            Token::Blank => return false,
            Token::Symbol(';') if self.parentheses == 0 && self.blocks == 0 => return true,
            Token::Symbol('(') => self.parentheses += 1,
            Token::Symbol(')') => self.parentheses = self.parentheses.saturating_sub(1),
            Token::Word(word) => self.follow_block(word),
            Token::Symbol(_) | Token::Quoted => {}
        }
        self.label = match token {
            Token::Word(word) => word.eq_ignore_ascii_case("as"),
            other => *other == Token::Symbol('.'),
        };
        self.last_word.clear();
        if let Token::Word(word) = token {
            self.last_word.push_str(word);
        }
        false
    }

    /// Tracks bodies of functions in standard SQL: `BEGIN ATOMIC … END`, in which only CASE also has an END.
    fn follow_block(&mut self, word: &str) {
        let is = |keyword: &str| word.eq_ignore_ascii_case(keyword);
        if self.blocks == 0 {
            if is("atomic") && self.last_word.eq_ignore_ascii_case("begin") {
                self.blocks = 1;
            }
        } else if !self.label && is("case") {
            self.blocks += 1;
        } else if !self.label && is("end") {
            self.blocks -= 1;
        }
    }
}

/// <https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS>
fn starts_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || !c.is_ascii()
}

fn continues_name(c: char) -> bool {
    starts_name(c) || c.is_ascii_digit() || c == '$'
}

/// The length of a block comment. These can be nested.
fn end_of_comment(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}

/// Whether a backslash in a string is an escape character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Backslash {
    Literal,
    Escapes,
}

/// The length of a quoted string or name. A doubled quote does not end it.
fn end_of_quoted(text: &str, quote: char, backslash: Backslash) -> usize {
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = characters.next() {
        if c == '\\' && backslash == Backslash::Escapes {
            characters.next();
        } else if c == quote && characters.next_if(|(_, next)| *next == quote).is_none() {
            return at + 1;
        }
    }
    text.len()
}

/// The length of `$tag$ … $tag$`; `None` if the text does not begin with a tag.
fn end_of_dollar_quoted(text: &str) -> Option<usize> {
    let tag = &text[1..1 + text[1..].find('$')?];
    let valid = tag.chars().next().is_none_or(starts_name) && tag.chars().all(continues_name);
    let start = tag.len() + 2;
    valid.then(|| text[start..].find(&text[..start]).map_or(text.len(), |found| start + found + start))
}

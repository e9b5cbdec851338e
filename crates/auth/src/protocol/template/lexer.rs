//! Splits a template into text and actions, and actions into tokens.

use super::SyntaxError;

/// A piece of a template.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    /// Literal text.
    Text(String),
    /// The tokens inside `{{ }}`, and the line they begin in.
    Action(Vec<Token>, usize),
}

/// A token of an action.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// `if`, `eq`, `true` …
    Word(String),
    /// `.name`; `attached` if no space precedes it.
    Field {
        name: String,
        attached: bool,
    },
    /// `.` alone.
    Dot,
    /// `$` or `$name`, without the sign.
    Variable(String),
    Text(String),
    Number(f64),
    Open,
    Close,
    Pipe,
    /// `:=` and `=`.
    Assign,
    Comma,
}

/// Splits a template. Applies trim markers and removes comments.
pub(super) fn split(template: &str) -> Result<Vec<Piece>, SyntaxError> {
    let mut pieces = Vec::new();
    let mut rest = template;
    let mut trim_next = false;
    loop {
        let (text, action) = rest.split_once("{{").map_or((rest, None), |(text, action)| (text, Some(action)));
        let mut text = if trim_next { text.trim_start() } else { text };
        let Some(action) = action else {
            push_text(&mut pieces, text);
            return Ok(pieces);
        };
        let line = template[..template.len() - action.len()].matches('\n').count() + 1;
        let trims = action.starts_with('-') && action[1..].starts_with(char::is_whitespace);
        let action = if trims { &action[1..] } else { action };
        if trims {
            text = text.trim_end();
        }
        push_text(&mut pieces, text);
        let (tokens, after, trim) = words(action, line)?;
        if let Some(tokens) = tokens {
            pieces.push(Piece::Action(tokens, line));
        }
        (rest, trim_next) = (after, trim);
    }
}

fn push_text(pieces: &mut Vec<Piece>, text: &str) {
    if !text.is_empty() {
        pieces.push(Piece::Text(text.to_owned()));
    }
}

/// The tokens up to `}}` (`None` for a comment), the rest, and whether the rest's leading white space is trimmed.
type Words<'a> = (Option<Vec<Token>>, &'a str, bool);

fn words(action: &str, line: usize) -> Result<Words<'_>, SyntaxError> {
    let error = |message: &str| SyntaxError { line, message: message.to_owned() };
    if let Some(comment) = action.trim_start().strip_prefix("/*") {
        let (_, after) = comment.split_once("*/").ok_or_else(|| error("the comment does not end"))?;
        let (after, trim) = ended(after).ok_or_else(|| error("a comment must be all there is between {{ and }}"))?;
        return Ok((None, after, trim));
    }
    let mut tokens = Vec::new();
    let mut rest = action;
    loop {
        if let Some((after, trim)) = ended(rest) {
            return Ok((Some(tokens), after, trim));
        }
        let unspaced = rest.trim_start();
        let attached = unspaced.len() == rest.len() && !tokens.is_empty();
        let (token, after) = word(unspaced, attached).map_err(|message| error(&message))?;
        tokens.push(token);
        rest = after;
    }
}

/// The rest after the end of an action, if the action ends here.
fn ended(rest: &str) -> Option<(&str, bool)> {
    let unspaced = rest.trim_start();
    if let Some(after) = unspaced.strip_prefix("}}") {
        return Some((after, false));
    }
    let after = unspaced.strip_prefix("-}}").filter(|_| unspaced.len() < rest.len())?;
    Some((after, true))
}

fn word(text: &str, attached: bool) -> Result<(Token, &str), String> {
    let first = text.chars().next().ok_or("an action has no }}")?;
    let simple = |token: Token, length: usize| Ok((token, &text[length..]));
    match first {
        '(' => simple(Token::Open, 1),
        ')' => simple(Token::Close, 1),
        '|' => simple(Token::Pipe, 1),
        ',' => simple(Token::Comma, 1),
        '=' => simple(Token::Assign, 1),
        ':' if text.starts_with(":=") => simple(Token::Assign, 2),
        '"' => quoted(text),
        '`' => {
            let (inside, after) = text[1..].split_once('`').ok_or("a raw string does not end")?;
            Ok((Token::Text(inside.to_owned()), after))
        }
        '.' => {
            let (name, after) = name(&text[1..]);
            let field = || Token::Field { name: name.to_owned(), attached };
            Ok((if name.is_empty() { Token::Dot } else { field() }, after))
        }
        '$' => {
            let (name, after) = name(&text[1..]);
            Ok((Token::Variable(name.to_owned()), after))
        }
        '-' | '0'..='9' => {
            let is_part = |(at, byte): (usize, char)| byte.is_ascii_digit() || byte == '.' || at == 0;
            let end = text.char_indices().find(|part| !is_part(*part)).map_or(text.len(), |(at, _)| at);
            let number = text[..end].parse().map_err(|_| format!("{} is no number", &text[..end]))?;
            Ok((Token::Number(number), &text[end..]))
        }
        _ => {
            let (word, after) = name(text);
            if word.is_empty() {
                Err(format!("unexpected {first:?}"))
            } else {
                Ok((Token::Word(word.to_owned()), after))
            }
        }
    }
}

fn name(text: &str) -> (&str, &str) {
    text.split_at(text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len()))
}

/// A string with Go's escapes; only those that JSON shares are supported.
fn quoted(text: &str) -> Result<(Token, &str), String> {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            '\n' => break,
            '"' if !escaped => {
                let inside =
                    serde_json::from_str(&text[..=at]).map_err(|_| format!("{} is no string", &text[..=at]))?;
                return Ok((Token::Text(inside), &text[at + 1..]));
            }
            _ => escaped = letter == '\\' && !escaped,
        }
    }
    Err("a string does not end".to_owned())
}

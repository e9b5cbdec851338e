//! Parses libpq's two forms of an address: a URL, and `key=value` pairs.

use super::TargetError;

type Pairs = Vec<(String, String)>;

/// The URL without its query, and the parameters. For pairs, the URL is empty and everything is a parameter.
pub(super) fn parts(text: &str) -> Result<(String, Pairs), TargetError> {
    let text = text.trim();
    if text.starts_with("postgres://") || text.starts_with("postgresql://") {
        let (base, query) = text.split_once('?').unwrap_or((text, ""));
        let pairs = url::form_urlencoded::parse(query.as_bytes());
        return Ok((base.to_owned(), pairs.map(|(key, value)| (key.into_owned(), value.into_owned())).collect()));
    }
    let malformed = |why: &str| TargetError::Malformed(why.to_owned());
    if text.contains("://") || !text.is_empty() && !text.contains('=') {
        return Err(malformed("it does not begin with postgres://"));
    }
    Ok(("postgresql://".to_owned(), pairs(text).ok_or_else(|| malformed("its key=value pairs cannot be read"))?))
}

/// Parses `host=a port = 1 password='with space'`. A backslash escapes the next character.
fn pairs(text: &str) -> Option<Pairs> {
    let mut pairs = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (key, after) = rest.split_once('=')?;
        let mut value = String::new();
        let after = after.trim_start();
        let (quoted, after) = after.strip_prefix('\'').map_or((false, after), |after| (true, after));
        let mut characters = after.chars();
        let mut closed = !quoted;
        while let Some(character) = characters.next() {
            match character {
                '\\' => value.push(characters.next()?),
                '\'' if quoted => {
                    closed = true;
                    break;
                }
                blank if !quoted && blank.is_whitespace() => break,
                other => value.push(other),
            }
        }
        if !closed {
            return None;
        }
        pairs.push((key.trim_end().to_owned(), value));
        rest = characters.as_str().trim_start();
    }
    Some(pairs)
}

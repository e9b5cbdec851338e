//! Globs of the redirect allow list.
//!
//! Syntax as in gobwas/glob with the separators `.` and `/`.

use regex::Regex;

/// A glob of the allow list.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub(super) expression: Regex,
    /// The scheme that the glob spells out, in lower case. A glob such as `**` has none.
    pub(super) scheme: Option<String>,
}

impl Pattern {
    /// Parses a glob: `*` and `?` stop at dots and slashes, `**` does not; `[a-z]`, `[!a-z]`, `{one,other}`, `\`
    /// escapes.
    pub(crate) fn parse(glob: &str) -> Option<Self> {
        let mut expression = String::from("(?s)^");
        let mut letters = glob.chars().peekable();
        let mut groups = 0_usize;
        while let Some(letter) = letters.next() {
            match letter {
                '*' if letters.next_if_eq(&'*').is_some() => {
                    while letters.next_if_eq(&'*').is_some() {}
                    expression.push_str(".*");
                }
                '*' => expression.push_str("[^./]*"),
                '?' => expression.push_str("[^./]"),
                '[' => {
                    expression.push('[');
                    if letters.next_if_eq(&'!').is_some() {
                        expression.push('^');
                    }
                    loop {
                        match letters.next()? {
                            ']' => break,
                            '-' => expression.push('-'),
                            letter => expression.push_str(&regex::escape(letter.encode_utf8(&mut [0; 4]))),
                        }
                    }
                    expression.push(']');
                }
                '{' => {
                    groups += 1;
                    expression.push_str("(?:");
                }
                '}' if groups > 0 => {
                    groups -= 1;
                    expression.push(')');
                }
                ',' if groups > 0 => expression.push('|'),
                '\\' => expression.push_str(&regex::escape(letters.next()?.encode_utf8(&mut [0; 4]))),
                letter => expression.push_str(&regex::escape(letter.encode_utf8(&mut [0; 4]))),
            }
        }
        expression.push('$');
        if groups > 0 {
            return None;
        }
        Regex::new(&expression).ok().map(|expression| Pattern { expression, scheme: named_scheme(glob) })
    }
}

/// The scheme (RFC 3986 section 3.1) at the start of a glob, if it is spelled out.
fn named_scheme(glob: &str) -> Option<String> {
    let (scheme, _) = glob.split_once(':')?;
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && scheme.bytes().all(inner);
    is_scheme.then(|| scheme.to_ascii_lowercase())
}

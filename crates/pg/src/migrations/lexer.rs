//! Splits a statement into lexical elements. Supports only those that occur in statements of the platform.

/// A lexical element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lexeme {
    /// A keyword or unquoted name, in lower case.
    Word(String),
    /// A quoted name.
    Quoted(String),
    /// A string constant in plain quotes.
    Text(String),
    /// Any other character.
    Symbol(char),
}

impl Lexeme {
    /// The element as SQL. Names are quoted, so that they cannot be read as anything else.
    pub(super) fn to_sql(&self) -> String {
        match self {
            Lexeme::Word(name) if OPTIONS.contains(&name.as_str()) => name.clone(),
            Lexeme::Word(name) | Lexeme::Quoted(name) => format!("\"{}\"", name.replace('"', "\"\"")),
            Lexeme::Text(text) => format!("'{}'", text.replace('\'', "''")),
            Lexeme::Symbol(symbol) => symbol.to_string(),
        }
    }
}

/// Keywords and settings of a publication.
const OPTIONS: [&str; 9] = [
    "publish",
    "publish_via_partition_root",
    "publish_generated_columns",
    "true",
    "false",
    "on",
    "off",
    "stored",
    "none",
];

/// The elements in order; `None` if one is not supported.
pub(super) fn lexemes(sql: &str) -> Option<Vec<Lexeme>> {
    let mut rest = sql;
    let mut found = Vec::new();
    while let Some(first) = rest.chars().next() {
        rest = match first {
            '-' if rest.starts_with("--") => &rest[rest.find('\n').unwrap_or(rest.len())..],
            '/' if rest.starts_with("/*") => after_comment(rest)?,
            '\'' | '"' => {
                let (text, after) = quoted(rest, first)?;
                found.push(if first == '"' { Lexeme::Quoted(text) } else { Lexeme::Text(text) });
                after
            }
            // Dollar quotes and escapes are not supported.
            '$' | '\\' => return None,
            _ if first.is_whitespace() => &rest[first.len_utf8()..],
            _ if first.is_alphabetic() || first == '_' => {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(rest.len());
                if rest[end..].starts_with('\'') {
                    return None; // E'', U&'' and other prefixes
                }
                found.push(Lexeme::Word(rest[..end].to_lowercase()));
                &rest[end..]
            }
            _ => {
                found.push(Lexeme::Symbol(first));
                &rest[first.len_utf8()..]
            }
        };
    }
    Some(found)
}

/// The text after a block comment. These can be nested.
fn after_comment(text: &str) -> Option<&str> {
    let (mut depth, mut rest) = (0_usize, text);
    loop {
        if let Some(after) = rest.strip_prefix("/*") {
            (depth, rest) = (depth + 1, after);
        } else if let Some(after) = rest.strip_prefix("*/") {
            (depth, rest) = (depth - 1, after);
            if depth == 0 {
                return Some(rest);
            }
        } else {
            rest = &rest[rest.chars().next()?.len_utf8()..];
        }
    }
}

/// The text in quotes, with doubled quotes replaced, and the text after it.
fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let mut content = String::new();
    let mut rest = &text[1..];
    loop {
        let end = rest.find(quote)?;
        content.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix(quote) {
            Some(after) => {
                content.push(quote);
                rest = after;
            }
            None => return Some((content, rest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_parsed_and_written_again() {
        let found = lexemes("Drop /* a /* b */ c */ \"X\"\"y\" -- no\n ('it''s', t.a_1)").unwrap();
        let sql: Vec<String> = found.iter().map(Lexeme::to_sql).collect();
        assert_eq!(sql, ["\"drop\"", "\"X\"\"y\"", "(", "'it''s'", ",", "\"t\"", ".", "\"a_1\"", ")"]);
        for unknown in ["select $$a$$", "e'\\n'", "/* open", "'open", "\"open"] {
            assert_eq!(lexemes(unknown), None, "{unknown}");
        }
    }
}

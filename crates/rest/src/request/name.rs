//! Names, JSON paths and quoted values: what all the grammars of the URL share.

use super::scan::{Fail, Parsed, Scan};

/// A column, perhaps with a path into its JSON: `data->a->>0`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) path: Vec<JsonStep>,
}

/// One arrow and what it points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JsonStep {
    /// `->>`: the result is text.
    pub(crate) as_text: bool,
    pub(crate) operand: JsonOperand,
}

/// Where an arrow points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JsonOperand {
    Key(String),
    /// An index with its sign, which counts from the end when negative.
    Index(String),
}

/// `"anything \"quoted\""` or letters, digits, `_`, `$`, spaces and dashes.
pub(crate) fn field_name(scan: &mut Scan<'_>) -> Parsed<String> {
    scan.named("field name (* or [a..z0..9_$])", |scan| {
        scan.either(quoted_value, |scan| joined_by_dashes(scan, identifier))
    })
}

/// A column with an optional JSON path; spaces around it do not matter.
pub(crate) fn field(scan: &mut Scan<'_>) -> Parsed<Field> {
    scan.lexeme(|scan| Ok(Field { name: field_name(scan)?, path: json_path(scan)? }))
}

/// Letters, digits, `_`, `$` and spaces, trimmed.
pub(crate) fn identifier(scan: &mut Scan<'_>) -> Parsed<String> {
    let mut name = String::new();
    loop {
        let start = scan.at();
        let next = scan.either(
            |scan| scan.named("letter", |scan| scan.one(char::is_alphabetic)),
            |scan| {
                scan.either(
                    |scan| scan.named("digit", |scan| scan.one(char::is_numeric)),
                    |scan| scan.one(|c| matches!(c, '_' | ' ' | '$')),
                )
            },
        );
        match next {
            Ok(c) => name.push(c),
            Err(Fail) if scan.at() == start && !name.is_empty() => return Ok(name.trim().to_owned()),
            Err(fail) => return Err(fail),
        }
    }
}

/// `"…"` where a backslash takes the next character literally.
pub(crate) fn quoted_value(scan: &mut Scan<'_>) -> Parsed<String> {
    scan.char('"')?;
    let mut value = String::new();
    loop {
        value.push_str(scan.many(|c| c != '\\' && c != '"'));
        if scan.optional(|scan| scan.char('\\'))?.is_none() {
            scan.char('"')?;
            return Ok(value);
        }
        value.push(scan.one(|_| true)?);
    }
}

/// The dot between the parts of an expression.
pub(crate) fn delimiter(scan: &mut Scan<'_>) -> Parsed<char> {
    scan.named("delimiter (.)", |scan| scan.char('.'))
}

/// Any number of `->key`, `->>key`, `->0`, `->-1`.
pub(crate) fn json_path(scan: &mut Scan<'_>) -> Parsed<Vec<JsonStep>> {
    let mut path = Vec::new();
    loop {
        let arrow = scan.optional(|scan| {
            scan.either(
                |scan| scan.attempt(|scan| scan.string("->>")).map(|()| true),
                |scan| scan.attempt(|scan| scan.string("->")).map(|()| false),
            )
        })?;
        let Some(as_text) = arrow else { return Ok(path) };
        let operand = scan.either(|scan| scan.attempt(json_index), |scan| scan.attempt(json_key))?;
        path.push(JsonStep { as_text, operand });
    }
}

fn json_index(scan: &mut Scan<'_>) -> Parsed<JsonOperand> {
    let sign = scan.optional(|scan| scan.char('-'))?.unwrap_or('+');
    let mut digits = String::from(sign);
    digits.push(scan.named("digit", |scan| scan.one(char::is_numeric))?);
    while let Some(digit) = scan.optional(|scan| scan.named("digit", |scan| scan.one(char::is_numeric)))? {
        digits.push(digit);
    }
    for end in ["->", "::", ".", ","] {
        if scan.attempt(|scan| scan.ahead(|scan| scan.string(end))).is_ok() {
            return Ok(JsonOperand::Index(digits));
        }
    }
    scan.end()?;
    Ok(JsonOperand::Index(digits))
}

fn json_key(scan: &mut Scan<'_>) -> Parsed<JsonOperand> {
    scan.named("any non reserved character different from: .,>()", |scan| {
        scan.either(quoted_value, |scan| {
            joined_by_dashes(scan, |scan| {
                let first = scan.one(is_key_char)?;
                let rest = scan.many(is_key_char);
                Ok(format!("{first}{rest}").trim().to_owned())
            })
        })
    })
    .map(JsonOperand::Key)
}

fn is_key_char(c: char) -> bool {
    !matches!(c, '(' | '-' | ':' | '.' | ',' | '>' | ')')
}

/// Pieces with dashes between them; a dash that begins an arrow ends the name.
fn joined_by_dashes(scan: &mut Scan<'_>, piece: impl Fn(&mut Scan<'_>) -> Parsed<String>) -> Parsed<String> {
    let dash = |scan: &mut Scan<'_>| {
        scan.attempt(|scan| {
            scan.char('-')?;
            if scan.peek() == Some('>') { Err(Fail) } else { Ok(()) }
        })
    };
    Ok(scan.separated(piece, dash)?.join("-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all<T>(text: &str, piece: impl Fn(&mut Scan<'_>) -> Parsed<T>) -> Result<T, String> {
        let mut scan = Scan::new(text);
        match piece(&mut scan).and_then(|value| scan.end().map(|()| value)) {
            Ok(value) => Ok(value),
            Err(Fail) => Err(scan.complaint().1),
        }
    }

    #[test]
    fn names() {
        for (text, name) in [
            ("id", "id"),
            (" with spaces ", "with spaces"),
            ("a-b-c", "a-b-c"),
            (r#""a.b \" c""#, r#"a.b " c"#),
            ("$_1", "$_1"),
            ("naïve", "naïve"),
        ] {
            assert_eq!(all(text, field_name).unwrap(), name);
        }
        assert_eq!(all(":", field_name).unwrap_err(), r#"unexpected ":" expecting field name (* or [a..z0..9_$])"#);
    }

    #[test]
    fn json_paths() {
        let path = all("->a->>0->-1->\"x y\"->b-c", json_path).unwrap();
        let shown: Vec<_> = path.iter().map(|step| (step.as_text, &step.operand)).collect();
        let key = |key: &str| JsonOperand::Key(key.to_owned());
        let index = |index: &str| JsonOperand::Index(index.to_owned());
        assert_eq!(
            shown,
            [
                (false, &key("a")),
                (true, &index("+0")),
                (false, &index("-1")),
                (false, &key("x y")),
                (false, &key("b-c"))
            ]
        );
        // `78xy` is a key, not an index.
        assert_eq!(all("->78xy", json_path).unwrap()[0].operand, key("78xy"));
        assert!(all("->", json_path).is_err());
    }
}

//! Names, JSON paths and quoted values: the common parts of all grammars of the URL.

use super::scan::{Parsed, Scan};

/// A column, optionally with a path into its JSON: `data->a->>0`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) path: Vec<JsonStep>,
}

/// One step of a JSON path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JsonStep {
    /// `->>`: the result is text.
    pub(crate) as_text: bool,
    pub(crate) operand: JsonOperand,
}

/// The operand of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JsonOperand {
    Key(String),
    /// An index with its sign; negative ones count from the end.
    Index(String),
}

/// `"anything \"quoted\""`, or letters, digits, `_`, `$`, spaces and dashes.
pub(crate) fn field_name(scan: &mut Scan<'_>) -> Parsed<String> {
    scan.named("field name (* or [a..z0..9_$])", |scan| {
        scan.either(quoted_value, |scan| joined_by_dashes(scan, identifier))
    })
}

/// A column with an optional JSON path; spaces around it are ignored.
pub(crate) fn field(scan: &mut Scan<'_>) -> Parsed<Field> {
    scan.lexeme(|scan| Ok(Field { name: field_name(scan)?, path: json_path(scan)? }))
}

/// Letters, digits, `_`, `$` and spaces, trimmed.
pub(crate) fn identifier(scan: &mut Scan<'_>) -> Parsed<String> {
    let accept = |c: char| c.is_alphabetic() || c.is_ascii_digit() || matches!(c, '_' | ' ' | '$');
    Ok(scan.some(accept, ["letter", "digit"])?.trim().to_owned())
}

/// `"…"`, in which a backslash escapes the next character.
pub(crate) fn quoted_value(scan: &mut Scan<'_>) -> Parsed<String> {
    scan.char('"')?;
    let inside = scan.many(|scan| {
        scan.either(
            |scan| scan.one(|c| c != '\\' && c != '"'),
            |scan| {
                scan.char('\\')?;
                scan.one(|_| true)
            },
        )
    })?;
    scan.char('"')?;
    Ok(inside.into_iter().collect())
}

/// The dot that separates the parts of an expression.
pub(crate) fn delimiter(scan: &mut Scan<'_>) -> Parsed<char> {
    scan.named("delimiter (.)", |scan| scan.char('.'))
}

/// Any number of `->key`, `->>key`, `->0`, `->-1`.
pub(crate) fn json_path(scan: &mut Scan<'_>) -> Parsed<Vec<JsonStep>> {
    let mut path = Vec::new();
    // Not `Scan::many`: upstream uses another combinator here, which also keeps the expectations of the last step.
    while let Some(step) = scan.optional(json_step)? {
        path.push(step);
    }
    Ok(path)
}

fn json_step(scan: &mut Scan<'_>) -> Parsed<JsonStep> {
    let as_text = scan.either(
        |scan| scan.attempt(|scan| scan.string("->>")).map(|()| true),
        |scan| scan.attempt(|scan| scan.string("->")).map(|()| false),
    )?;
    let operand = scan.either(|scan| scan.attempt(json_index), |scan| scan.attempt(json_key))?;
    Ok(JsonStep { as_text, operand })
}

fn json_index(scan: &mut Scan<'_>) -> Parsed<JsonOperand> {
    let sign = scan.optional(|scan| scan.char('-'))?.unwrap_or('+');
    let digits = scan.some(|c| c.is_ascii_digit(), ["digit"])?;
    one_of_ahead(scan, &["->", "::", ".", ","])?;
    Ok(JsonOperand::Index(format!("{sign}{digits}")))
}

/// One of `ends`, without consuming it, or the end of input.
pub(crate) fn one_of_ahead(scan: &mut Scan<'_>, ends: &[&'static str]) -> Parsed<()> {
    for end in ends {
        if scan.attempt(|scan| scan.ahead(|scan| scan.string(end))).is_ok() {
            return Ok(());
        }
    }
    scan.attempt(Scan::end)
}

fn json_key(scan: &mut Scan<'_>) -> Parsed<JsonOperand> {
    scan.named("any non reserved character different from: .,>()", |scan| {
        scan.either(quoted_value, |scan| {
            joined_by_dashes(scan, |scan| {
                let first = scan.one(is_key_char)?;
                let rest = scan.while_one(is_key_char);
                Ok(format!("{first}{rest}").trim().to_owned())
            })
        })
    })
    .map(JsonOperand::Key)
}

fn is_key_char(c: char) -> bool {
    !matches!(c, '(' | '-' | ':' | '.' | ',' | '>' | ')')
}

/// Words joined by dashes; a dash that begins an arrow ends the name.
fn joined_by_dashes(scan: &mut Scan<'_>, piece: impl Fn(&mut Scan<'_>) -> Parsed<String>) -> Parsed<String> {
    let dash = |scan: &mut Scan<'_>| {
        scan.attempt(|scan| {
            scan.char('-')?;
            scan.not_followed_by(|c| c == '>', Some('>'))
        })
    };
    Ok(scan.separated(piece, dash)?.join("-"))
}

#[cfg(test)]
mod tests {
    use super::super::scan::Fail;
    use super::*;

    fn all<T>(text: &str, piece: impl Fn(&mut Scan<'_>) -> Parsed<T>) -> Result<T, String> {
        let mut scan = Scan::new(text);
        match piece(&mut scan).and_then(|value| scan.end().map(|()| value)) {
            Ok(value) => Ok(value),
            Err(Fail) => Err(scan.complaint().details),
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

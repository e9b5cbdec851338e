//! Checks JSON syntax and produces the error messages of Go's `encoding/json`.

/// Maximum nesting of arrays and objects; Go's own limit.
const MAX_DEPTH: usize = 10_000;

/// The container of the current value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Array,
    Object,
}

struct Scanner<'a> {
    rest: std::slice::Iter<'a, u8>,
    /// A byte that was looked at but not consumed.
    next: Option<u8>,
    open: Vec<Inside>,
    /// True if the text is read as a stream, of which only the first value counts.
    is_stream: bool,
}

/// Checks the whole text.
///
/// # Errors
/// Go's message for the first error.
pub(super) fn check(text: &[u8]) -> Result<(), String> {
    Scanner { rest: text.iter(), next: None, open: Vec::new(), is_stream: false }.document()
}

/// The first value of a text, whatever follows it: what Go's `json.Decoder` reads.
///
/// # Errors
/// Go's message for the first error.
pub(super) fn first(text: &[u8]) -> Result<&[u8], String> {
    let mut scanner = Scanner { rest: text.iter(), next: None, open: Vec::new(), is_stream: true };
    scanner.document().map_err(|message| match message == END {
        true if text.trim_ascii().is_empty() => "EOF".to_owned(),
        true => "unexpected EOF".to_owned(),
        false => message,
    })?;
    let unread = scanner.rest.len() + usize::from(scanner.next.is_some());
    Ok(&text[..text.len() - unread])
}

const END: &str = "unexpected end of JSON input";

impl Scanner<'_> {
    fn document(&mut self) -> Result<(), String> {
        loop {
            // A value begins. Containers are kept on a stack instead of recursing.
            match self.visible().ok_or(END)? {
                b'{' => {
                    self.enter(Inside::Object)?;
                    match self.visible().ok_or(END)? {
                        b'}' => self.leave(),
                        b'"' => {
                            self.key()?;
                            continue;
                        }
                        other => return Err(invalid(other, "looking for beginning of object key string")),
                    }
                }
                b'[' => {
                    self.enter(Inside::Array)?;
                    match self.visible().ok_or(END)? {
                        b']' => self.leave(),
                        other => {
                            self.next = Some(other);
                            continue;
                        }
                    }
                }
                other => self.scalar(other)?,
            }
            if self.after_value()? {
                return Ok(());
            }
        }
    }

    /// Reads what may follow a value; true when the document is complete.
    fn after_value(&mut self) -> Result<bool, String> {
        loop {
            let Some(inside) = self.open.last().copied() else {
                return match self.visible() {
                    Some(other) if self.is_stream => {
                        self.next = Some(other);
                        Ok(true)
                    }
                    None => Ok(true),
                    Some(other) => Err(invalid(other, "after top-level value")),
                };
            };
            match (inside, self.visible().ok_or(END)?) {
                (Inside::Array, b',') => return Ok(false),
                (Inside::Array, b']') | (Inside::Object, b'}') => self.leave(),
                (Inside::Array, other) => return Err(invalid(other, "after array element")),
                (Inside::Object, b',') => match self.visible().ok_or(END)? {
                    b'"' => {
                        self.key()?;
                        return Ok(false);
                    }
                    other => return Err(invalid(other, "looking for beginning of object key string")),
                },
                (Inside::Object, other) => return Err(invalid(other, "after object key:value pair")),
            }
        }
    }

    fn enter(&mut self, inside: Inside) -> Result<(), String> {
        self.open.push(inside);
        if self.open.len() > MAX_DEPTH { Err("exceeded max depth".to_owned()) } else { Ok(()) }
    }

    fn leave(&mut self) {
        self.open.pop();
    }

    /// The rest of a key and its colon.
    fn key(&mut self) -> Result<(), String> {
        self.string()?;
        match self.visible().ok_or(END)? {
            b':' => Ok(()),
            other => Err(invalid(other, "after object key")),
        }
    }

    fn scalar(&mut self, first: u8) -> Result<(), String> {
        match first {
            b'"' => self.string(),
            b't' => self.literal("true"),
            b'f' => self.literal("false"),
            b'n' => self.literal("null"),
            b'-' => match self.inner()? {
                digit @ b'0'..=b'9' => self.number(digit),
                other => Err(invalid(other, "in numeric literal")),
            },
            b'0'..=b'9' => self.number(first),
            other => Err(invalid(other, "looking for beginning of value")),
        }
    }

    fn literal(&mut self, word: &'static str) -> Result<(), String> {
        for expected in word.bytes().skip(1) {
            let found = self.inner()?;
            if found != expected {
                let context = format!("in literal {word} (expecting '{}')", char::from(expected));
                return Err(invalid(found, &context));
            }
        }
        Ok(())
    }

    fn string(&mut self) -> Result<(), String> {
        loop {
            match self.byte().ok_or(END)? {
                b'"' => return Ok(()),
                b'\\' => match self.inner()? {
                    b'b' | b'f' | b'n' | b'r' | b't' | b'\\' | b'/' | b'"' => {}
                    b'u' => {
                        for _ in 0..4 {
                            let digit = self.inner()?;
                            if !digit.is_ascii_hexdigit() {
                                return Err(invalid(digit, r"in \u hexadecimal character escape"));
                            }
                        }
                    }
                    other => return Err(invalid(other, "in string escape code")),
                },
                control @ 0..=0x1f => return Err(invalid(control, "in string literal")),
                _ => {}
            }
        }
    }

    /// The rest of a number after its first digit.
    fn number(&mut self, first: u8) -> Result<(), String> {
        let mut next = if first == b'0' { self.byte() } else { self.digits() };
        if next == Some(b'.') {
            match self.inner()? {
                b'0'..=b'9' => next = self.digits(),
                other => return Err(invalid(other, "after decimal point in numeric literal")),
            }
        }
        if matches!(next, Some(b'e' | b'E')) {
            let mut digit = self.inner()?;
            if matches!(digit, b'+' | b'-') {
                digit = self.inner()?;
            }
            if !digit.is_ascii_digit() {
                return Err(invalid(digit, "in exponent of numeric literal"));
            }
            next = self.digits();
        }
        self.next = next;
        Ok(())
    }

    /// Skips digits; returns the first byte that is not one.
    fn digits(&mut self) -> Option<u8> {
        loop {
            match self.byte() {
                Some(b'0'..=b'9') => {}
                other => return other,
            }
        }
    }

    /// The next byte of a literal, a number or an escape. At the end of the text Go reads a space here.
    fn inner(&mut self) -> Result<u8, String> {
        match self.byte() {
            None if self.is_stream => Err(END.to_owned()),
            found => Ok(found.unwrap_or(b' ')),
        }
    }

    fn byte(&mut self) -> Option<u8> {
        self.next.take().or_else(|| self.rest.next().copied())
    }

    /// The next byte that is not white space.
    fn visible(&mut self) -> Option<u8> {
        loop {
            match self.byte() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => {}
                other => return other,
            }
        }
    }
}

fn invalid(byte: u8, context: &str) -> String {
    format!("invalid character {} {context}", quote(byte))
}

/// A byte as Go quotes it: as the character with that number.
fn quote(byte: u8) -> String {
    match byte {
        b'\'' => r"'\''".to_owned(),
        b'"' => "'\"'".to_owned(),
        b'\\' => r"'\\'".to_owned(),
        0x07 => r"'\a'".to_owned(),
        0x08 => r"'\b'".to_owned(),
        0x0c => r"'\f'".to_owned(),
        b'\n' => r"'\n'".to_owned(),
        b'\r' => r"'\r'".to_owned(),
        b'\t' => r"'\t'".to_owned(),
        0x0b => r"'\v'".to_owned(),
        0x00..=0x1f | 0x7f => format!("'\\x{byte:02x}'"),
        0x80..=0xa0 | 0xad => format!("'\\u{byte:04x}'"),
        _ => format!("'{}'", char::from(byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_texts_pass() {
        for text in
            [" {} ", "[]", "[[],{}]", r#"{"a":[1,-0.5e+3,"x\u00e9\n",true,false,null],"b":{}}"#, "0", "\"\u{e9}\""]
        {
            assert_eq!(check(text.as_bytes()), Ok(()), "{text}");
        }
    }

    /// The right column was printed by Go's encoding/json.
    #[test]
    fn bad_texts_get_gos_words() {
        for (text, message) in [
            ("", "unexpected end of JSON input"),
            ("{", "unexpected end of JSON input"),
            ("{\"a\"", "unexpected end of JSON input"),
            ("not json", "invalid character 'o' in literal null (expecting 'u')"),
            ("{'a':1}", r"invalid character '\'' looking for beginning of object key string"),
            ("{\"a\":1,}", "invalid character '}' looking for beginning of object key string"),
            ("[1,]", "invalid character ']' looking for beginning of value"),
            ("{\"a\" 1}", "invalid character '1' after object key"),
            ("{\"a\":1 2}", "invalid character '2' after object key:value pair"),
            ("[1 2]", "invalid character '2' after array element"),
            ("{} x", "invalid character 'x' after top-level value"),
            ("01", "invalid character '1' after top-level value"),
            ("-x", "invalid character 'x' in numeric literal"),
            ("1.x", "invalid character 'x' after decimal point in numeric literal"),
            ("1ex", "invalid character 'x' in exponent of numeric literal"),
            ("\"\\x\"", "invalid character 'x' in string escape code"),
            ("\"\\u00g\"", r"invalid character 'g' in \u hexadecimal character escape"),
            ("\"\n\"", r"invalid character '\n' in string literal"),
            ("\u{e9}", "invalid character '\u{c3}' looking for beginning of value"),
            ("tru", "invalid character ' ' in literal true (expecting 'e')"),
            ("[-", "invalid character ' ' in numeric literal"),
            ("\"\\u00", r"invalid character ' ' in \u hexadecimal character escape"),
        ] {
            assert_eq!(check(text.as_bytes()), Err(message.to_owned()), "{text:?}");
        }
        assert_eq!(check("[".repeat(10_001).as_bytes()), Err("exceeded max depth".to_owned()));
    }

    /// The right column was printed by Go's `json.Decoder`.
    #[test]
    fn of_a_stream_only_the_first_value_counts() {
        for (text, value) in [("{}x", "{}"), (" [1] {}", " [1]"), ("1 2", "1"), ("{}}", "{}"), ("12", "12")] {
            assert_eq!(first(text.as_bytes()).map(|value| value.trim_ascii_end()), Ok(value.as_bytes()), "{text}");
        }
        for (text, message) in [
            ("", "EOF"),
            (" ", "EOF"),
            ("{", "unexpected EOF"),
            ("tru", "unexpected EOF"),
            ("[1 2", "invalid character '2' after array element"),
        ] {
            assert_eq!(first(text.as_bytes()), Err(message.to_owned()), "{text:?}");
        }
    }
}

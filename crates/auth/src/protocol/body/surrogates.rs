//! Unpaired surrogates, as JavaScript produces them when it cuts an emoji in two.

use std::borrow::Cow;

/// Length of an escape in bytes: `\u` and four digits.
const LENGTH: usize = 6;

/// The same JSON with U+FFFD for each escape of an unpaired surrogate, as Go reads it.
pub(super) fn replaced(json: &str) -> Cow<'_, str> {
    if !json.contains("\\u") {
        return Cow::Borrowed(json);
    }
    let (mut rest, mut out) = (json, String::with_capacity(json.len()));
    while let Some(start) = rest.find('\\') {
        out.push_str(&rest[..start]);
        let escape = &rest[start..];
        let length = match unit(escape) {
            // Another escape: a backslash and one character, which may be a backslash itself.
            None => 1 + escape[1..].chars().next().map_or(0, char::len_utf8),
            Some(0xd800..=0xdbff) if matches!(escape.get(LENGTH..).and_then(unit), Some(0xdc00..=0xdfff)) => 2 * LENGTH,
            Some(0xd800..=0xdfff) => {
                out.push_str(r"\ufffd");
                rest = &escape[LENGTH..];
                continue;
            }
            Some(_) => LENGTH,
        };
        out.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The UTF-16 unit of the escape at the start of a text.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_halves_are_replaced() {
        for (json, expected) in [
            (r#""no escape""#, r#""no escape""#),
            (r#""\u0041 \ud83d\ude00 \n""#, r#""\u0041 \ud83d\ude00 \n""#),
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#),
            (r#""\uD83D\u0041""#, r#""\ufffd\u0041""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83dé""#, r#""\\\ufffdé""#),
        ] {
            assert_eq!(replaced(json), expected, "{json}");
        }
    }
}

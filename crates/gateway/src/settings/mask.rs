//! Hides passwords in values that are shown.

use std::borrow::Cow;

/// The text with three stars in place of user and password of every URL in it: also those of a list, and those that no
/// parser would take.
pub fn masked(text: &str) -> Cow<'_, str> {
    let mut masked = Cow::Borrowed("");
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        masked += before;
        // RFC 3986 section 3.2: what ends an authority.
        let end = after.find(|c: char| matches!(c, '/' | '?' | '#') || c.is_whitespace()).unwrap_or(after.len());
        rest = match after[..end].rfind('@') {
            Some(at) => {
                masked += "***";
                &after[at..]
            }
            None => after,
        };
    }
    masked + rest
}

//! JSON that is checked and kept as text.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// The text if it is JSON that PostgreSQL takes as well; `None` for anything else.
///
/// No tree is built, because it could take 36 times the memory of the text. [`RawValue`] alone would accept any depth,
/// numbers of any size and halves of surrogate pairs. Bytes that are not UTF-8 are replaced, as upstream does.
pub(crate) fn checked(text: Vec<u8>) -> Option<Box<RawValue>> {
    let text = String::from_utf8(text).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    serde_json::from_str::<Checked>(&text).ok()?;
    RawValue::from_string(text).ok()
}

/// A value that is read and forgotten. Its recursion makes serde_json limit the depth.
struct Checked;

impl<'de> Deserialize<'de> for Checked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Checked)
    }
}

impl<'de> Visitor<'de> for Checked {
    type Value = Checked;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON without the character U+0000")
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self, E> {
        // `jsonb` cannot store it.
        if text.contains('\0') { Err(E::custom("U+0000")) } else { Ok(self) }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<Checked>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self, A::Error> {
        while members.next_entry::<Checked, Checked>()?.is_some() {}
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_tree_would_hold_is_kept_as_it_is_written() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        for text in [r#"{"b": 1, "a":[1.50, null]}"#, " true ", r#""\ud83e\udd80""#, "{}", "1e300", &nested(127)] {
            let kept = checked(text.as_bytes().to_vec()).unwrap();
            assert_eq!(kept.get(), text.trim(), "{text}");
        }
        for text in ["", "{", "1 2", "1e999", r#""\ud83e""#, r#""\u0000""#, r#"{"\u0000":1}"#, &nested(128)] {
            assert!(checked(text.as_bytes().to_vec()).is_none(), "{text}");
        }
        assert_eq!(checked(b"\"\xff\"".to_vec()).unwrap().get(), "\"\u{fffd}\"");
    }
}

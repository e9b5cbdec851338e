//! The shape of a JSON text, found without storing its values.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The shape of a body.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Object(BTreeSet<String>),
    /// Objects with these keys; `None` for an empty array.
    Array(Option<BTreeSet<String>>),
    /// An array of other values.
    Uneven,
    Scalar,
}

impl<'de> serde::Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Whole)
    }
}

/// The visitor's methods for values that are neither objects nor arrays.
macro_rules! scalars {
    ($value:ty => $answer:expr) => {
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("JSON")
        }
        fn visit_bool<E>(self, _: bool) -> Result<$value, E> {
            Ok($answer)
        }
        fn visit_i64<E>(self, _: i64) -> Result<$value, E> {
            Ok($answer)
        }
        fn visit_u64<E>(self, _: u64) -> Result<$value, E> {
            Ok($answer)
        }
        fn visit_f64<E>(self, _: f64) -> Result<$value, E> {
            Ok($answer)
        }
        fn visit_str<E>(self, _: &str) -> Result<$value, E> {
            Ok($answer)
        }
        fn visit_unit<E>(self) -> Result<$value, E> {
            Ok($answer)
        }
    };
}

struct Whole;

impl<'de> Visitor<'de> for Whole {
    type Value = Shape;

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Shape, A::Error> {
        Ok(Shape::Object(owned(&keys_of(map)?)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Shape, A::Error> {
        let first = match items.next_element_seed(Element { first: &[] })? {
            None => return Ok(Shape::Array(None)),
            Some(Keys::Same) => Vec::new(),
            Some(Keys::Others(keys)) => keys,
            Some(Keys::NoObject) => {
                while items.next_element::<IgnoredAny>()?.is_some() {}
                return Ok(Shape::Uneven);
            }
        };
        let keys = owned(&first);
        let mut even = true;
        while let Some(element) = items.next_element_seed(Element { first: &first })? {
            even &= match element {
                Keys::Same => true,
                Keys::Others(others) => owned(&others) == keys,
                Keys::NoObject => false,
            };
        }
        Ok(if even { Shape::Array(Some(keys)) } else { Shape::Uneven })
    }

    scalars!(Shape => Shape::Scalar);
}

fn owned(keys: &[Cow<'_, str>]) -> BTreeSet<String> {
    keys.iter().map(|key| key.clone().into_owned()).collect()
}

/// The keys of an element.
enum Keys<'de> {
    /// The keys of the first element, in its order.
    Same,
    Others(Vec<Cow<'de, str>>),
    NoObject,
}

/// Reads an element. Rows from one program have their keys in the same order; comparing them with the first row's while
/// reading needs no memory.
struct Element<'a, 'de> {
    first: &'a [Cow<'de, str>],
}

impl<'de> DeserializeSeed<'de> for Element<'_, 'de> {
    type Value = Keys<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Keys<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Element<'_, 'de> {
    type Value = Keys<'de>;

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys<'de>, A::Error> {
        let mut matched = 0;
        while let Some((Key(key), IgnoredAny)) = map.next_entry()? {
            if self.first.get(matched) == Some(&key) {
                matched += 1;
                continue;
            }
            let mut keys = self.first[..matched].to_vec();
            keys.push(key);
            keys.extend(keys_of(map)?);
            return Ok(Keys::Others(keys));
        }
        let is_all = matched == self.first.len();
        Ok(if is_all { Keys::Same } else { Keys::Others(self.first[..matched].to_vec()) })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Keys<'de>, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Keys::NoObject)
    }

    scalars!(Keys<'de> => Keys::NoObject);
}

fn keys_of<'de, A: MapAccess<'de>>(mut map: A) -> Result<Vec<Cow<'de, str>>, A::Error> {
    let mut keys = Vec::new();
    while let Some((Key(key), IgnoredAny)) = map.next_entry()? {
        keys.push(key);
    }
    Ok(keys)
}

/// A key, borrowed from the text unless it contains escapes.
struct Key<'de>(Cow<'de, str>);

impl<'de> serde::Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(KeyVisitor).map(Key)
    }
}

struct KeyVisitor;

impl<'de> Visitor<'de> for KeyVisitor {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(key))
    }

    fn visit_str<E>(self, key: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(key.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Option<Shape> {
        serde_json::from_str(text).ok()
    }

    #[test]
    fn rows_are_even_whatever_the_order_of_their_keys() {
        let keys = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<BTreeSet<String>>();
        for (text, expected) in [
            (r#"{"b":1,"a":{"c":[]},"b":2}"#, Shape::Object(keys(&["a", "b"]))),
            (r#"[{"b":1,"a":2},{"a":[{}],"b":"x"},{"b":1,"a":2,"b":3}]"#, Shape::Array(Some(keys(&["a", "b"])))),
            (r#"[{"a":1,"a":2},{"a":3}]"#, Shape::Array(Some(keys(&["a"])))),
            (r#"[{"\u0061":1},{"a":2},{"\u0061":3}]"#, Shape::Array(Some(keys(&["a"])))),
            ("[{},{}]", Shape::Array(Some(keys(&[])))),
            (r#"[{"a":1,"b":2},{"a":1}]"#, Shape::Uneven),
            (r#"[{"a":1},{"a":1,"b":2}]"#, Shape::Uneven),
            (r#"[{"a":1,"b":2},{"b":2,"c":3}]"#, Shape::Uneven),
            (r#"[{"a":1},{}]"#, Shape::Uneven),
            (r#"[{},{"a":1}]"#, Shape::Uneven),
            (r#"[{"a":1},[{"a":1}]]"#, Shape::Uneven),
            (r#"[{"a":1},null]"#, Shape::Uneven),
            ("[[],{}]", Shape::Uneven),
            ("[1.5,true]", Shape::Uneven),
            ("[]", Shape::Array(None)),
            ("null", Shape::Scalar),
        ] {
            assert_eq!(shape(text), Some(expected), "{text}");
        }
        for text in [r#"[{"a":1},{"a":}]"#, r#"[{"a":1}"#, r#"[{"a":1},]"#, "[[1],2", r#"[{"b":1},{"a":1},{"a"}]"#] {
            assert_eq!(shape(text), None, "{text}");
        }
    }
}

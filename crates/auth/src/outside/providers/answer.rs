//! Typed access to a provider's JSON answer: an absent value or `null` is empty, a wrong type is a failure.

use serde_json::{Map, Value};

use super::Failure;

/// A JSON value of an answer, with the name it was found under.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer<'a> {
    value: &'a Value,
    name: &'a str,
}

impl<'a> From<&'a Value> for Answer<'a> {
    fn from(value: &'a Value) -> Self {
        Answer { value, name: "itself" }
    }
}

impl<'a> Answer<'a> {
    /// The value of a key.
    ///
    /// # Errors
    /// If this is not an object.
    pub(crate) fn at(self, name: &'a str) -> Result<Self, Failure> {
        match self.value {
            Value::Object(object) => Ok(Answer { value: object.get(name).unwrap_or(&Value::Null), name }),
            Value::Null => Ok(Answer { value: self.value, name }),
            _ => Err(self.wrong()),
        }
    }

    /// The string of a key.
    ///
    /// # Errors
    /// If it is not a string.
    pub(crate) fn text(self, name: &'a str) -> Result<&'a str, Failure> {
        let found = self.at(name)?;
        match found.value {
            Value::Null => Ok(""),
            Value::String(text) => Ok(text),
            _ => Err(found.wrong()),
        }
    }

    /// The boolean of a key.
    ///
    /// # Errors
    /// If it is not a boolean.
    pub(crate) fn flag(self, name: &'a str) -> Result<bool, Failure> {
        let found = self.at(name)?;
        match found.value {
            Value::Null => Ok(false),
            Value::Bool(flag) => Ok(*flag),
            _ => Err(found.wrong()),
        }
    }

    /// The integer of a key.
    ///
    /// # Errors
    /// If it is not an integer.
    pub(crate) fn number(self, name: &'a str) -> Result<i64, Failure> {
        let found = self.at(name)?;
        match found.value {
            Value::Null => Ok(0),
            value => value.as_i64().ok_or_else(|| found.wrong()),
        }
    }

    /// The items of a list.
    ///
    /// # Errors
    /// If this is not a list.
    pub(crate) fn items(self) -> Result<impl Iterator<Item = Answer<'a>>, Failure> {
        let name = self.name;
        let items: &[Value] = match self.value {
            Value::Array(items) => items,
            Value::Null => &[],
            _ => return Err(self.wrong()),
        };
        Ok(items.iter().map(move |value| Answer { value, name }))
    }

    /// The first item of a list.
    ///
    /// # Errors
    /// If this is not a list, or it is empty.
    pub(crate) fn first(self) -> Result<Answer<'a>, Failure> {
        let name = self.name;
        self.items()?.next().ok_or_else(|| Failure::Answer(format!("has nothing in {name}")))
    }

    /// All pairs of an object.
    ///
    /// # Errors
    /// If this is not an object.
    pub(crate) fn object(self) -> Result<&'a Map<String, Value>, Failure> {
        self.value.as_object().ok_or_else(|| self.wrong())
    }

    /// The raw value.
    pub(crate) fn value(self) -> &'a Value {
        self.value
    }

    fn wrong(self) -> Failure {
        Failure::Answer(format!("has a value of another type than it should in {}", self.name))
    }
}

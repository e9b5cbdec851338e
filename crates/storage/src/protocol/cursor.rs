//! The cursor of `POST /object/list-v2`: base64 of lines `l:<last name>`, `o:<order>`, `c:<column>`, `a:<time>`.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::error::StorageError;

/// The end of the last page, and its sort order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) start_after: String,
    pub(crate) order: Option<String>,
    pub(crate) column: Option<String>,
    /// The last row's time in that column.
    pub(crate) column_after: Option<String>,
}

impl Cursor {
    pub(crate) fn encode(&self) -> String {
        let parts = [
            ("l", Some(&self.start_after)),
            ("o", self.order.as_ref()),
            ("c", self.column.as_ref()),
            ("a", self.column_after.as_ref()),
        ];
        let lines: Vec<String> = parts
            .into_iter()
            .filter_map(|(key, value)| value.filter(|value| !value.is_empty()).map(|value| format!("{key}:{value}")))
            .collect();
        BASE64_STANDARD.encode(lines.join("\n"))
    }

    /// Decodes a cursor.
    ///
    /// # Errors
    /// `InvalidParameter`.
    pub(crate) fn decode(text: &str) -> Result<Self, StorageError> {
        let wrong = || StorageError::invalid_parameter("Invalid Parameter continuation token");
        let bytes = BASE64_STANDARD.decode(text).map_err(|_| wrong())?;
        let lines = String::from_utf8(bytes).map_err(|_| wrong())?;
        let mut cursor = Cursor { order: Some("asc".to_owned()), ..Cursor::default() };
        for line in lines.split('\n') {
            let (key, value) = line.split_once(':').ok_or_else(wrong)?;
            match key {
                "l" => value.clone_into(&mut cursor.start_after),
                "o" => cursor.order = Some(value.to_owned()),
                "c" => cursor.column = Some(value.to_owned()),
                "a" => cursor.column_after = Some(value.to_owned()),
                _ => return Err(wrong()),
            }
        }
        Ok(cursor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_as_it_went() {
        let cursor = Cursor {
            start_after: "a/b:c".to_owned(),
            order: Some("desc".to_owned()),
            column: Some("updated_at".to_owned()),
            column_after: Some("2024-01-01T00:00:00.000Z".to_owned()),
        };
        assert_eq!(Cursor::decode(&cursor.encode()), Ok(cursor));
        for garbage in ["", "!", "eA==", "eDp5", "/w=="] {
            assert!(Cursor::decode(garbage).is_err(), "{garbage}");
        }
    }
}

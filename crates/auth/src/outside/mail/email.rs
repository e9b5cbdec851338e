//! The content of a mail before it is rendered.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::config::Config;
use crate::model::account::User;
use crate::model::email_kind::EmailKind;

/// A mail to one user.
#[derive(Clone, Debug)]
pub(crate) struct Email {
    pub(crate) kind: EmailKind,
    pub(crate) user_id: Uuid,
    pub(crate) to: String,
    /// The fields for its template.
    pub(crate) fields: Value,
}

impl Email {
    /// A mail to a user, with the fields that all kinds have.
    ///
    /// DEVIATION (behaviour): numbers, lists and objects in a mail template's `.Data` are rendered as JSON; GoTrue
    /// renders them in Go's format (`1e+06`, `map[a:1]`).
    pub(crate) fn new(config: &Config, kind: EmailKind, user: &User, to: &str) -> Self {
        let fields = json!({ "SiteURL": config.site_url, "Email": user.email, "Data": user.user_metadata });
        Email { kind, user_id: user.id, to: to.to_owned(), fields }
    }

    /// Adds a field.
    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.fields[name] = json!(value);
        self
    }

    /// Approximate memory use, in bytes.
    pub(super) fn size(&self) -> usize {
        fn of(value: &Value) -> usize {
            const OVERHEAD: usize = 64;
            OVERHEAD
                + match value {
                    Value::String(text) => text.len(),
                    Value::Array(items) => items.iter().map(of).sum(),
                    Value::Object(fields) => fields.iter().map(|(key, value)| key.len() + of(value)).sum(),
                    _ => 0,
                }
        }
        of(&self.fields) + self.to.len()
    }
}

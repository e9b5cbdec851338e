//! Why a new password is refused.
//!
//! Source: supabase/auth, `internal/api/password.go`.

use std::fmt;

/// Why a password is too weak.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Weakness {
    /// For people.
    pub(crate) message: String,
    /// For programs: `length`, `characters`, `pwned`.
    pub(crate) reasons: Vec<&'static str>,
}

impl Weakness {
    /// The shape in which a successful sign-in reports that the password has become too weak.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        serde_json::json!({ "message": self.message, "reasons": self.reasons })
    }

    #[cfg(test)]
    pub(crate) fn example() -> Self {
        Weakness { message: "Password should be at least 6 characters.".to_owned(), reasons: vec!["length"] }
    }
}

impl fmt::Display for Weakness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

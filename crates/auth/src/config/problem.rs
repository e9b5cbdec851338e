//! A problem with a setting.

/// A setting with an invalid value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The variable.
    pub key: String,
    /// Its value, unless it is secret or absent.
    pub value: Option<String>,
    /// What is wrong, as the end of a sentence that begins with the variable.
    pub message: String,
}

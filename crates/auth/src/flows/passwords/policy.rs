//! Rules for new passwords.
//!
//! Source: supabase/auth, `internal/api/password.go`.

use crate::config::PasswordConfig;
use crate::error::{AuthError, Weakness};
use crate::state::State;

/// The maximum length that bcrypt reads, in bytes.
const MAX_BYTES: usize = 72;

/// Checks a new password.
///
/// # Errors
/// [`AuthError::PasswordTooLong`] beyond 72 bytes, [`AuthError::WeakPassword`] with all reasons, and a fault if the
/// list of leaked passwords is required but cannot be reached.
pub(crate) async fn check(state: &State, password: &str) -> Result<(), AuthError> {
    if password.len() > MAX_BYTES {
        return Err(AuthError::PasswordTooLong);
    }
    let (mut messages, mut reasons) = weaknesses(&state.config.password, password);
    if let Some(pwned) = &state.pwned
        && pwned.lists(password).await?
    {
        reasons.push("pwned");
        messages.push("Password is known to be weak and easy to guess, please choose a different one.".to_owned());
    }
    if reasons.is_empty() {
        return Ok(());
    }
    Err(AuthError::WeakPassword(Weakness { message: messages.join(" "), reasons }))
}

/// The weaknesses visible in the password itself: as messages and as codes.
fn weaknesses(config: &PasswordConfig, password: &str) -> (Vec<String>, Vec<&'static str>) {
    let (mut messages, mut reasons) = (Vec::new(), Vec::new());
    if password.len() < config.min_length {
        reasons.push("length");
        messages.push(format!("Password should be at least {} characters.", config.min_length));
    }
    let lacks = |set: &String| !set.is_empty() && !password.chars().any(|character| set.contains(character));
    if config.required_characters.iter().any(lacks) {
        reasons.push("characters");
        messages.push(format!(
            "Password should contain at least one character of each: {}.",
            config.required_characters.join(", ")
        ));
    }
    (messages, reasons)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_named() {
        let config = PasswordConfig {
            min_length: 8,
            required_characters: vec!["abc".to_owned(), "0123456789".to_owned()],
            pwned: None,
        };
        let reasons = |password: &str| weaknesses(&config, password).1;
        for (password, expected) in [
            ("abcdefg1", vec![]),
            ("abcdef1", vec!["length"]),
            ("abcdefgh", vec!["characters"]),
            ("x", vec!["length", "characters"]),
        ] {
            assert_eq!(reasons(password), expected, "{password}");
        }
    }
}

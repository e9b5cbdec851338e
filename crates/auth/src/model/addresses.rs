//! E-mail addresses and phone numbers in the form in which they are stored and compared.

use crate::error::AuthError;

/// Maximum length of an address, in bytes.
const MAX_EMAIL: usize = 255;
/// Maximum length of a domain label, in characters.
const MAX_LABEL: usize = 63;

/// Validates an address and converts it to lower case.
///
/// The rule is that of HTML's `<input type=email>`, which GoTrue's library (badoux/checkmail) uses.
///
/// # Errors
/// [`AuthError::EmailRequired`], [`AuthError::EmailTooLong`], [`AuthError::EmailInvalid`].
pub(crate) fn email(text: &str) -> Result<String, AuthError> {
    if text.is_empty() {
        return Err(AuthError::EmailRequired);
    }
    if text.len() > MAX_EMAIL {
        return Err(AuthError::EmailTooLong);
    }
    let (local, domain) = text.split_once('@').ok_or(AuthError::EmailInvalid)?;
    let in_local = |byte: u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte);
    if local.is_empty() || !local.bytes().all(in_local) || !domain.split('.').all(is_label) {
        return Err(AuthError::EmailInvalid);
    }
    Ok(text.to_ascii_lowercase())
}

fn is_label(label: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (1..=MAX_LABEL).contains(&label.len())
        && label.bytes().all(inner)
        && !label.starts_with('-')
        && !label.ends_with('-')
}

/// Removes plus sign and spaces from a phone number without validation, for comparison with stored numbers.
pub(crate) fn plain_phone(text: &str) -> String {
    text.strip_prefix('+').unwrap_or(text).replace(' ', "")
}

/// Validates a phone number (E.164) and removes plus sign and spaces.
///
/// # Errors
/// [`AuthError::PhoneInvalid`].
pub(crate) fn phone(text: &str) -> Result<String, AuthError> {
    let phone = plain_phone(text);
    let valid =
        (2..=15).contains(&phone.len()) && phone.bytes().all(|byte| byte.is_ascii_digit()) && !phone.starts_with('0');
    if valid { Ok(phone) } else { Err(AuthError::PhoneInvalid) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for text in ["A@x.test", "a.b+c@sub.x.test", "a@localhost", "!#$%&'*+/=?^_`{|}~-@x.test"] {
            assert_eq!(email(text).unwrap(), text.to_lowercase());
        }
        for text in [
            "a",
            "@x.test",
            "a@",
            "a@x..test",
            "a@-x.test",
            "a@x-.test",
            "a b@x.test",
            "a@x@y",
            "é@x.test",
            "a@é.test",
            "a@x.test ",
        ] {
            assert!(matches!(email(text), Err(AuthError::EmailInvalid)), "{text}");
        }
        assert!(matches!(email(&format!("{}@x.test", "a".repeat(250))), Err(AuthError::EmailTooLong)));
        assert!(matches!(email(""), Err(AuthError::EmailRequired)));
    }

    #[test]
    fn phones() {
        assert_eq!(phone("+1 234 567").unwrap(), "1234567");
        for text in ["", "+", "0123", "12a", "1234567890123456", "++12"] {
            assert!(phone(text).is_err(), "{text}");
        }
    }
}

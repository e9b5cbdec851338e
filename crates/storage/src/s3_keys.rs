//! The access key of the S3 protocol.

use gateway::Secret;
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// The JWT secret that every `supabase start` uses, and the access key that belongs to it there.
const WELL_KNOWN: (&str, &str, &str) = (
    "super-secret-jwt-token-with-at-least-32-characters-long",
    "625729a08b95bf1b7ff351a663f3a23c",
    "850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907",
);
/// Length of an access key's id, in hexadecimal digits.
const ID_LENGTH: usize = 32;

/// An access key: requests signed with it run as `service_role`.
#[derive(Clone, Debug)]
pub struct S3Keys {
    /// `S3_PROTOCOL_ACCESS_KEY_ID`
    pub id: String,
    /// `S3_PROTOCOL_ACCESS_KEY_SECRET`
    pub secret: Secret<String>,
}

impl S3Keys {
    /// The key of a server that is given none: made from its JWT secret, so that it changes with the API keys.
    pub fn of(jwt_secret: &Secret<String>) -> Self {
        let (known, id, secret) = WELL_KNOWN;
        if jwt_secret.reveal() == known {
            return S3Keys { id: id.to_owned(), secret: Secret::new(secret.to_owned()) };
        }
        let mut id = hex(&signed(jwt_secret.reveal().as_bytes(), b"dugout S3 access key id"));
        id.truncate(ID_LENGTH);
        let secret = hex(&signed(jwt_secret.reveal().as_bytes(), b"dugout S3 access key secret"));
        S3Keys { id, secret: Secret::new(secret) }
    }
}

/// HMAC-SHA256.
pub(crate) fn signed(key: &[u8], text: &[u8]) -> Vec<u8> {
    // HMAC takes keys of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return Vec::new() };
    mac.update(text);
    mac.finalize().into_bytes().to_vec()
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_belongs_to_one_secret() {
        let of = |secret: &str| S3Keys::of(&Secret::new(secret.to_owned()));
        assert_eq!(of(WELL_KNOWN.0).id, WELL_KNOWN.1);
        let (one, same, other) = (of("a"), of("a"), of("b"));
        assert_eq!((one.id.len(), one.secret.reveal().len()), (32, 64));
        assert_eq!((&one.id, one.secret.reveal()), (&same.id, same.secret.reveal()));
        assert_ne!(one.id, other.id);
        assert!(!one.secret.reveal().starts_with(&one.id));
    }
}

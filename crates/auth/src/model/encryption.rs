//! Encryption of values in the database: secrets of second factors, password hashes, keys of sessions.
//!
//! An encrypted value is a JSON text in place of the plain value, so a column may hold both while a project switches.
//! Each value has its own key, derived from the configured key and the id of its row, so that no value can be moved to
//! another row.
//!
//! Source of the format: supabase/auth, `internal/crypto/crypto.go`.

use std::collections::HashMap;

use aes_gcm::aead::Aead;
use aes_gcm::{Aes256Gcm, KeyInit};
use base64::prelude::BASE64_STANDARD;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use gateway::Secret;
use hkdf::Hkdf;
use rand::Rng;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use uuid::Uuid;

/// The only algorithm: AES-256-GCM with a key from HKDF (RFC 5869) with SHA-256.
const ALGORITHM: &str = "aes-gcm-hkdf";
/// Length of an AES-GCM nonce, in bytes.
const NONCE: usize = 12;
/// Length of a key, in bytes.
const KEY: usize = 32;

/// The keys of a project, and whether new values are encrypted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Encryption {
    /// The id of the key for new values; `None` writes them in plain text.
    encrypt_with: Option<String>,
    keys: HashMap<String, Secret<[u8; KEY]>>,
}

/// A decrypted value.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) value: Secret<String>,
    /// True if it should be written again: it is plain text, or its key is no longer the one for new values.
    pub(crate) is_stale: bool,
}

/// Why a stored value cannot be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EncryptionError {
    /// Its key is not configured.
    #[error("there is no key named {0:?}")]
    UnknownKey(String),
    /// It was changed, or moved here from another row.
    #[error("the value does not belong to its key and row")]
    Forged,
}

/// An encrypted value as stored.
#[derive(Deserialize, Serialize)]
struct Sealed {
    key_id: String,
    alg: String,
    /// In base64, as Go encodes bytes.
    data: String,
    nonce: String,
}

impl Encryption {
    /// Builds the keys from the settings; a key is 32 bytes in base64url without padding. On success every new value
    /// can be read again.
    ///
    /// # Errors
    /// What is wrong, as the end of a sentence about the setting.
    pub(crate) fn new(
        encrypt_with: Option<String>,
        keys: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, String> {
        let mut read = HashMap::new();
        for (id, key) in keys {
            let bytes = BASE64_URL_SAFE_NO_PAD.decode(key.trim()).ok().and_then(|bytes| bytes.try_into().ok());
            let bytes: [u8; KEY] =
                bytes.ok_or(format!("must hold 256 bits in base64url without padding ({id:?} does not)"))?;
            read.insert(id, Secret::new(bytes));
        }
        match encrypt_with {
            Some(id) if !read.contains_key(&id) => Err(format!("must hold the key that encrypts, {id:?}, too")),
            encrypt_with => Ok(Encryption { encrypt_with, keys: read }),
        }
    }

    /// The value to store in the row `owner`.
    pub(crate) fn seal(&self, owner: Uuid, value: &str) -> String {
        let Some((id, key)) = self.encrypt_with.as_ref().and_then(|id| Some((id, self.keys.get(id)?))) else {
            return value.to_owned();
        };
        let nonce: [u8; NONCE] = rand::rng().random();
        let data = cipher(key, owner)
            .encrypt(&nonce.into(), value.as_bytes())
            .expect("AES-GCM takes texts up to 64 GB, and bodies end at one megabyte");
        let sealed = Sealed {
            key_id: id.clone(),
            alg: ALGORITHM.to_owned(),
            data: BASE64_STANDARD.encode(data),
            nonce: BASE64_STANDARD.encode(nonce),
        };
        serde_json::to_string(&sealed).expect("four texts are JSON")
    }

    /// Reads a value stored in the row `owner`. A plain value is returned as it is.
    ///
    /// # Errors
    /// [`EncryptionError`].
    pub(crate) fn open(&self, owner: Uuid, stored: &str) -> Result<Opened, EncryptionError> {
        let Some((sealed, data, nonce)) = Sealed::read(stored) else {
            return Ok(Opened { value: Secret::new(stored.to_owned()), is_stale: self.encrypt_with.is_some() });
        };
        let key = self.keys.get(&sealed.key_id).ok_or_else(|| EncryptionError::UnknownKey(sealed.key_id.clone()))?;
        let value = cipher(key, owner).decrypt(&nonce.into(), data.as_slice()).map_err(|_| EncryptionError::Forged)?;
        let value = String::from_utf8(value).map_err(|_| EncryptionError::Forged)?;
        let is_stale = self.encrypt_with.as_ref().is_some_and(|id| *id != sealed.key_id);
        Ok(Opened { value: Secret::new(value), is_stale })
    }
}

impl Sealed {
    /// `None` for anything but an encrypted value; it is then a plain value.
    fn read(stored: &str) -> Option<(Self, Vec<u8>, [u8; NONCE])> {
        if !stored.starts_with('{') {
            return None;
        }
        let sealed: Sealed = serde_json::from_str(stored).ok()?;
        let data = BASE64_STANDARD.decode(&sealed.data).ok().filter(|data| !data.is_empty())?;
        let nonce = BASE64_STANDARD.decode(&sealed.nonce).ok()?.try_into().ok()?;
        (sealed.alg == ALGORITHM && !sealed.key_id.is_empty()).then_some((sealed, data, nonce))
    }
}

fn cipher(key: &Secret<[u8; KEY]>, owner: Uuid) -> Aes256Gcm {
    let mut own = [0; KEY];
    Hkdf::<Sha256>::new(None, key.reveal())
        .expand(owner.to_string().as_bytes(), &mut own)
        .expect("HKDF gives up to 255 times 32 bytes");
    Aes256Gcm::new(&own.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "pwFoiPyybQMqNmYVN0gUnpbfpGQV2sDv9vp0ZAxi_Y4";
    const NEW: &str = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY";

    fn encryption(with: Option<&str>) -> Encryption {
        let keys = [("old".to_owned(), OLD.to_owned()), ("new".to_owned(), NEW.to_owned())];
        Encryption::new(with.map(str::to_owned), keys).unwrap()
    }

    #[test]
    fn what_is_sealed_is_opened_in_its_row_only() {
        let (old, new) = (encryption(Some("old")), encryption(Some("new")));
        let owner = Uuid::from_u128(1);
        let stored = old.seal(owner, "geheim");
        assert!(stored.starts_with(r#"{"key_id":"old","alg":"aes-gcm-hkdf","data":""#) && !stored.contains("geheim"));
        assert_ne!(stored, old.seal(owner, "geheim"), "each value has its own nonce");
        let opened = old.open(owner, &stored).unwrap();
        assert_eq!((opened.value.reveal().as_str(), opened.is_stale), ("geheim", false));
        assert!(new.open(owner, &stored).unwrap().is_stale);
        assert!(!encryption(None).open(owner, &stored).unwrap().is_stale);
        assert_eq!(old.open(Uuid::from_u128(2), &stored).unwrap_err(), EncryptionError::Forged);
        let keyless = Encryption::default().open(owner, &stored).unwrap_err();
        assert_eq!(keyless, EncryptionError::UnknownKey("old".to_owned()));
    }

    /// Printed by GoTrue's `crypto.NewEncryptedString`.
    #[test]
    fn what_gotrue_sealed_is_opened() {
        let stored = concat!(
            r#"{"key_id":"old","alg":"aes-gcm-hkdf","data":"nKC7bheVmwPR04bbLE6qVdZnBvOVOYUM9xLybqc9ZpA=","#,
            r#""nonce":"JJvGGrhqoIcjYphz"}"#
        );
        let owner = Uuid::parse_str("11111111-2222-3333-4444-555555555555").unwrap();
        assert_eq!(encryption(None).open(owner, stored).unwrap().value.reveal(), "JBSWY3DPEHPK3PXP");
    }

    #[test]
    fn plain_values_stay_what_they_are() {
        let owner = Uuid::nil();
        for text in [
            "",
            "JBSWY3DPEHPK3PXP",
            "{",
            "{}",
            r#"{"key_id":"old","alg":"rot13","data":"eA==","nonce":"AAAAAAAAAAAAAAAA"}"#,
        ] {
            assert_eq!(encryption(None).seal(owner, text), text);
            let opened = encryption(Some("old")).open(owner, text).unwrap();
            assert_eq!((opened.value.reveal().as_str(), opened.is_stale), (text, true));
            assert!(!encryption(None).open(owner, text).unwrap().is_stale);
        }
    }

    #[test]
    fn keys_that_would_lose_values_are_refused() {
        let keys = |key: &str| [("a".to_owned(), key.to_owned())];
        assert!(Encryption::new(None, keys("short")).unwrap_err().contains("256 bits"));
        assert!(Encryption::new(Some("b".to_owned()), keys(OLD)).unwrap_err().contains("\"b\""));
        assert!(Encryption::new(Some("a".to_owned()), keys(OLD)).is_ok());
    }
}

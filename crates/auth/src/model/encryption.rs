//! Values that the database keeps encrypted: secrets of second factors, hashes of passwords, keys of sessions.
//!
//! What is encrypted is a JSON text in the place of the value itself, so that a column may hold both while a project goes
//! from one to the other. Each value has a key of its own, derived from the configured one and the id of its row: no text
//! can be moved to another row.
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

/// The one way of encrypting: AES-256-GCM under a key by HKDF (RFC 5869) with SHA-256.
const ALGORITHM: &str = "aes-gcm-hkdf";
/// Bytes of a nonce of AES-GCM.
const NONCE: usize = 12;
/// Bytes of a key.
const KEY: usize = 32;

/// The keys of a project, and whether what is written is encrypted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Encryption {
    /// The name of the key that encrypts; `None` writes values as they are.
    encrypt_with: Option<String>,
    keys: HashMap<String, Secret<[u8; KEY]>>,
}

/// A value as it was before it was stored.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) value: Secret<String>,
    /// Whether it should be stored anew: it lies there as it is, or under a key that no longer encrypts.
    pub(crate) is_stale: bool,
}

/// Why a stored value cannot be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EncryptionError {
    /// The key is not among those configured.
    #[error("there is no key named {0:?}")]
    UnknownKey(String),
    /// Somebody changed it, or moved it here from another row.
    #[error("the value does not belong to its key and row")]
    Forged,
}

/// An encrypted value as it is stored.
#[derive(Deserialize, Serialize)]
struct Sealed {
    key_id: String,
    alg: String,
    /// In base64, as Go writes bytes.
    data: String,
    nonce: String,
}

impl Encryption {
    /// From the names and keys of the settings; keys are 32 bytes in base64url without padding.
    ///
    /// # Errors
    /// What is wrong, as the rest of a sentence about the setting: `Ok` means that whatever is stored can be read again.
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

    /// The value as it is to be stored in the row `owner`.
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

    /// The value that is stored in the row `owner`. What is not encrypted is taken as it is.
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
    /// `None` for whatever is no encrypted value: it is a value as it is.
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
        assert_ne!(stored, old.seal(owner, "geheim"), "each has its nonce");
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

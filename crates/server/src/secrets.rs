//! The server's secrets: generated on the first start, stored in a file that only its owner can read.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use gateway::keys::{ApiKeys, Keys, SigningKey, VerifyingKey, api_keys};
use gateway::service::ProjectKeys;
use gateway::{Clock, Secret};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::config::GivenKeys;
use crate::private_file::Draft;

#[cfg(test)]
mod tests;

const FILE: &str = "secrets.json";

/// The secret, keys and password that every `supabase start` uses. For `--dev` only.
mod well_known {
    pub(super) const JWT_SECRET: &str = "super-secret-jwt-token-with-at-least-32-characters-long";
    pub(super) const ANON_KEY: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6ImFub24iLCJleHAiOjE5ODM4MTI5OTZ9.CRXP1A7WOeoJeXxjNni43kdQwgnWNReilDMblYTn_I0";
    pub(super) const SERVICE_ROLE_KEY: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6InNlcnZpY2Vfcm9sZSIsImV4cCI6MTk4MzgxMjk5Nn0.EGIM96RAZx35lJzdJsyH-qQwv8Hdp7fsn3W0YpN81IU";
    pub(super) const PUBLISHABLE_KEY: &str = "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH";
    pub(super) const SECRET_KEY: &str = "sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz";
    pub(super) const POSTGRES_PASSWORD: &str = "postgres";
}

/// All secrets of this server.
#[derive(Clone, Debug, Serialize)]
pub struct Secrets {
    /// Signs the API keys (HS256), and with `--dev` the users' tokens too.
    pub jwt_secret: Secret<String>,
    /// Private JWKs. The first whose `key_ops` allow it signs users' tokens. The others only verify: keys of before a
    /// rotation, and keys that will sign later.
    pub signing_keys: Vec<Secret<Value>>,
    /// The JWT of the role anon.
    pub anon_key: String,
    /// The JWT of the role service_role.
    pub service_role_key: Secret<String>,
    /// The opaque successor of `anon_key`.
    pub publishable_key: String,
    /// The opaque successor of `service_role_key`.
    pub secret_key: Secret<String>,
    /// The password of `postgres` over TCP.
    pub postgres_password: Secret<String>,
    /// Derives the passwords of our own roles on an external server, and the key that hashes one-time codes.
    pub role_key: Secret<String>,
}

/// The file as any version may have written it. The JWT secret is required; other secrets were added over time and are
/// generated if missing.
#[derive(Deserialize)]
struct Stored {
    jwt_secret: Secret<String>,
    #[serde(default)]
    signing_keys: Vec<Secret<Value>>,
    #[serde(default)]
    anon_key: Option<String>,
    #[serde(default)]
    service_role_key: Option<Secret<String>>,
    #[serde(default)]
    publishable_key: Option<String>,
    #[serde(default)]
    secret_key: Option<Secret<String>>,
    #[serde(default)]
    postgres_password: Option<Secret<String>>,
    #[serde(default)]
    role_key: Option<Secret<String>>,
}

/// Why the secrets are not available.
#[derive(Debug, thiserror::Error)]
pub enum SecretsError {
    /// The file cannot be read or written.
    #[error("{0} cannot be used: {1}; give dugout a data directory of its own with --data-dir")]
    File(PathBuf, std::io::Error),
    /// The file's content is not what we wrote.
    #[error(
        "{0} is damaged: {1}; restore it from a backup, or move it away to have new secrets made (everyone is then signed out)"
    )]
    Damaged(PathBuf, String),
    /// A key could not be generated or parsed.
    #[error("the signing key cannot be used: {0}")]
    Key(String),
}

impl Secrets {
    /// The secrets in the data directory; `None` if there are none. Secrets that an older version lacked are generated and
    /// saved.
    ///
    /// # Errors
    /// [`SecretsError`] if the file cannot be read or parsed.
    pub fn load(data_dir: &Path) -> Result<Option<Self>, SecretsError> {
        match Self::read(data_dir)? {
            Some((secrets, true)) => Ok(Some(secrets)),
            Some((_, false)) => Self::complete(data_dir).map(Some),
            None => Ok(None),
        }
    }

    /// The secrets in the file, and whether none was missing.
    fn read(data_dir: &Path) -> Result<Option<(Self, bool)>, SecretsError> {
        let path = data_dir.join(FILE);
        match std::fs::read(&path) {
            Ok(text) => {
                let damaged = |error: serde_json::Error| SecretsError::Damaged(path, error.to_string());
                let stored: Stored = serde_json::from_slice(&text).map_err(damaged)?;
                stored.complete().map(Some)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(SecretsError::File(path, error)),
        }
    }

    /// Generates what the file lacks. The lock on the old file makes a second process wait and read the first one's secrets.
    fn complete(data_dir: &Path) -> Result<Self, SecretsError> {
        let path = data_dir.join(FILE);
        let failed = |error| SecretsError::File(path.clone(), error);
        let old = std::fs::File::open(&path).map_err(failed)?;
        old.lock().map_err(failed)?;
        match Self::read(data_dir)? {
            Some((secrets, true)) => Ok(secrets),
            Some((secrets, false)) => secrets.save(data_dir).map(|()| secrets),
            None => Err(failed(ErrorKind::NotFound.into())),
        }
    }

    /// The secrets in the data directory, generated and saved if there are none. If two servers start at once, both use those
    /// of the first.
    ///
    /// # Errors
    /// [`SecretsError`] if the file cannot be read, written or parsed.
    pub fn load_or_create(data_dir: &Path) -> Result<Self, SecretsError> {
        if let Some(secrets) = Self::load(data_dir)? {
            return Ok(secrets);
        }
        let secrets = Self::generate()?;
        match secrets.draft(data_dir).and_then(Draft::publish_first) {
            Ok(()) => Ok(secrets),
            Err(error) => match Self::load(data_dir)? {
                Some(others) if error.kind() == ErrorKind::AlreadyExists => Ok(others),
                _ => Err(SecretsError::File(data_dir.join(FILE), error)),
            },
        }
    }

    /// The well-known secrets of development.
    pub fn dev() -> Self {
        Secrets {
            jwt_secret: Secret::new(well_known::JWT_SECRET.to_owned()),
            signing_keys: Vec::new(),
            anon_key: well_known::ANON_KEY.to_owned(),
            service_role_key: Secret::new(well_known::SERVICE_ROLE_KEY.to_owned()),
            publishable_key: well_known::PUBLISHABLE_KEY.to_owned(),
            secret_key: Secret::new(well_known::SECRET_KEY.to_owned()),
            postgres_password: Secret::new(well_known::POSTGRES_PASSWORD.to_owned()),
            role_key: Secret::new(well_known::JWT_SECRET.to_owned()),
        }
    }

    /// Replaces generated secrets with those of the configuration. A new JWT secret also signs new JWT keys.
    ///
    /// # Errors
    /// [`SecretsError::Key`] if signing with the secret fails.
    pub fn with_given(mut self, given: &GivenKeys) -> Result<Self, SecretsError> {
        if let Some(secret) = &given.jwt_secret
            && secret != self.jwt_secret.reveal()
        {
            self.jwt_secret = Secret::new(secret.clone());
            (self.anon_key, self.service_role_key) = mint(&self.jwt_secret)?;
        }
        if !given.signing_keys.is_empty() {
            self.signing_keys = given.signing_keys.iter().cloned().map(Secret::new).collect();
        }
        let set = |place: &mut String, value: &Option<String>| {
            if let Some(value) = value {
                place.clone_from(value);
            }
        };
        set(&mut self.anon_key, &given.anon_key);
        set(&mut self.publishable_key, &given.publishable_key);
        if let Some(key) = &given.service_role_key {
            self.service_role_key = Secret::new(key.clone());
        }
        if let Some(key) = &given.secret_key {
            self.secret_key = Secret::new(key.clone());
        }
        Ok(self)
    }

    /// The keys that sign and verify tokens.
    ///
    /// # Errors
    /// [`SecretsError::Key`] if a JWK is not a usable key.
    pub fn keys(&self, clock: Clock) -> Result<Keys, SecretsError> {
        let mut builder = Keys::builder().clock(clock).secret(&self.jwt_secret);
        let may_sign = |jwk: &Secret<Value>| match jwk.reveal().get("key_ops").and_then(Value::as_array) {
            Some(operations) => operations.iter().any(|operation| operation == "sign"),
            None => true,
        };
        let signing = self.signing_keys.iter().position(may_sign);
        for (index, jwk) in self.signing_keys.iter().enumerate() {
            let unfit = |error: gateway::keys::JwkError| SecretsError::Key(error.to_string());
            builder = if Some(index) == signing {
                builder.signing(&SigningKey::from_jwk(jwk.reveal()).map_err(unfit)?)
            } else {
                builder.verifying(VerifyingKey::from_jwk(jwk.reveal()).map_err(unfit)?)
            };
        }
        Ok(builder.build())
    }

    /// The opaque API keys.
    pub fn api_keys(&self) -> ApiKeys {
        ApiKeys { publishable: vec![Secret::new(self.publishable_key.clone())], secret: vec![self.secret_key.clone()] }
    }

    /// The keys as the project's clients have them.
    pub(crate) fn project_keys(&self) -> ProjectKeys {
        ProjectKeys {
            anon: self.anon_key.clone(),
            service_role: self.service_role_key.clone(),
            publishable: self.publishable_key.clone(),
            secret: self.secret_key.clone(),
        }
    }

    /// The password of one of our own login roles on an external server.
    pub fn role_password(&self, role: &str) -> String {
        let text = format!("{role} {}", self.role_key.reveal());
        BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(text))
    }

    /// Adds a new signing key. The old ones still verify the tokens that they signed.
    ///
    /// # Errors
    /// [`SecretsError::Key`].
    pub fn rotate_signing_key(&mut self) -> Result<(), SecretsError> {
        self.signing_keys.insert(0, new_signing_key()?);
        Ok(())
    }

    /// Replaces all API keys and the JWT secret. From the next start, clients with old keys are refused, and so are tokens that
    /// the old secret signed.
    ///
    /// # Errors
    /// [`SecretsError::Key`].
    pub fn rotate_api_keys(&mut self) -> Result<(), SecretsError> {
        let new = Self::generate()?;
        *self = Secrets {
            signing_keys: std::mem::take(&mut self.signing_keys),
            postgres_password: self.postgres_password.clone(),
            // Replacing the API keys must not lock the server out of its database.
            role_key: self.role_key.clone(),
            ..new
        };
        Ok(())
    }

    /// Writes the file atomically.
    ///
    /// # Errors
    /// [`SecretsError::File`].
    pub fn save(&self, data_dir: &Path) -> Result<(), SecretsError> {
        let saved = self.draft(data_dir).and_then(Draft::replace);
        saved.map(|_| ()).map_err(|error| SecretsError::File(data_dir.join(FILE), error))
    }

    fn draft(&self, data_dir: &Path) -> std::io::Result<Draft> {
        Draft::new(&data_dir.join(FILE), serde_json::to_string_pretty(self)?.as_bytes())
    }

    fn generate() -> Result<Self, SecretsError> {
        let jwt_secret = Secret::new(random_text()?);
        let (anon_key, service_role_key) = mint(&jwt_secret)?;
        Ok(Secrets {
            anon_key,
            service_role_key,
            jwt_secret,
            signing_keys: vec![new_signing_key()?],
            publishable_key: api_keys::new_publishable(&random()?),
            secret_key: Secret::new(api_keys::new_secret(&random()?)),
            postgres_password: Secret::new(random_text()?),
            role_key: Secret::new(random_text()?),
        })
    }
}

impl Stored {
    /// The secrets, and whether all were present.
    fn complete(self) -> Result<(Secrets, bool), SecretsError> {
        let (anon_key, service_role_key) = mint(&self.jwt_secret)?;
        let new = Secrets::generate()?;
        let is_whole = self.anon_key.is_some()
            && self.service_role_key.is_some()
            && self.publishable_key.is_some()
            && self.secret_key.is_some()
            && self.postgres_password.is_some()
            && self.role_key.is_some();
        let secrets = Secrets {
            jwt_secret: self.jwt_secret,
            signing_keys: self.signing_keys,
            anon_key: self.anon_key.unwrap_or(anon_key),
            service_role_key: self.service_role_key.unwrap_or(service_role_key),
            publishable_key: self.publishable_key.unwrap_or(new.publishable_key),
            secret_key: self.secret_key.unwrap_or(new.secret_key),
            postgres_password: self.postgres_password.unwrap_or(new.postgres_password),
            role_key: self.role_key.unwrap_or(new.role_key),
        };
        Ok((secrets, is_whole))
    }
}

fn mint(secret: &Secret<String>) -> Result<(String, Secret<String>), SecretsError> {
    let now = Clock::default().unix();
    let key = |role| api_keys::mint(secret, "dugout", role, now).map_err(|error| SecretsError::Key(error.to_string()));
    Ok((key("anon")?, Secret::new(key("service_role")?)))
}

fn new_signing_key() -> Result<Secret<Value>, SecretsError> {
    let key = SigningKey::generate().map_err(|error| SecretsError::Key(error.to_string()))?;
    Ok(key.private_jwk().clone())
}

fn random<const N: usize>() -> Result<[u8; N], SecretsError> {
    let mut bytes = [0; N];
    rand::TryRngCore::try_fill_bytes(&mut rand::rngs::OsRng, &mut bytes)
        .map_err(|error| SecretsError::Key(format!("the operating system gives no randomness: {error}")))?;
    Ok(bytes)
}

fn random_text() -> Result<String, SecretsError> {
    Ok(BASE64_URL_SAFE_NO_PAD.encode(random::<32>()?))
}

//! The variables of storage-api, for `dugout storage`, and those of our own settings.
//!
//! Source: supabase/storage, `src/config.ts`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use gateway::client_ip::TrustedProxies;
use gateway::keys::{ApiKeys, JwkError, KeysBuilder, VerifyingKey};
use gateway::service::AloneConfig;
use gateway::settings::Problem;
use gateway::{CallerPolicy, Keys, Secret};
use serde_json::Value;

use crate::config::{Config, Endpoint, REGION, Remote, S3, Vectors};
use crate::s3_keys::S3Keys;
use crate::service::Storage;

/// Connections when no variable names a number, as upstream.
const CONNECTIONS: usize = 20;
const PORT: u16 = 5000;

/// Reads the variables.
///
/// # Errors
/// Everything that is wrong, at once.
pub(crate) fn configure(variables: BTreeMap<String, String>) -> Result<AloneConfig, Vec<Problem>> {
    let mut reader = Reader { variables, problems: Vec::new() };
    let secret = reader.first(&["AUTH_JWT_SECRET", "PGRST_JWT_SECRET"]).map(Secret::new);
    if secret.is_none() {
        reader.problem("AUTH_JWT_SECRET", "is required: it verifies tokens and signs URLs");
    }
    let database = ["DATABASE_URL", "DATABASE_POOL_URL"].into_iter().find(|name| reader.first(&[name]).is_some());
    if database.is_none() {
        reader.problem("DATABASE_URL", "is required");
    }
    let config = reader.config();
    if let Some(backend) =
        reader.first(&["STORAGE_BACKEND"]).filter(|backend| !matches!(backend.as_str(), "file" | "s3"))
    {
        reader.problem("STORAGE_BACKEND", &format!("is “{backend}”, but must be `file` or `s3`"));
    }
    let port = reader.number_of(&["SERVER_PORT", "PORT"]);
    let connections = reader.number("DATABASE_MAX_CONNECTIONS");
    let (keys, proxies) = (reader.jwks(), reader.proxies());
    if !reader.problems.is_empty() {
        return Err(reader.problems);
    }
    let builder = Keys::builder().secret(secret.as_ref().unwrap_or(&Secret::default()));
    let keys = keys.into_iter().fold(builder, KeysBuilder::verifying).build();
    Ok(AloneConfig {
        host: reader.first(&["SERVER_HOST", "HOST"]).unwrap_or_else(|| "127.0.0.1".to_owned()),
        port: port.unwrap_or(PORT),
        database_url: Secret::new(database.and_then(|name| reader.first(&[name])).unwrap_or_default()),
        database_variable: database.unwrap_or_default(),
        connections: connections.unwrap_or(CONNECTIONS),
        proxies,
        // No API keys here: they belong to the gateway that stands in front of the container.
        policy: CallerPolicy { accept_api_key: false, ..CallerPolicy::supabase(keys, ApiKeys::default()) },
        warnings: Vec::new(),
        service: Arc::new(Storage { config, secret }),
    })
}

struct Reader {
    variables: BTreeMap<String, String>,
    problems: Vec<Problem>,
}

impl Reader {
    /// The first of these names that is set to something.
    fn first(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| self.variables.get(*name).filter(|text| !text.is_empty()).cloned())
    }

    fn config(&mut self) -> Config {
        let defaults = Config::default();
        let seconds = self.number_of(&["UPLOAD_SIGNED_URL_EXPIRATION_TIME", "SIGNED_UPLOAD_URL_EXPIRATION_TIME"]);
        let resumable = self.number("TUS_URL_EXPIRY_MS");
        // Off by default, as upstream.
        let pictures = self.first(&["IMAGE_TRANSFORMATION_ENABLED", "ENABLE_IMAGE_TRANSFORMATION"]);
        Config {
            file_size_limit: self
                .number_of(&["UPLOAD_FILE_SIZE_LIMIT", "FILE_SIZE_LIMIT"])
                .unwrap_or(defaults.file_size_limit),
            file_size_limit_standard: self
                .number_of(&["UPLOAD_FILE_SIZE_LIMIT_STANDARD", "FILE_SIZE_LIMIT_STANDARD_UPLOAD"]),
            empty_bucket_max: self.number("STORAGE_EMPTY_BUCKET_MAX").unwrap_or(defaults.empty_bucket_max),
            s_maxage: self.number("RESPONSE_S_MAXAGE").unwrap_or(defaults.s_maxage),
            statement_timeout: self
                .number("DATABASE_STATEMENT_TIMEOUT")
                .map_or(defaults.statement_timeout, Duration::from_millis),
            signed_url_limit: self.number("DUGOUT_STORAGE_SIGNED_URL_LIMIT").filter(|limit| *limit > 0),
            signed_upload_life: seconds.map_or(defaults.signed_upload_life, Duration::from_secs),
            resumable_life: resumable.map_or(defaults.resumable_life, Duration::from_millis),
            public_url: self
                .first(&["STORAGE_PUBLIC_URL"])
                .map_or(String::new(), |url| url.trim_end_matches('/').to_owned()),
            pictures: pictures.as_deref() == Some("true"),
            folder: self
                .first(&["STORAGE_FILE_BACKEND_PATH", "FILE_STORAGE_BACKEND_PATH"])
                .map_or(defaults.folder.clone(), PathBuf::from),
            global_bucket: self
                .first(&["STORAGE_S3_BUCKET", "GLOBAL_S3_BUCKET"])
                .unwrap_or(defaults.global_bucket.clone()),
            tenant: self.first(&["PROJECT_REF", "TENANT_ID"]).unwrap_or(defaults.tenant.clone()),
            s3: self.s3(defaults.s3.clone()),
            remote: self.remote(),
            cdn: self.endpoint("CDN_PURGE_ENDPOINT_URL", "CDN_PURGE_ENDPOINT_KEY"),
            webhook: self.endpoint("WEBHOOK_URL", "WEBHOOK_API_KEY"),
            vectors: Vectors {
                enabled: self.first(&["VECTOR_ENABLED"]).as_deref() == Some("true"),
                max_buckets: self.number("VECTOR_MAX_BUCKETS").unwrap_or(defaults.vectors.max_buckets),
                max_indexes: self.number("VECTOR_MAX_INDEXES").unwrap_or(defaults.vectors.max_indexes),
            },
            stripped: self.list("DUGOUT_STORAGE_STRIP_METADATA"),
            removals: self.first(&["DUGOUT_STORAGE_REMOVALS"]).as_deref() == Some("true"),
            ..defaults
        }
    }

    /// The S3 protocol: on where it has keys, as upstream.
    fn s3(&self, defaults: S3) -> S3 {
        let id = self.first(&["S3_PROTOCOL_ACCESS_KEY_ID"]);
        let secret = self.first(&["S3_PROTOCOL_ACCESS_KEY_SECRET"]).map(Secret::new);
        S3 {
            enabled: self.first(&["S3_PROTOCOL_ENABLED"]).is_none_or(|text| text != "false"),
            keys: id.zip(secret).map(|(id, secret)| S3Keys { id, secret }),
            anon_key: self.first(&["ANON_KEY"]).map(Secret::new).unwrap_or_default(),
            region: self.first(&["STORAGE_S3_REGION", "REGION"]).unwrap_or(defaults.region),
            enforce_region: self.first(&["S3_PROTOCOL_ENFORCE_REGION"]).as_deref() == Some("true"),
            prefix: self.first(&["S3_PROTOCOL_PREFIX"]).unwrap_or_default(),
        }
    }

    /// The S3 server of the objects. Without keys those of the machine are used.
    fn remote(&self) -> Option<Remote> {
        self.first(&["STORAGE_BACKEND"]).filter(|backend| backend == "s3")?;
        let id = self.first(&["AWS_ACCESS_KEY_ID"]);
        let secret = self.first(&["AWS_SECRET_ACCESS_KEY"]).map(Secret::new);
        Some(Remote {
            bucket: self.first(&["STORAGE_S3_BUCKET", "GLOBAL_S3_BUCKET"]).unwrap_or_default(),
            endpoint: self.first(&["STORAGE_S3_ENDPOINT", "GLOBAL_S3_ENDPOINT"]).unwrap_or_default(),
            region: self.first(&["STORAGE_S3_REGION", "REGION"]).unwrap_or_else(|| REGION.to_owned()),
            path_style: ["STORAGE_S3_FORCE_PATH_STYLE", "GLOBAL_S3_FORCE_PATH_STYLE"]
                .iter()
                .any(|name| self.first(&[name]).as_deref() == Some("true")),
            keys: id.zip(secret).map(|(id, secret)| S3Keys { id, secret }),
        })
    }

    /// A server that is told about changes.
    fn endpoint(&mut self, url: &str, key: &str) -> Endpoint {
        let text = self.first(&[url]);
        let parsed = text.as_deref().and_then(Endpoint::address);
        if let (Some(text), None) = (&text, &parsed) {
            self.problem(url, &format!("“{text}” must be an address that begins with http:// or https://"));
        }
        Endpoint { url: parsed, key: self.first(&[key]).map(Secret::new).unwrap_or_default() }
    }

    fn list(&self, name: &str) -> Vec<String> {
        let text = self.first(&[name]).unwrap_or_default();
        text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect()
    }

    /// Keys beside the secret that verify tokens. Those of kinds that cannot verify are ignored.
    fn jwks(&mut self) -> Vec<VerifyingKey> {
        const NAME: &str = "JWT_JWKS";
        let Some(text) = self.first(&[NAME]) else { return Vec::new() };
        let set: Option<Value> = serde_json::from_str(&text).ok();
        let Some(keys) = set.as_ref().and_then(|set| set.get("keys")?.as_array()) else {
            self.problem(NAME, "must be a JSON Web Key Set: an object with an array `keys`");
            return Vec::new();
        };
        let mut usable = Vec::new();
        for key in keys {
            match VerifyingKey::from_jwk(key) {
                Ok(key) => usable.push(key),
                Err(JwkError::Unsupported(_)) => {}
                Err(error) => self.problem(NAME, &format!("has a key that cannot be read: {error}")),
            }
        }
        usable
    }

    /// Proxies whose `X-Forwarded-For` is believed.
    fn proxies(&mut self) -> TrustedProxies {
        let text = self.first(&[TrustedProxies::VARIABLE]).unwrap_or_default();
        TrustedProxies::of_variable(&text, |message| self.problem(TrustedProxies::VARIABLE, message))
    }

    /// The number in the first of these variables that is set to something.
    fn number_of<N: std::str::FromStr>(&mut self, names: &[&str]) -> Option<N> {
        let name = names.iter().find(|name| self.first(&[name]).is_some())?;
        self.number(name)
    }

    fn number<N: std::str::FromStr>(&mut self, name: &str) -> Option<N> {
        let text = self.first(&[name])?;
        let number = text.trim().parse().ok();
        if number.is_none() {
            self.problem(name, &format!("“{text}” must be a number in range"));
        }
        number
    }

    fn problem(&mut self, name: &str, message: &str) {
        self.problems.push(Problem { place: name.to_owned(), message: message.to_owned() });
    }
}

#[cfg(test)]
mod tests {
    use gateway::keys::SigningKey;

    use super::*;

    fn configured(variables: &[(&str, &str)]) -> Result<AloneConfig, Vec<String>> {
        let variables = variables.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        configure(variables).map_err(|problems| problems.iter().map(Problem::to_string).collect())
    }

    #[test]
    fn upstreams_variables_are_read_and_every_problem_is_named() {
        let least = [("AUTH_JWT_SECRET", "geheim"), ("DATABASE_URL", "postgres://h")];
        let config = configured(&least).unwrap_or_else(|problems| panic!("{problems:?}"));
        assert_eq!((config.host.as_str(), config.port, config.connections), ("127.0.0.1", 5000, 20));
        let bad = [
            ("SERVER_PORT", "70000"),
            ("STORAGE_BACKEND", "gcs"),
            ("JWT_JWKS", "[]"),
            ("DUGOUT_TRUSTED_PROXIES", "everybody"),
            ("FILE_SIZE_LIMIT", "much"),
        ];
        let problems = configured(&bad).err().unwrap();
        assert_eq!(problems.len(), 7, "{problems:?}");
    }

    #[test]
    fn upstreams_older_names_and_its_limits_are_read() {
        let variables = [
            ("FILE_SIZE_LIMIT", "7"),
            ("FILE_SIZE_LIMIT_STANDARD_UPLOAD", "6"),
            ("SIGNED_UPLOAD_URL_EXPIRATION_TIME", "5"),
            ("STORAGE_EMPTY_BUCKET_MAX", "4"),
            ("RESPONSE_S_MAXAGE", "3"),
            ("DATABASE_STATEMENT_TIMEOUT", "2000"),
            ("PROJECT_REF", "abc"),
        ];
        let variables = variables.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
        let config = Reader { variables, problems: Vec::new() }.config();
        assert_eq!((config.file_size_limit, config.file_size_limit_standard), (7, Some(6)));
        assert_eq!((config.empty_bucket_max, config.s_maxage, config.tenant.as_str()), (4, 3, "abc"));
        let seconds = (config.signed_upload_life, config.statement_timeout);
        assert_eq!(seconds, (Duration::from_secs(5), Duration::from_secs(2)));
    }

    #[test]
    fn tokens_are_verified_by_a_key_set_too() {
        let key = SigningKey::generate().unwrap_or_else(|error| panic!("{error}"));
        let jwk = VerifyingKey::from_jwk(key.private_jwk().reveal()).ok().and_then(|key| key.public_jwk());
        let set = serde_json::json!({ "keys": [jwk, { "kty": "EC", "crv": "P-521" }] }).to_string();
        let variables = [("AUTH_JWT_SECRET", "geheim"), ("DATABASE_URL", "postgres://h"), ("JWT_JWKS", set.as_str())];
        let config = configured(&variables).unwrap_or_else(|problems| panic!("{problems:?}"));
        let claims = serde_json::json!({ "role": "authenticated" });
        let token = Keys::builder().signing(&key).build().sign(claims.as_object().unwrap()).unwrap();
        assert!(config.policy.keys.verify(&token).is_ok());
    }

    #[test]
    fn our_own_settings_are_read() {
        let variables = [
            ("DUGOUT_STORAGE_STRIP_METADATA", "photos, videos"),
            ("DUGOUT_STORAGE_SIGNED_URL_LIMIT", "600"),
            ("DUGOUT_STORAGE_REMOVALS", "true"),
        ];
        let variables = variables.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
        let mut reader = Reader { variables, problems: Vec::new() };
        let config = reader.config();
        assert!(config.strips("photos") && config.strips("videos") && !config.strips("documents"));
        assert_eq!((config.signed_url_limit, config.removals), (Some(600), true));
    }
}

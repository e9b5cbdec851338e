//! The variables of storage-api, for `dugout storage`, and those of our own settings.
//!
//! Source: supabase/storage, `src/config.ts`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use gateway::client_ip::TrustedProxies;
use gateway::keys::ApiKeys;
use gateway::service::AloneConfig;
use gateway::settings::Problem;
use gateway::{CallerPolicy, Keys, Secret};

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
    let (port, connections) = (reader.number("SERVER_PORT"), reader.number("DATABASE_MAX_CONNECTIONS"));
    if !reader.problems.is_empty() {
        return Err(reader.problems);
    }
    let keys = Keys::builder().secret(secret.as_ref().unwrap_or(&Secret::default())).build();
    Ok(AloneConfig {
        host: reader.first(&["SERVER_HOST"]).unwrap_or_else(|| "127.0.0.1".to_owned()),
        port: port.unwrap_or(PORT),
        database_url: Secret::new(database.and_then(|name| reader.first(&[name])).unwrap_or_default()),
        database_variable: database.unwrap_or_default(),
        connections: connections.unwrap_or(CONNECTIONS),
        proxies: TrustedProxies::default(),
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
        let seconds = self.number("UPLOAD_SIGNED_URL_EXPIRATION_TIME");
        let resumable = self.number("TUS_URL_EXPIRY_MS");
        // Off by default, as upstream.
        let pictures = self.first(&["IMAGE_TRANSFORMATION_ENABLED", "ENABLE_IMAGE_TRANSFORMATION"]);
        Config {
            file_size_limit: self.number("UPLOAD_FILE_SIZE_LIMIT").unwrap_or(defaults.file_size_limit),
            file_size_limit_standard: self.number("UPLOAD_FILE_SIZE_LIMIT_STANDARD"),
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
            tenant: self.first(&["TENANT_ID"]).unwrap_or(defaults.tenant.clone()),
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
        let problems = configured(&[("SERVER_PORT", "70000"), ("STORAGE_BACKEND", "gcs")]).err().unwrap();
        assert_eq!(problems.len(), 4, "{problems:?}");
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

//! The variables of realtime's container, for `dugout realtime`.
//!
//! Source: supabase/realtime, `ENVS.md` and `config/runtime.exs`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use gateway::client_ip::TrustedProxies;
use gateway::keys::ApiKeys;
use gateway::service::AloneConfig;
use gateway::settings::Problem;
use gateway::{CallerPolicy, Keys, Secret};
use url::Url;

use crate::config::Config;
use crate::relay::Servers;
use crate::service::Realtime;

/// As upstream's.
const PORT: u16 = 4000;

/// Connections to the database: upstream's `DB_POOL_SIZE`.
const CONNECTIONS: usize = 5;

/// Reads the variables.
///
/// # Errors
/// Everything that is wrong, at once.
pub(crate) fn configure(variables: BTreeMap<String, String>) -> Result<AloneConfig, Vec<Problem>> {
    let mut reader = Reader { variables, problems: Vec::new() };
    let secret = reader.text("API_JWT_SECRET").map(Secret::new);
    if secret.is_none() {
        reader.problem("API_JWT_SECRET", "is required: it verifies tokens");
    }
    let database_url = reader.database_url();
    let defaults = Config::default();
    let config = Config {
        max_concurrent_users: reader.number("TENANT_MAX_CONCURRENT_USERS").unwrap_or(defaults.max_concurrent_users),
        max_events_per_second: reader.number("TENANT_MAX_EVENTS_PER_SECOND").unwrap_or(defaults.max_events_per_second),
        max_joins_per_second: reader.number("TENANT_MAX_JOINS_PER_SECOND").unwrap_or(defaults.max_joins_per_second),
        max_channels_per_client: reader
            .number("TENANT_MAX_CHANNELS_PER_CLIENT")
            .unwrap_or(defaults.max_channels_per_client),
        presence_calls: reader.number("CLIENT_PRESENCE_MAX_CALLS").unwrap_or(defaults.presence_calls),
        ..defaults
    };
    let (nats, proxies) = (reader.nats(), reader.proxies());
    let (port, connections) = (reader.number("PORT"), reader.number("DB_POOL_SIZE"));
    let host = reader.text("HOST").unwrap_or_else(|| "127.0.0.1".to_owned());
    if !reader.problems.is_empty() {
        return Err(reader.problems);
    }
    let keys = Keys::builder().secret(secret.as_ref().unwrap_or(&Secret::default())).build();
    Ok(AloneConfig {
        host,
        port: port.unwrap_or(PORT),
        database_url: Secret::new(database_url),
        database_variable: "DB_HOST",
        connections: connections.unwrap_or(CONNECTIONS),
        proxies,
        policy: CallerPolicy::supabase(keys, ApiKeys::default()),
        warnings: Vec::new(),
        service: Arc::new(Realtime { config, nats }),
    })
}

struct Reader {
    variables: BTreeMap<String, String>,
    problems: Vec<Problem>,
}

impl Reader {
    fn text(&self, name: &str) -> Option<String> {
        self.variables.get(name).filter(|text| !text.is_empty()).cloned()
    }

    fn number<N: std::str::FromStr>(&mut self, name: &str) -> Option<N> {
        let text = self.text(name)?;
        let number = text.trim().replace('_', "").parse().ok();
        if number.is_none() {
            self.problem(name, &format!("“{text}” must be a number in range"));
        }
        number
    }

    /// Proxies whose `X-Forwarded-For` is believed.
    fn proxies(&mut self) -> TrustedProxies {
        let text = self.text(TrustedProxies::VARIABLE).unwrap_or_default();
        TrustedProxies::of_variable(&text, |message| self.problem(TrustedProxies::VARIABLE, message))
    }

    /// `DB_HOST`, `DB_PORT`, `DB_USER`, `DB_PASSWORD`, `DB_NAME`.
    fn database_url(&mut self) -> String {
        let host = self.text("DB_HOST").unwrap_or_default();
        // The folder of a unix socket stands percent-encoded in the host's place.
        let host = if host.starts_with('/') { host.replace('/', "%2F") } else { host };
        let Some(mut url) = Url::parse(&format!("postgresql://{host}/")).ok().filter(Url::has_host) else {
            self.problem("DB_HOST", "is required: the host of the database");
            return String::new();
        };
        let port: Option<u16> = self.number("DB_PORT");
        let (user, password) = (self.text("DB_USER"), self.text("DB_PASSWORD"));
        let name = self.text("DB_NAME").unwrap_or_else(|| "postgres".to_owned());
        // The URL has a host, so that nothing of this is refused.
        let _ = (
            url.set_port(Some(port.unwrap_or(5432))),
            url.set_username(user.as_deref().unwrap_or("supabase_admin")),
            url.set_password(password.as_deref()),
        );
        url.set_path(&name);
        url.to_string()
    }

    /// `DUGOUT_NATS_URL` and `DUGOUT_NATS_CREDENTIALS`, which upstream does not have.
    fn nats(&mut self) -> Option<Servers> {
        let credentials = self.text("DUGOUT_NATS_CREDENTIALS").map(PathBuf::from);
        match Servers::parse(&self.text("DUGOUT_NATS_URL")?, credentials) {
            Ok(servers) => Some(servers),
            Err(message) => {
                self.problem("DUGOUT_NATS_URL", &message);
                None
            }
        }
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
        let least = [("API_JWT_SECRET", "geheim"), ("DB_HOST", "db"), ("DB_PASSWORD", "a b@"), ("DB_PORT", "6543")];
        let config = configured(&least).unwrap_or_else(|problems| panic!("{problems:?}"));
        assert_eq!((config.host.as_str(), config.port), ("127.0.0.1", 4000));
        let url = config.database_url.reveal();
        assert_eq!(url, "postgresql://supabase_admin:a%20b%40@db:6543/postgres");
        let problems =
            configured(&[("PORT", "70000"), ("TENANT_MAX_JOINS_PER_SECOND", "x"), ("DUGOUT_NATS_URL", "http://x")])
                .err()
                .unwrap();
        assert_eq!(problems.len(), 5, "{problems:?}");
    }
}

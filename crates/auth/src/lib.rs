//! GoTrue: users, sign-in, sessions and tokens over the schema `auth`.
//!
//! A request goes from [`routes`] (one file an endpoint) over the nouns beside this file to `store` (one file a table).
//! [`wire`] writes every error in the shape the client asked for. The original is supabase/auth.
//!
//! Invariants:
//! - every refusal is a row of the table in [`error`];
//! - nothing but `store` knows SQL, and nothing in `store` decides;
//! - passwords are hashed on threads of their own, never where requests are served.

mod account;
mod address_change;
mod addresses;
mod administrator;
mod audit;
mod body;
mod captcha;
mod cleanup;
pub mod config;
mod doors;
mod duration;
mod encryption;
mod enrolment;
mod error;
mod external;
mod fault;
mod first_party;
mod hooks;
mod limits;
mod links;
mod mail;
mod mfa;
mod notifications;
mod oauth_error;
mod oauth_server;
mod one_time_tokens;
mod openapi;
mod pagination;
mod passkeys;
mod passwords;
mod pkce;
mod redirects;
mod refresh_token;
mod requester;
mod routes;
mod saml;
mod scim;
mod sessions;
mod signup;
mod sms;
mod store;
mod strangers;
mod timestamp;
mod tokens;
mod verification;
mod web3;
mod webauthn;
mod wire;

use std::sync::Arc;

use actix_web::middleware::from_fn;
use actix_web::web;
use gateway::events::Events;
use gateway::{Clock, Keys};
use pg::bootstrap::{ServiceMigration, ServiceSchema};

pub use config::{Config, Problem};
pub use mail::{Mail, Mailbox, WithoutSmtp};
pub use openapi::openapi;
pub use routes::{routes, scim_routes};

/// The schema `auth`. Each file may be applied to a database that upstream's own migrations have brought to any state.
pub const SCHEMA: ServiceSchema = ServiceSchema {
    role: None,
    recorded: "select version::text from auth.schema_migrations",
    record: "insert into auth.schema_migrations (version) select unnest($1::text[]) on conflict do nothing",
    files: MIGRATIONS,
};

const MIGRATIONS: &[ServiceMigration] = &[
    ServiceMigration {
        name: "20220614074223_users_and_refresh_tokens",
        sql: include_str!("../migrations/20220614074223_users_and_refresh_tokens.sql"),
    },
    ServiceMigration {
        name: "20221021073300_sessions_and_mfa",
        sql: include_str!("../migrations/20221021073300_sessions_and_mfa.sql"),
    },
    ServiceMigration {
        name: "20221215195900_single_sign_on",
        sql: include_str!("../migrations/20221215195900_single_sign_on.sql"),
    },
    ServiceMigration {
        name: "20231117164230_flow_state",
        sql: include_str!("../migrations/20231117164230_flow_state.sql"),
    },
    ServiceMigration {
        name: "20240612123726_one_time_tokens_and_row_level_security",
        sql: include_str!("../migrations/20240612123726_one_time_tokens_and_row_level_security.sql"),
    },
    ServiceMigration {
        name: "20241009103726_mfa_by_phone_and_webauthn",
        sql: include_str!("../migrations/20241009103726_mfa_by_phone_and_webauthn.sql"),
    },
    ServiceMigration {
        name: "20260121000000_oauth_server",
        sql: include_str!("../migrations/20260121000000_oauth_server.sql"),
    },
    ServiceMigration {
        name: "20260625000000_custom_providers_and_passkeys",
        sql: include_str!("../migrations/20260625000000_custom_providers_and_passkeys.sql"),
    },
    ServiceMigration {
        name: "20260625000001_sessions_that_end",
        sql: include_str!("../migrations/20260625000001_sessions_that_end.sql"),
    },
];

/// What every handler shares. Cloning is cheap.
#[derive(Clone)]
pub struct State {
    pub(crate) pool: pg::Pool,
    pub(crate) keys: Keys,
    pub(crate) config: Arc<Config>,
    pub(crate) clock: Clock,
    pub(crate) events: Events,
    pub(crate) hasher: passwords::Hasher,
    pub(crate) codes: one_time_tokens::CodeHasher,
    pub(crate) guesses: passwords::Guesses,
    pub(crate) mailer: mail::Mailer,
    pub(crate) sms: Option<sms::Sms>,
    pub(crate) strangers: strangers::Strangers,
    pub(crate) limits: limits::Limits,
    pub(crate) hooks: gateway::HttpClient,
    pub(crate) holding: hooks::Holding,
    pub(crate) validation: mail::Validation,
    pub(crate) captcha: Option<captcha::Captcha>,
    pub(crate) pwned: Option<passwords::Pwned>,
    pub(crate) network: external::Network,
    pub(crate) metadata_fetches: saml::Fetches,
    _cleaner: cleanup::Cleaner,
}

impl State {
    /// Puts the parts together and starts the hashing threads. The pool logs in as `supabase_auth_admin`; `keys` signs
    /// access tokens. Mails are sent on the runtime this is called from.
    ///
    /// # Errors
    /// When the operating system gives no thread, or TLS cannot be set up.
    pub fn new(
        pool: pg::Pool,
        keys: Keys,
        config: Config,
        clock: Clock,
        events: Events,
        without_smtp: WithoutSmtp,
    ) -> std::io::Result<Self> {
        let mailer = mail::Mailer::start(&config, without_smtp, clock.clone(), events.clone())?;
        // A hook takes the place of any provider.
        let sms = if config.hooks.send_sms.is_some() { None } else { sms::Sms::new(&config.sms)? };
        let strangers = strangers::Strangers::new(config.mailer.max_frequency.max(config.sms.max_frequency));
        let network = external::Network::new(&config.external)?;
        let hasher = passwords::Hasher::start(events.clone())?;
        let hooks = hooks::client()?;
        let validation = mail::Validation::new(&config.mailer.validation)?;
        let captcha = captcha::Captcha::new(config.captcha.as_ref())?;
        let pwned = passwords::Pwned::new(config.password.pwned.as_ref(), &events)?;
        let codes = one_time_tokens::CodeHasher::new(config.code_secret.as_ref().unwrap_or(&config.jwt.secret));
        let limits = limits::Limits::new(&config.rate_limits);
        let cleaner = cleanup::Cleaner::start(&config, pool.clone(), clock.clone(), events.clone());
        let holding = hooks::Holding::new(pool.capacity());
        Ok(State {
            pool,
            keys,
            config: Arc::new(config),
            clock,
            events,
            hasher,
            codes,
            guesses: passwords::Guesses::new(),
            mailer,
            sms,
            strangers,
            limits,
            hooks,
            holding,
            validation,
            captcha,
            pwned,
            network,
            metadata_fetches: saml::Fetches::new(),
            _cleaner: cleaner,
        })
    }

    /// Waits until the mails that are due have left, but no longer than `patience`.
    pub async fn stop(&self, patience: std::time::Duration) {
        self.mailer.stop(patience).await;
    }
}

/// Mounts the OAuth server's metadata alone, for the place where RFC 8414 section 3.1 has clients look for it: at the root of
/// the origin, before the path of the service.
pub fn configure_metadata(state: State) -> impl Fn(&mut web::ServiceConfig) + Clone {
    move |scope| {
        let service = web::scope("")
            .wrap(from_fn(wire::finish))
            .app_data(web::Data::new(state.clone()))
            .configure(|scope| gateway::route::mount(routes::metadata(), Arc::new(wire::GoTrueWire), scope));
        scope.service(service);
    }
}

/// Mounts the service into a scope: `/auth/v1` behind the server, `/` when it stands in for GoTrue's container. The
/// scope must be wrapped by [`gateway::caller::resolve`].
pub fn configure(state: State) -> impl Fn(&mut web::ServiceConfig) + Clone {
    move |scope| {
        let state = web::Data::new(state.clone());
        let service = web::scope("")
            .wrap(from_fn(wire::finish))
            .app_data(state)
            .service(web::scope(scim::MOUNT).configure(|scope| {
                gateway::route::mount(scim_routes(), Arc::new(scim::ScimWire), scope);
            }))
            .configure(|scope| gateway::route::mount(routes(), Arc::new(wire::GoTrueWire), scope));
        scope.service(service);
    }
}

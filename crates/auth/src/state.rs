//! State shared by handlers and flows.

use std::sync::Arc;

use gateway::events::Events;
use gateway::{Clock, Keys};

use crate::config::Config;
use crate::flows::cleanup::Cleaner;
use crate::flows::limits::Limits;
use crate::flows::one_time_tokens::CodeHasher;
use crate::flows::passwords::Guesses;
use crate::flows::unknown_addresses::UnknownAddresses;
use crate::outside::captcha::Captcha;
use crate::outside::hashing::Hasher;
use crate::outside::hooks::{self, Holding};
use crate::outside::mail::{Mailer, Validation, WithoutSmtp};
use crate::outside::providers::Network;
use crate::outside::pwned::Pwned;
use crate::outside::saml_metadata::Fetches;
use crate::outside::sms::Sms;

/// State shared by all handlers. Cheap to clone.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) pool: pg::Pool,
    pub(crate) keys: Keys,
    pub(crate) config: Arc<Config>,
    pub(crate) clock: Clock,
    pub(crate) events: Events,
    pub(crate) hasher: Hasher,
    pub(crate) codes: CodeHasher,
    pub(crate) guesses: Guesses,
    pub(crate) mailer: Mailer,
    pub(crate) sms: Option<Sms>,
    pub(crate) unknown_addresses: UnknownAddresses,
    pub(crate) limits: Limits,
    pub(crate) hooks: gateway::HttpClient,
    pub(crate) holding: Holding,
    pub(crate) validation: Validation,
    pub(crate) captcha: Option<Captcha>,
    pub(crate) pwned: Option<Pwned>,
    pub(crate) network: Network,
    pub(crate) metadata_fetches: Fetches,
    _cleaner: Cleaner,
}

impl State {
    /// Builds the state and starts the hashing threads. The pool logs in as `supabase_auth_admin`; `keys` signs access
    /// tokens. Mails are sent on the calling runtime.
    ///
    /// # Errors
    /// If the operating system cannot start a thread, or TLS cannot be set up.
    pub(crate) fn new(
        pool: pg::Pool,
        keys: Keys,
        config: Config,
        clock: Clock,
        events: Events,
        without_smtp: WithoutSmtp,
    ) -> std::io::Result<Self> {
        let mailer = Mailer::start(&config, without_smtp, clock.clone(), events.clone())?;
        // A hook replaces any provider.
        let sms = if config.hooks.send_sms.is_some() { None } else { Sms::new(&config.sms)? };
        let unknown_addresses = UnknownAddresses::new(config.mailer.max_frequency.max(config.sms.max_frequency));
        let network = Network::new(&config.external)?;
        let hasher = Hasher::start(events.clone())?;
        let hooks = hooks::client()?;
        let validation = Validation::new(&config.mailer.validation)?;
        let captcha = Captcha::new(config.captcha.as_ref())?;
        let pwned = Pwned::new(config.password.pwned.as_ref(), &events)?;
        let codes = CodeHasher::new(config.code_secret.as_ref().unwrap_or(&config.jwt.secret));
        let limits = Limits::new(&config.rate_limits);
        let cleaner = Cleaner::start(&config, pool.clone(), clock.clone(), events.clone());
        let holding = Holding::new(pool.capacity());
        Ok(State {
            pool,
            keys,
            config: Arc::new(config),
            clock,
            events,
            hasher,
            codes,
            guesses: Guesses::new(),
            mailer,
            sms,
            unknown_addresses,
            limits,
            hooks,
            holding,
            validation,
            captcha,
            pwned,
            network,
            metadata_fetches: Fetches::new(),
            _cleaner: cleaner,
        })
    }

    /// Waits until all due mails are sent, for at most `patience`.
    pub(crate) async fn stop(&self, patience: std::time::Duration) {
        self.mailer.stop(patience).await;
    }
}

//! Auth as one of the server's services, and alone in the place of GoTrue's container.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use actix_web::middleware::from_fn;
use actix_web::web;
use gateway::events::Events;
use gateway::keys::ApiKeys;
use gateway::mail::{Mailbox, Post};
use gateway::service::{
    Alone, AloneConfig, BoxFuture, Configured, Context, Failed, Host, Login, Manifest, Schema, Service, Table,
};
use gateway::settings::{Origin, Problem, Report, Resolved, Shown, masked};
use gateway::{CallerPolicy, Clock, PublicUrl};
use pg::Pool;
use pg::budget::Part;

use crate::config::Config;
use crate::config::cli::{self, Variables};
use crate::flows::post::Outgoing;
use crate::outside::mail::WithoutSmtp;
use crate::routes::{self, scim_wire, wire};
use crate::state::State;

const ADMIN: &str = "supabase_auth_admin";

/// Auth, as the server knows it.
pub const SERVICE: Manifest = Manifest {
    name: "auth",
    prefix: "/auth/v1",
    login: Login::Own(ADMIN),
    schema: Some(Schema { name: "auth", owner: ADMIN, migrations: &crate::SCHEMA }),
    // A quarter, so that a flood of data requests locks nobody out.
    connections: Part::Divided(4),
    settings: &[],
    variables: cli::VARIABLES,
    tables,
    configure,
    alone: Some(Alone { title: "the auth API", about: "configured by GOTRUE_* variables", configure: configure_alone }),
};

/// The OAuth server's metadata. Clients look for it at the root of the origin, before the service's path (RFC 8414, section 3.1).
const METADATA: &str = "/.well-known/oauth-authorization-server";

/// GoTrue requires these two. The running server replaces the placeholders by its own address and secret.
const EXTERNAL_URL: &str = "API_EXTERNAL_URL";
const PLACEHOLDERS: [(&str, &str); 2] =
    [(EXTERNAL_URL, "http://127.0.0.1"), ("GOTRUE_JWT_SECRET", "completed-when-the-server-starts")];

/// Connections of `dugout auth` when no variable names a number.
const CONNECTIONS_ALONE: usize = 10;

fn tables() -> Vec<Table> {
    vec![
        Table { at: scim_wire::MOUNT, routes: routes::scim_routes(), wire: Arc::new(scim_wire::ScimWire) },
        Table { at: "", routes: routes::routes(), wire: Arc::new(wire::GoTrueWire) },
    ]
}

/// Auth with its settings.
struct Auth {
    config: Config,
    /// The variables that the settings came from; none where auth stands alone.
    variables: Variables,
}

fn configure(resolved: &Resolved, report: &mut Report) -> Option<Arc<dyn Configured>> {
    let variables = cli::variables(resolved, resolved.text("dev") == "true", report);
    let completed = PLACEHOLDERS
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .chain(variables.iter().map(|(name, (text, _))| (name.clone(), text.clone())));
    // The last one of a name wins.
    let completed: BTreeMap<String, String> = completed.collect();
    match Config::from_env(completed) {
        Ok((config, unused)) => {
            // A setting that switches something off needs no warning.
            let asked =
                |name: &String| variables.get(name).is_none_or(|(text, _)| !matches!(text.as_str(), "" | "false"));
            report.warnings.extend(unused.into_iter().filter(asked).map(|name| format!("{name} has no effect yet")));
            Some(Arc::new(Auth { config, variables }))
        }
        Err(found) => {
            let place = |key: &String| variables.get(key).map_or_else(|| key.clone(), |(_, origin)| origin.to_string());
            report.problems.extend(found.into_iter().map(|problem| notices(problem, place)));
            None
        }
    }
}

fn configure_alone(variables: BTreeMap<String, String>) -> Result<AloneConfig, Vec<Problem>> {
    let read = Config::from_env(variables);
    let (mut config, unused) = read
        .map_err(|problems| problems.into_iter().map(|problem| notices(problem, String::clone)).collect::<Vec<_>>())?;
    let mut warnings: Vec<String> = unused.into_iter().map(|name| format!("{name} has no effect yet")).collect();
    if config.stand_in_for_container() {
        let text =
            "no limits by client behind a proxy: set GOTRUE_RATE_LIMIT_HEADER or DUGOUT_TRUSTED_PROXIES to have them";
        warnings.push(text.to_owned());
    }
    let keys = config.jwt.keys(Clock::default());
    let keys = keys.map_err(|reason| vec![Problem { place: "GOTRUE_JWT_KEYS".to_owned(), message: reason }])?;
    let listen = &config.listen;
    Ok(AloneConfig {
        host: listen.host.clone(),
        port: listen.port,
        database_url: listen.database_url.clone(),
        database_variable: "GOTRUE_DB_DATABASE_URL",
        // GoTrue's zero means no limit; a pool has one.
        connections: if listen.max_pool_size == 0 { CONNECTIONS_ALONE } else { listen.max_pool_size },
        proxies: listen.trusted_proxies.clone(),
        // No API keys here: they belong to the gateway that stands in front of the container.
        policy: CallerPolicy { accept_api_key: false, ..CallerPolicy::supabase(keys, ApiKeys::default()) },
        warnings,
        service: Arc::new(Auth { config, variables: Variables::new() }),
    })
}

fn notices(problem: crate::Problem, place: impl Fn(&String) -> String) -> Problem {
    let value = problem.value.map(|value| format!("“{}” ", masked(&value))).unwrap_or_default();
    Problem { place: place(&problem.key), message: format!("{value}{}", problem.message) }
}

impl Auth {
    /// The settings, completed with what only a running server knows: its address and its secrets.
    fn completed(&self, host: &Host, mount: &str) -> Config {
        let mut config = self.config.clone();
        config.jwt.secret = host.jwt_secret.clone();
        config.code_secret = Some(host.lasting_secret.clone());
        // In development a custom provider usually runs on the same machine.
        config.custom_oauth.allow_private_addresses |= host.dev;
        if let Ok(own) = PublicUrl::parse(&host.public_url.join(mount)) {
            if !self.variables.contains_key(EXTERNAL_URL) {
                config.external_url = own;
            }
            // As the CLI has it.
            for provider in config.external.providers.values_mut().filter(|provider| provider.redirect_uri.is_empty()) {
                provider.redirect_uri = config.external_url.join("/callback");
            }
            if config.jwt.issuer.is_empty() {
                config.jwt.issuer = config.external_url.as_str().to_owned();
            }
        }
        config
    }
}

impl Configured for Auth {
    /// Stars stand for everything but what is known to be no secret, so that a variable which nobody knows shows nothing.
    fn shown(&self) -> Vec<Shown> {
        let shown = |(name, (text, origin)): (&String, &(String, Origin))| {
            let open = self.config.printable.contains(name) || text.is_empty();
            let text = if open { text.as_str() } else { "***" };
            Shown { name: name.clone(), text: text.to_owned(), origin: origin.clone() }
        };
        self.variables.iter().map(shown).collect()
    }

    fn start(&self, context: Context) -> BoxFuture<'_, Result<Arc<dyn Service>, Failed>> {
        Box::pin(async move {
            let config = match &context.host {
                Some(host) => self.completed(host, context.mount),
                None => self.config.clone(),
            };
            let mailbox = context.host.as_ref().and_then(|host| host.mailbox.clone());
            let mailbox = mailbox.filter(|_| config.mailer.smtp.is_none());
            let without_smtp = mailbox.clone().map_or(WithoutSmtp::Drop, WithoutSmtp::Keep);
            let pool = context.pool()?;
            let clock = context.keys.clock().clone();
            let state = State::new(pool.clone(), context.keys, config, clock, context.events, without_smtp)?;
            let running = Running { state, pool, mailbox, mount: context.mount };
            Ok(Arc::new(running) as Arc<dyn Service>)
        })
    }
}

/// Auth, running.
struct Running {
    state: State,
    pool: Pool,
    mailbox: Option<Mailbox>,
    mount: &'static str,
}

impl Service for Running {
    fn mount(&self, scope: &mut web::ServiceConfig) {
        let mut service = web::scope("").wrap(from_fn(wire::finish)).app_data(web::Data::new(self.state.clone()));
        for table in tables() {
            service = match table.at {
                "" => service.configure(|scope| table.mount(scope)),
                at => service.service(web::scope(at).configure(|scope| table.mount(scope))),
            };
        }
        scope.service(service);
    }

    fn mount_at_root(&self, app: &mut web::ServiceConfig) {
        let table = Table { at: "", routes: routes::metadata(), wire: Arc::new(wire::GoTrueWire) };
        let service = web::scope("")
            .wrap(from_fn(wire::finish))
            .app_data(web::Data::new(self.state.clone()))
            .configure(|scope| table.mount(scope));
        app.service(web::scope(&format!("{METADATA}{}", self.mount)).service(service));
    }

    fn gauges(&self, events: &Events) {
        events.pool("auth", self.pool.status());
    }

    fn mailbox(&self) -> Option<Mailbox> {
        self.mailbox.clone()
    }

    fn post(&self) -> Option<Arc<dyn Post>> {
        Some(Arc::new(Outgoing(self.state.clone())))
    }

    /// Mails that are due leave first.
    fn close(&self, within: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            self.state.stop(within).await;
            self.pool.close();
        })
    }
}

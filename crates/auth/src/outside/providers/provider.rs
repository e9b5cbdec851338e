//! A configured provider: lookup, URLs and credentials.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use gateway::http_client::Peers;
use gateway::{HttpClient, Secret};
use url::form_urlencoded;
use uuid::Uuid;

use super::exchange::{self, Tokens, Trader, Way};
use super::issuers::{Issuer, Whereabouts};
use super::oauth1::{self, Signer};
use super::table::{Dialect, Entrance, PROVIDERS, Row, Source};
use super::{Failure, Network};
use crate::config::Config;
use crate::error::AuthError;
use crate::error::fault::OrFault;
use crate::store::custom_oauth_providers::{self, CustomOauthProvider, ProviderType};

/// Parameters that only we set in a request to the provider. A client may pass on others, and also `nonce`, which only
/// it checks.
pub(crate) const RESERVED: [&str; 9] = [
    "client_id",
    "client_secret",
    "redirect_uri",
    "response_type",
    "state",
    "code_challenge",
    "code_challenge_method",
    "code_verifier",
    "nonce",
];

/// A configured provider.
pub(crate) struct Provider {
    /// The provider's name in identities.
    pub(crate) name: String,
    pub(crate) email_optional: bool,
    pub(super) client_id: String,
    pub(super) secret: Secret<String>,
    redirect_uri: String,
    scopes: Vec<String>,
    authorize: String,
    token: String,
    pub(super) http: HttpClient,
    pub(super) kind: Kind,
    /// The issuer of its ID tokens, if known.
    pub(super) issuer: Option<Arc<Issuer>>,
}

pub(super) enum Kind {
    Row { row: &'static Row, base: Option<String> },
    Custom(Box<CustomOauthProvider>),
}

/// Why a provider cannot be used.
pub(crate) enum Unusable {
    /// It does not exist or is not configured; with GoTrue's message.
    Unsupported(String),
    Fault(AuthError),
}

/// What is needed to look up a provider.
#[derive(Clone, Copy)]
pub(crate) struct Sources<'a> {
    pub(crate) pool: &'a pg::Pool,
    pub(crate) config: &'a Config,
    pub(crate) network: &'a Network,
    pub(crate) now: DateTime<Utc>,
}

/// Finds a provider; `scopes` are added to the default scopes, or replace those of a custom provider.
///
/// # Errors
/// [`Unusable`]
pub(crate) async fn find(sources: Sources<'_>, name: &str, scopes: &str) -> Result<Provider, Unusable> {
    let name = name.to_lowercase();
    if name.starts_with("custom:") {
        return custom(sources, &name, scopes).await;
    }
    let row = PROVIDERS.iter().find(|row| row.name == name);
    let row = row.ok_or_else(|| Unusable::Unsupported(format!("Provider {name} could not be found")))?;
    let off = || Unusable::Unsupported("provider is not enabled".to_owned());
    let config = sources.config.external.providers.get(row.name).ok_or_else(off)?;
    config.check().map_err(|reason| Unusable::Unsupported(reason.to_owned()))?;
    let network = sources.network;
    let issuer = match (&row.entrance, &row.identity) {
        (Entrance::Discovered(issuer), _) | (_, Source::IdToken(issuer)) => {
            Some(network.issuer(&network.own, Whereabouts { issuer, discovery_url: None }, sources.now).await?)
        }
        _ => None,
    };
    let base = config.url.clone();
    let (authorize, token) = match (&row.entrance, &issuer) {
        (Entrance::At { authorize, token }, _) => {
            let no_base = || Unusable::Unsupported("unable to find URL for the Keycloak provider".to_owned());
            (authorize.under(base.as_deref()).ok_or_else(no_base)?, token.under(base.as_deref()).unwrap_or_default())
        }
        (_, Some(issuer)) => (issuer.discovery.authorization_endpoint.clone(), issuer.discovery.token_endpoint.clone()),
        (Entrance::Twitter(place), None) => (place.under(base.as_deref()).unwrap_or_default(), String::new()),
        (Entrance::Discovered(_), None) => (String::new(), String::new()),
    };
    let asked: &str = if row.more_scopes { scopes } else { "" };
    let more = asked.split(',').filter(|scope| !scope.is_empty());
    Ok(Provider {
        name,
        email_optional: config.email_optional,
        client_id: config.client_ids.first().cloned().unwrap_or_default(),
        secret: config.secret.clone(),
        redirect_uri: config.redirect_uri.clone(),
        scopes: row.scopes.iter().copied().chain(more).map(str::to_owned).collect(),
        authorize,
        token,
        http: network.own.clone(),
        kind: Kind::Row { row, base },
        issuer,
    })
}

async fn custom(sources: Sources<'_>, name: &str, scopes: &str) -> Result<Provider, Unusable> {
    const FAILED: &str = "Error finding custom provider";
    let unsupported = |reason: String| Err(Unusable::Unsupported(reason));
    let settings = &sources.config.custom_oauth;
    if !settings.enabled {
        return unsupported("custom OAuth providers are disabled".to_owned());
    }
    let db = sources.pool.get().await.or_fault(FAILED).map_err(Unusable::Fault)?;
    let found = custom_oauth_providers::by_identifier(&db, name).await.or_fault(FAILED).map_err(Unusable::Fault)?;
    drop(db);
    let Some(custom) = found else { return unsupported(format!("custom provider {name} not found")) };
    if !custom.enabled {
        return unsupported(format!("custom provider {name} is disabled"));
    }
    let opened = sources.config.encryption.open(custom.id, custom.client_secret.reveal());
    let secret = opened.map_err(|error| Unusable::Fault(AuthError::internal(FAILED, error)))?.value;
    let mut asked: Vec<String> = scopes.split_whitespace().map(str::to_owned).collect();
    if asked.is_empty() {
        asked.clone_from(&custom.scopes);
    }
    let external_url = settings.external_url.as_ref().unwrap_or(&sources.config.external_url);
    let http = sources.network.for_custom(settings.allow_private_addresses).clone();
    let (mut authorize, mut token) = (custom.authorization_url.clone(), custom.token_url.clone());
    let mut issuer = None;
    if custom.provider_type == ProviderType::Oidc {
        if !asked.iter().any(|scope| scope == "openid") {
            asked.insert(0, "openid".to_owned());
        }
        let place = custom
            .whereabouts()
            .ok_or_else(|| Unusable::Unsupported(format!("OIDC provider {name} missing issuer")))?;
        let found = sources.network.issuer(&http, place, sources.now).await?;
        authorize = Some(found.discovery.authorization_endpoint.clone());
        token = Some(found.discovery.token_endpoint.clone());
        issuer = Some(found);
    }
    Ok(Provider {
        name: name.to_owned(),
        email_optional: custom.email_optional,
        client_id: custom.client_id.clone(),
        secret,
        redirect_uri: external_url.join("/callback"),
        scopes: asked,
        authorize: authorize.unwrap_or_default(),
        token: token.unwrap_or_default(),
        http,
        kind: Kind::Custom(Box::new(custom)),
        issuer,
    })
}

impl CustomOauthProvider {
    /// Where to find its issuer; `None` for a plain OAuth provider.
    pub(crate) fn whereabouts(&self) -> Option<Whereabouts<'_>> {
        let discovery_url = self.discovery_url.as_deref().filter(|url| !url.is_empty());
        self.issuer.as_deref().map(|issuer| Whereabouts { issuer, discovery_url })
    }
}

impl Network {
    /// The issuer with its discovery document.
    async fn issuer(
        &self,
        http: &HttpClient,
        place: Whereabouts<'_>,
        now: DateTime<Utc>,
    ) -> Result<Arc<Issuer>, Unusable> {
        let found = self.issuers.find(http, place, now).await;
        found.map_err(|failure| Unusable::Unsupported(format!("{} cannot be used: {failure}", place.issuer)))
    }

    /// The client for addresses that administrators have named.
    pub(crate) fn for_custom(&self, allow_private_addresses: bool) -> &HttpClient {
        if allow_private_addresses { &self.own } else { &self.guarded }
    }

    /// New clients and an empty cache of issuers.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub(crate) fn new(config: &crate::config::ExternalConfig) -> std::io::Result<Self> {
        Ok(Network {
            own: HttpClient::to(Peers::Any, super::PATIENCE)?,
            guarded: HttpClient::to(Peers::Public, super::PATIENCE)?,
            issuers: super::Issuers::new(config.oidc_provider_cache_ttl),
        })
    }
}

impl Provider {
    /// True if the provider requires PKCE.
    pub(crate) fn requires_pkce(&self) -> bool {
        match &self.kind {
            Kind::Row { row, .. } => row.dialect == Dialect::X,
            Kind::Custom(custom) => custom.pkce_enabled,
        }
    }

    /// True for the provider that uses OAuth 1.0a.
    pub(crate) fn is_oauth1(&self) -> bool {
        matches!(&self.kind, Kind::Row { row, .. } if matches!(row.entrance, Entrance::Twitter(_)))
    }

    /// True for Apple, which sends the user's name in a field beside the code.
    pub(crate) fn is_apple(&self) -> bool {
        matches!(&self.kind, Kind::Row { row, .. } if row.dialect == Dialect::Apple)
    }

    /// The expected `iss` of an authorization response (RFC 9207).
    pub(crate) fn expected_issuer(&self) -> Option<&str> {
        match (&self.issuer, &self.kind) {
            (Some(issuer), _) => Some(&issuer.discovery.issuer),
            (None, Kind::Row { row, base }) if row.name == "keycloak" => base.as_deref(),
            _ => None,
        }
    }

    /// The authorization URL. `passed` comes from the client, `challenge` is ours.
    ///
    /// # Errors
    /// If a provider that needs a request first does not answer.
    pub(crate) async fn authorization_url(
        &self,
        now: DateTime<Utc>,
        flow: Uuid,
        passed: Vec<(String, String)>,
        challenge: Option<&str>,
    ) -> Result<String, Failure> {
        if self.is_oauth1() {
            let callback = format!("{}?state={flow}", self.redirect_uri);
            let url = format!("{}/oauth/request_token", self.authorize);
            let token = oauth1::request_token(&self.http, &url, self.signer(), &callback, now).await?;
            let token: String = form_urlencoded::byte_serialize(token.token.as_bytes()).collect();
            return Ok(format!("{}/oauth/authenticate?oauth_token={token}", self.authorize));
        }
        Ok(with_query(&self.authorize, self.questions(flow, passed, challenge)))
    }

    /// The parameters by name; later ones override earlier ones.
    fn questions(
        &self,
        flow: Uuid,
        passed: Vec<(String, String)>,
        challenge: Option<&str>,
    ) -> BTreeMap<String, String> {
        let mut query = BTreeMap::new();
        let mut set = |name: &str, value: &str| query.insert(name.to_owned(), value.to_owned());
        set("response_type", "code");
        set("client_id", &self.client_id);
        set("redirect_uri", &self.redirect_uri);
        if !self.scopes.is_empty() {
            set("scope", &self.scopes.join(" "));
        }
        set("state", &flow.to_string());
        if self.is_apple() {
            set("response_mode", "form_post");
            return query;
        }
        for (name, value) in &passed {
            set(name, value);
        }
        if let Some(challenge) = challenge {
            set("code_challenge", challenge);
            set("code_challenge_method", "S256");
        }
        if let Kind::Custom(custom) = &self.kind {
            for (name, value) in &custom.authorization_params {
                if let Some(value) = value.as_str() {
                    set(name, value);
                }
            }
        }
        query
    }

    /// Exchanges a code for tokens.
    ///
    /// # Errors
    /// If the provider refuses.
    pub(crate) async fn exchange(&self, code: &str, verifier: Option<&str>) -> Result<Tokens, Failure> {
        let mut fields = vec![("grant_type", "authorization_code"), ("code", code)];
        fields.push(("redirect_uri", &self.redirect_uri));
        let dialect = match &self.kind {
            Kind::Row { row, .. } => row.dialect,
            Kind::Custom(_) => Dialect::None,
        };
        fields.extend(verifier.map(|verifier| ("code_verifier", verifier)));
        let way = match dialect {
            // Both require the client id in the form, and the secret, too.
            Dialect::Kakao | Dialect::Apple => Way::Form,
            _ => Way::Either,
        };
        let trader = Trader { id: &self.client_id, secret: self.secret.reveal() };
        exchange::trade(&self.http, &self.token, trader, way, &fields).await
    }

    /// Our OAuth 1.0a credentials, without a token.
    pub(super) fn signer(&self) -> Signer<'_> {
        Signer { key: &self.client_id, secret: self.secret.reveal(), token: "", token_secret: "" }
    }

    /// The URL of OAuth 1.0a's last step.
    pub(super) fn access_token_url(&self) -> String {
        format!("{}/oauth/access_token", self.authorize)
    }
}

/// An address with additional query parameters, sorted by name.
fn with_query(address: &str, query: BTreeMap<String, String>) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
    let mark = if address.contains('?') { '&' } else { '?' };
    format!("{address}{mark}{query}")
}

//! Identifies the caller: `apikey` and `Authorization` become a [`Caller`].

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{AUTHORIZATION, HeaderMap, HeaderName};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, web};
use arc_swap::ArcSwap;
use serde_json::{Map, Value};

use crate::claims::Claims;
use crate::keys::{ApiKeys, Keys};
use crate::role_claim::RoleClaim;
use crate::wire::Refusal;

const API_KEY: HeaderName = HeaderName::from_static("apikey");

/// The caller of a request.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The database role: `anon`, `authenticated`, `service_role` or one of the project's own.
    pub role: Arc<str>,
    /// The claims of the token; for an anonymous caller only the role.
    pub claims: Claims,
    /// The kind of credential.
    pub credential: Credential,
}

/// How a caller authenticated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credential {
    /// Nothing.
    None,
    /// Only an API key.
    ApiKey,
    /// A bearer token.
    Token,
}

/// How a scope maps credentials to callers.
#[derive(Clone)]
pub struct CallerPolicy {
    /// The keys that tokens are verified with.
    pub keys: Keys,
    /// Opaque API keys; empty if the scope accepts none.
    pub api_keys: ApiKeys,
    /// The role of a request without credentials; `None` refuses them.
    pub anonymous: Option<Arc<str>>,
    /// The path of the role in the claims.
    pub role_claim: RoleClaim,
    /// Whether `apikey` is read: only on the mounted origin, not where a service replaces its container.
    pub accept_api_key: bool,
}

/// The current policy, which can be replaced while requests are served.
pub struct PolicyCell(ArcSwap<CallerPolicy>);

impl PolicyCell {
    /// Starts with `policy`.
    pub fn new(policy: CallerPolicy) -> Self {
        PolicyCell(ArcSwap::from_pointee(policy))
    }

    /// The current policy.
    pub fn get(&self) -> Arc<CallerPolicy> {
        self.0.load_full()
    }

    /// Uses `policy` for later requests.
    pub fn replace(&self, policy: CallerPolicy) {
        self.0.store(Arc::new(policy));
    }
}

/// The result of the middleware, stored in the request. Guards turn a refusal into the service's own words.
#[derive(Clone)]
pub struct Found {
    /// The caller, or why the request has no valid credential.
    pub caller: Result<Arc<Caller>, Refusal>,
    /// How long this took.
    pub took: Duration,
}

impl CallerPolicy {
    /// The policy of the mounted origin: API keys are accepted, and requests without credentials get the role `anon`.
    ///
    /// DEVIATION (more): a request without an API key acts as anon, as with the CLI's gateway; the hosted one answers
    /// 401.
    pub fn supabase(keys: Keys, api_keys: ApiKeys) -> Self {
        CallerPolicy {
            keys,
            api_keys,
            anonymous: Some("anon".into()),
            role_claim: RoleClaim::default(),
            accept_api_key: true,
        }
    }

    /// Identifies the caller.
    ///
    /// A bearer token takes precedence over an `apikey`; supabase-js sends the API key as both if nobody is signed in.
    /// An opaque key in either place stands for its role.
    ///
    /// # Errors
    /// [`Refusal::Token`], [`Refusal::ApiKey`], or [`Refusal::NoCredential`] if anonymous requests are refused.
    pub fn caller(&self, headers: &HeaderMap, query: &str) -> Result<Caller, Refusal> {
        let api_key = if self.accept_api_key { api_key(headers, query) } else { None };
        if let Some(key) = api_key.as_deref().filter(|key| ApiKeys::is_opaque(key))
            && self.api_keys.role(key).is_none()
        {
            return Err(Refusal::ApiKey);
        }
        let shown = shown(headers);
        match (shown.as_deref(), api_key) {
            (Some(token), _) if self.accept_api_key && ApiKeys::is_opaque(token) => self.by_opaque_key(token),
            (Some(token), _) => self.by_token(token, Credential::Token),
            (None, Some(key)) if ApiKeys::is_opaque(&key) => self.by_opaque_key(&key),
            (None, Some(key)) => self.by_token(&key, Credential::ApiKey).map_err(|_| Refusal::ApiKey),
            (None, None) => {
                let role = self.anonymous.clone().ok_or(Refusal::NoCredential)?;
                Ok(Caller { claims: role_only(&role), role, credential: Credential::None })
            }
        }
    }

    fn by_token(&self, token: &str, credential: Credential) -> Result<Caller, Refusal> {
        let claims = self.keys.verify(token).map_err(Refusal::Token)?;
        let role = match self.role_claim.find(claims.map()) {
            Some(role) => role.into(),
            // A token without a role acts as the anonymous role, as in PostgREST.
            None => self.anonymous.clone().ok_or(Refusal::NoCredential)?,
        };
        Ok(Caller { role, claims, credential })
    }

    fn by_opaque_key(&self, key: &str) -> Result<Caller, Refusal> {
        let role = self.api_keys.role(key).ok_or(Refusal::ApiKey)?;
        Ok(Caller { role: role.into(), claims: role_only(role), credential: Credential::ApiKey })
    }
}

/// Middleware: identifies the caller and stores the result for the guards. It refuses nothing itself.
///
/// # Errors
/// Those of the inner service, unchanged.
pub async fn resolve<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    if let Some(policy) = request.app_data::<web::Data<PolicyCell>>() {
        let started = Instant::now();
        let caller = policy.0.load().caller(request.headers(), request.query_string()).map(Arc::new);
        request.extensions_mut().insert(Found { caller, took: started.elapsed() });
    }
    next.call(request).await
}

/// The value after `Authorization: Bearer`, even if it is empty or not UTF-8: the client meant to send a token, so it
/// must not act as the anonymous role.
fn shown(headers: &HeaderMap) -> Option<Cow<'_, str>> {
    let value = headers.get(AUTHORIZATION)?.as_bytes();
    let (scheme, token) = value.split_at(value.iter().position(|byte| *byte == b' ').unwrap_or(value.len()));
    scheme.eq_ignore_ascii_case(b"bearer").then(|| String::from_utf8_lossy(token.trim_ascii()))
}

/// The token of `Authorization: Bearer …` (RFC 6750); the scheme is case-insensitive.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(char::is_whitespace)?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

fn api_key(headers: &HeaderMap, query: &str) -> Option<String> {
    if let Some(key) = headers.get(API_KEY).and_then(|value| value.to_str().ok()) {
        return Some(key.to_owned()).filter(|key| !key.is_empty());
    }
    if !query.contains("apikey=") {
        return None;
    }
    url::form_urlencoded::parse(query.as_bytes())
        .find(|(name, value)| name == "apikey" && !value.is_empty())
        .map(|(_, value)| value.into_owned())
}

fn role_only(role: &str) -> Claims {
    Claims::from_map(Map::from_iter([("role".to_owned(), Value::from(role))]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::TokenError;
    use crate::secret::Secret;
    use actix_web::http::header::HeaderValue;
    use serde_json::json;

    fn policy() -> CallerPolicy {
        let keys = Keys::builder().secret(&Secret::new("0123456789abcdef0123456789abcdef".to_owned())).build();
        let api_keys = ApiKeys {
            publishable: vec![Secret::new("sb_publishable_x".to_owned())],
            secret: vec![Secret::new("sb_secret_x".to_owned())],
        };
        CallerPolicy::supabase(keys, api_keys)
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_bytes(value.as_bytes()).unwrap()))
            .collect()
    }

    #[test]
    fn credentials_become_roles() {
        let policy = policy();
        let token = |role: Value| {
            let claims = json!({"sub": "8d9e5f3a-4b1c-4c0e-9d6e-2f1f0c3a9b11", "role": role});
            policy.keys.sign(claims.as_object().unwrap()).unwrap()
        };
        let (user, service) = (token(json!("authenticated")), token(json!("service_role")));
        let roleless = policy.keys.sign(&Map::new()).unwrap();
        let bearer = |token: &str| format!("Bearer {token}");
        for (pairs, query, role) in [
            (vec![], "", Ok("anon")),
            (vec![("apikey", "sb_publishable_x")], "", Ok("anon")),
            (vec![("apikey", "sb_secret_x")], "", Ok("service_role")),
            (vec![], "apikey=sb_secret_x&x=1", Ok("service_role")),
            (vec![("apikey", "sb_secret_y")], "", Err(Refusal::ApiKey)),
            (vec![("apikey", service.as_str())], "", Ok("service_role")),
            (vec![("apikey", "junk")], "", Err(Refusal::ApiKey)),
            (vec![("authorization", &bearer(&user))], "", Ok("authenticated")),
            (vec![("authorization", &bearer(&user)), ("apikey", "sb_publishable_x")], "", Ok("authenticated")),
            (vec![("authorization", "bearer sb_secret_x"), ("apikey", "sb_secret_x")], "", Ok("service_role")),
            (vec![("authorization", "Bearer a.b")], "", Err(Refusal::Token(TokenError::Parts(2)))),
            (vec![("authorization", "Bearer ñ.ñ.ñ")], "", Err(Refusal::Token(TokenError::Header))),
            (vec![("authorization", "Basic YTpi")], "", Ok("anon")),
            (vec![("authorization", "Bearer ")], "", Err(Refusal::Token(TokenError::Parts(0)))),
            (vec![("authorization", "bearer")], "", Err(Refusal::Token(TokenError::Parts(0)))),
            (vec![("authorization", "Bearerx")], "", Ok("anon")),
            (vec![("authorization", &bearer(&roleless))], "", Ok("anon")),
            (vec![("authorization", &bearer(&token(Value::Null)))], "", Ok("null")),
            (vec![("authorization", &bearer(&token(json!(7))))], "", Ok("7")),
        ] {
            let found = policy.caller(&headers(&pairs), query).map(|caller| caller.role.to_string());
            assert_eq!(found, role.map(str::to_owned), "{pairs:?} {query}");
        }
    }

    #[test]
    fn without_an_anonymous_role_a_credential_is_needed() {
        let policy = CallerPolicy { anonymous: None, accept_api_key: false, ..policy() };
        let refused = policy.caller(&headers(&[("apikey", "sb_secret_x")]), "").unwrap_err();
        assert_eq!(refused, Refusal::NoCredential);
    }
}

//! `POST /sso/saml/acs`
//!
//! Source: supabase/auth, `internal/api/samlacs.go`; saml-bindings-2.0, section 3.5.

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use actix_web::web;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use gateway::Anyone;
use gateway::events::Event;
use pg::pool::Transaction;
use sha2::{Digest, Sha256};
use url::Url;
use uuid::Uuid;

use super::config;
use crate::config::SamlConfig;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, ExternalError, SamlError};
use crate::flows::external::{self, Attempt, Outcome, SignedIn};
use crate::flows::{sessions, sign_in};
use crate::model::account::User;
use crate::model::authentication_method::AuthenticationMethod;
use crate::model::redirects;
use crate::model::requester::Requester;
use crate::model::session::SignIn;
use crate::model::timestamp::{self, after};
use crate::model::trace::Trace;
use crate::outside::saml_metadata;
use crate::protocol::saml::{self, Assertion, Expectation, Metadata};
use crate::routes::callback::{Answer, Refusal};
use crate::routes::verify::redirect::with_code;
use crate::state::State;
use crate::store::flow_state::{self, ExternalFlow};
use crate::store::saml_relay_states::{self, RelayState};
use crate::store::sso_providers::{self, SsoProvider};

/// How long metadata without an expiry is used before it is fetched again.
const STALE: TimeDelta = TimeDelta::hours(24);
/// Maximum length of an error reason in characters. The reason may quote the input and becomes part of a URL.
const MAX_REASON: usize = 300;

/// A user comes back from the identity provider. Signs them in and redirects to the app: with a session in the
/// fragment, or with a code if the flow has a PKCE challenge. Errors are in the query of the site's address.
#[utoipa::path(post, path = "/sso/saml/acs", tag = "sso",
    request_body(content = String, content_type = "application/x-www-form-urlencoded"),
    responses((status = 302), (status = 303, description = "Back to the site, with an error"), (status = 404), (status = 413),
        (status = 429)))]
pub(crate) async fn saml_acs(
    _: Anyone,
    state: web::Data<State>,
    answer: Answer,
    requester: Requester,
    trace: Trace,
) -> Result<HttpResponse, AuthError> {
    let saml = config(&state)?;
    Ok(match finish(&state, saml, &answer, &requester, &trace).await {
        Ok(location) => HttpResponse::Found().insert_header((LOCATION, location)).finish(),
        Err(error) => {
            let refusal = Refusal::Ours(error);
            refusal.log(&state, &requester);
            let location = refusal.in_query(&state.config.site_url, &requester.request_id);
            HttpResponse::SeeOther().insert_header((LOCATION, location)).finish()
        }
    })
}

/// What a response belongs to.
struct Origin {
    provider: SsoProvider,
    /// The stored request; `None` if the identity provider started the flow.
    relay: Option<RelayState>,
    /// The requested redirect target, not checked yet.
    redirect_to: String,
}

/// Signs in the user and returns the redirect.
async fn finish(
    state: &State,
    saml: &SamlConfig,
    answer: &Answer,
    requester: &Requester,
    trace: &Trace,
) -> Result<String, AuthError> {
    let now = timestamp::now(&state.clock);
    let mut origin = origin(state, saml, answer, now).await?;
    let text = document(answer)?;
    let metadata = fresh_metadata(state, &mut origin.provider, now).await?;
    let expected = Expectation {
        provider: &metadata,
        service: &saml.service,
        request_id: origin.relay.as_ref().map(|relay| relay.request_id.as_str()),
        now,
    };
    // DEVIATION (words): the error about an invalid SAML assertion states the reason; GoTrue sends the whole assertion
    // back in a URL.
    let invalid = |invalid: saml::Invalid| {
        AuthError::Saml(SamlError::Invalid(invalid.to_string().chars().take(MAX_REASON).collect()))
    };
    let assertion = saml::read_response(&text, expected).map_err(invalid)?;
    let profile = sign_in::saml::profile(&assertion, &origin.provider.saml)?;
    let provider = format!("sso:{}", origin.provider.id);
    let attempt = Attempt {
        profile: &profile,
        provider: &provider,
        email_optional: false,
        redirect_to: redirects::target(&state.config, [origin.redirect_to.as_str()]),
        id: Uuid::new_v4(),
        now,
    };
    external::before_user_created(state, attempt, requester).await?;
    sign_in(state, attempt, &origin, &assertion, requester, trace).await
}

/// A RelayState that is an id refers to a request. An empty one or an address means that the identity provider started
/// the flow.
async fn origin(state: &State, saml: &SamlConfig, answer: &Answer, now: DateTime<Utc>) -> Result<Origin, AuthError> {
    let relay_state = answer.get("RelayState");
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    if let Some(id) = Uuid::parse_str(relay_state).ok().filter(|id| !id.is_nil()) {
        let found = saml_relay_states::by_id(&db, id).await.or_fault(UNEXPECTED)?;
        let relay = found.ok_or(AuthError::Saml(SamlError::RelayStateNotFound))?;
        // Can be used once, even if the response is invalid.
        if !saml_relay_states::delete(&db, id).await.or_fault(UNEXPECTED)? {
            return Err(AuthError::Saml(SamlError::RelayStateNotFound));
        }
        if now >= after(relay.created_at, saml.relay_state_validity) {
            return Err(AuthError::Saml(SamlError::RelayStateExpired));
        }
        let provider = sso_providers::by_id(&db, relay.provider).await.or_fault(UNEXPECTED)?;
        let provider = enabled(provider.ok_or(AuthError::Saml(SamlError::IdpNotFound))?)?;
        return Ok(Origin { provider, redirect_to: relay.redirect_to.clone(), relay: Some(relay) });
    }
    if !relay_state.is_empty() && !relay_state.starts_with('/') && Url::parse(relay_state).is_err() {
        return Err(AuthError::Saml(SamlError::RelayStateInvalid));
    }
    let text = document(answer)?;
    let issuer = saml::issuer_of_response(&text).map_err(|_| AuthError::Saml(SamlError::NotXml))?;
    let found = sso_providers::by_entity_id(&db, &issuer).await.or_fault(UNEXPECTED)?;
    let provider = enabled(found.ok_or(AuthError::Saml(SamlError::IdpNotFound))?)?;
    Ok(Origin { provider, redirect_to: relay_state.to_owned(), relay: None })
}

fn enabled(provider: SsoProvider) -> Result<SsoProvider, AuthError> {
    if provider.is_enabled() { Ok(provider) } else { Err(AuthError::Saml(SamlError::ProviderOfDomainDisabled)) }
}

/// The XML that the browser brought from the identity provider.
///
/// DEVIATION (missing): SAML's artifact binding is not supported; GoTrue fetches the response that an artifact refers
/// to.
fn document(answer: &Answer) -> Result<String, AuthError> {
    if !answer.get("SAMLart").is_empty() {
        return Err(AuthError::Saml(SamlError::Artifact));
    }
    let mut encoded = answer.get("SAMLResponse").to_owned();
    encoded.retain(|letter| !letter.is_ascii_whitespace());
    if encoded.is_empty() {
        return Err(AuthError::Saml(SamlError::ResponseMissing));
    }
    let bytes = BASE64_STANDARD.decode(encoded).map_err(|_| AuthError::Saml(SamlError::NotBase64))?;
    String::from_utf8(bytes).map_err(|_| AuthError::Saml(SamlError::NotXml))
}

/// The provider's metadata, fetched again if it is stale.
///
/// DEVIATION (behaviour): stale metadata of an identity provider is replaced before a response is validated, so that
/// new keys are accepted at once; GoTrue needs the old keys to fetch the new ones.
async fn fresh_metadata(state: &State, provider: &mut SsoProvider, now: DateTime<Utc>) -> Result<Metadata, AuthError> {
    let read = |text: &str| Metadata::read(text).map_err(AuthError::Saml);
    let known = read(&provider.saml.metadata_xml)?;
    let Some(url) = provider.saml.metadata_url.clone().filter(|url| !url.is_empty()) else { return Ok(known) };
    let fetched = provider.saml.updated_at;
    let over = known.valid_until.is_some_and(|end| now > end);
    let old = known.cache_duration.is_some_and(|duration| now > after(fetched, duration));
    let silent = known.valid_until.is_none() && known.cache_duration.is_none();
    if !(over || old || silent && now > fetched + STALE) {
        return Ok(known);
    }
    if !state.metadata_fetches.may_try(provider.id, now) {
        return Ok(known);
    }
    let found =
        saml_metadata::fetch_metadata(&state.network, state.config.custom_oauth.allow_private_addresses, &url).await;
    let found = found.and_then(|text| Metadata::read(&text).map(|metadata| (text, metadata)));
    match found {
        Ok((text, metadata)) if metadata.entity_id == known.entity_id => {
            let db = state.pool.get().await.or_fault(UNEXPECTED)?;
            sso_providers::set_metadata(&db, provider.id, (&text, &url), now).await.or_fault(UNEXPECTED)?;
            provider.saml.metadata_xml = text;
            Ok(metadata)
        }
        other => {
            // Don't log the address, which may contain a token.
            let reason = match other {
                Ok(_) => "it is that of somebody else".to_owned(),
                Err(SamlError::MetadataFetchStatus(_)) => "the address does not answer with 200".to_owned(),
                Err(error) => error.message(),
            };
            let reason = format!("provider {}: {reason}", provider.id);
            state.events.emit(Event::Outage { name: "SAML metadata", reason: &reason });
            Ok(known)
        }
    }
}

/// Stores all effects of this sign-in in one transaction.
async fn sign_in(
    state: &State,
    attempt: Attempt<'_>,
    origin: &Origin,
    assertion: &Assertion,
    requester: &Requester,
    trace: &Trace,
) -> Result<String, AuthError> {
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    // DEVIATION (safer): a SAML assertion can be used once, even if the identity provider started the flow; GoTrue
    // accepts it for 90 seconds.
    let used = (once(origin.provider.id, &assertion.id), origin.provider.id);
    if !saml_relay_states::use_assertion(&db, used, &assertion.id, attempt.now).await.or_fault(UNEXPECTED)? {
        return Err(AuthError::Saml(SamlError::Replayed));
    }
    let flow = match origin.relay.as_ref().and_then(|relay| relay.flow) {
        None => None,
        Some(id) => {
            // A flow that expects a code must not get a session instead.
            let flow = flow_state::lock(&db, id).await.or_fault(UNEXPECTED)?;
            Some(flow.ok_or(AuthError::External(ExternalError::StateNotFound))?)
        }
    };
    if flow.as_ref().is_some_and(|flow| flow.user_id.is_some()) {
        return Err(AuthError::External(ExternalError::StateUsed));
    }
    let (outcome, dispatch) = match external::sign_in(state, &db, attempt, requester).await? {
        Outcome::SignedIn(signed_in) => {
            let SignedIn { user, is_new, dispatch } = *signed_in;
            let newcomer = is_new.then(|| user.clone());
            let session_end = assertion.session_not_after;
            let given = hand_over(state, &db, flow, user, session_end, (requester, trace), attempt.redirect_to).await?;
            (Ok((given, newcomer)), dispatch)
        }
        Outcome::Refused(error, dispatch) => (Err(error), dispatch),
    };
    let ready = dispatch.hand_over(state, &db, requester).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    drop(connection);
    external::conclude(state, requester, ready, outcome).await
}

/// A code if the flow has a PKCE challenge, else a session.
///
/// DEVIATION (behaviour): the session of a PKCE code ends when the identity provider requires it; GoTrue ignores that,
/// and leaves a second, unused session.
async fn hand_over(
    state: &State,
    db: &Transaction<'_>,
    flow: Option<ExternalFlow>,
    user: User,
    not_after: Option<DateTime<Utc>>,
    (requester, trace): (&Requester, &Trace),
    target: &str,
) -> Result<String, AuthError> {
    if let Some(flow) = &flow {
        if let Some(code) = &flow.auth_code {
            // There is no provider token, so its column holds the end of the session.
            let end = not_after.map(|end| end.to_rfc3339_opts(SecondsFormat::Micros, true)).unwrap_or_default();
            flow_state::complete(db, flow.id, user.id, (&end, ""), timestamp::now(&state.clock))
                .await
                .or_fault(UNEXPECTED)?;
            return Ok(with_code(target, code));
        }
        flow_state::delete(db, flow.id).await.or_fault(UNEXPECTED)?;
    }
    let sign_in = SignIn { not_after, ..AuthenticationMethod::Saml.into() };
    let issued = sessions::issue(state, db, user, sign_in, requester, trace).await?;
    let session = issued.complete_in(state, db, requester).await?;
    Ok(format!("{target}#{}", session.fragment(&[])))
}

/// The id that marks an assertion as used: a hash, because assertion ids can be any string.
fn once(provider: Uuid, assertion: &str) -> Uuid {
    let hash = Sha256::new().chain_update(provider.as_bytes()).chain_update(assertion.as_bytes()).finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    // RFC 9562 section 5.8: a custom UUID.
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

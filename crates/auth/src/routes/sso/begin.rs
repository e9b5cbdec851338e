//! `POST /sso`

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use actix_web::web;
use gateway::Anyone;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use super::config;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, SamlError};
use crate::flows::external;
use crate::model::authentication_method::AuthenticationMethod;
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::outside::captcha;
use crate::protocol::body::{Body, params};
use crate::protocol::saml::{AuthnRequest, Metadata, new_id};
use crate::state::State;
use crate::store::flow_state::{self, NewFlow};
use crate::store::saml_relay_states::{self, RelayState};
use crate::store::sso_providers::{self, SsoProvider};

/// The identity provider and the redirect target.
#[derive(Default, ToSchema)]
pub(crate) struct SsoParams {
    /// The identity provider. Either this or `domain`.
    provider_id: Option<Uuid>,
    /// The part of an e-mail address after the `@`.
    domain: String,
    /// Where the browser is finally redirected, if that is allowed.
    redirect_to: String,
    /// Whether to return the identity provider's URL instead of redirecting.
    skip_http_redirect: Option<bool>,
    /// With `code_challenge_method`: the app gets a code instead of a session in the fragment.
    code_challenge: String,
    /// `s256` or `plain`.
    code_challenge_method: String,
}
params!(SsoParams as "SingleSignOnParams" {
    provider_id: Id, domain: Text, redirect_to: Text, skip_http_redirect: OptionalFlag, code_challenge: Text,
    code_challenge_method: Text,
});

const NO_REQUEST: &str = "Error creating SAML Authentication Request";

/// Sends a user to the identity provider.
#[utoipa::path(post, path = "/sso", tag = "sso", request_body = SsoParams,
    responses((status = 200, description = "`{\"url\": …}`"), (status = 303), (status = 400), (status = 404), (status = 413),
        (status = 429)))]
pub(crate) async fn sso(
    _: Anyone,
    state: web::Data<State>,
    body: Body,
    requester: Requester,
) -> Result<HttpResponse, AuthError> {
    let saml = config(&state)?;
    captcha::check(state.captcha.as_ref(), &requester, &body).await?;
    let params: SsoParams = body.parse()?;
    let provider = provider(&state, &params).await?;
    let challenge = external::challenge(&params.code_challenge, &params.code_challenge_method)?;
    let metadata = Metadata::read(&provider.saml.metadata_xml);
    let metadata = metadata.map_err(|error| AuthError::internal(NO_REQUEST, error.message()))?;
    let destination = metadata.sign_in_url.ok_or_else(|| {
        AuthError::internal(NO_REQUEST, "the identity provider has no SingleSignOnService by the redirect binding")
    })?;
    let now = timestamp::now(&state.clock);
    let relay = RelayState {
        id: Uuid::new_v4(),
        provider: provider.id,
        request_id: new_id(),
        redirect_to: params.redirect_to,
        flow: Some(Uuid::new_v4()),
        created_at: now,
    };
    let request = AuthnRequest {
        id: &relay.request_id,
        destination: &destination,
        name_id_format: provider.saml.name_id_format.as_deref(),
        issued_at: now,
    };
    let url = request.redirect(&saml.service, relay.id).map_err(|error| AuthError::internal(NO_REQUEST, error))?;
    let flow = NewFlow {
        id: relay.flow.unwrap_or_default(),
        provider_type: AuthenticationMethod::Saml.as_str(),
        method: AuthenticationMethod::Saml,
        challenge: challenge.as_ref(),
        invite_token: "",
        referrer: &relay.redirect_to,
        client_state: None,
        linking_target: None,
        email_optional: false,
    };
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    flow_state::insert_external(&db, flow, now).await.or_fault("Error creating flow state")?;
    saml_relay_states::insert(&db, &relay).await.or_fault("Error creating SAML relay state from sign up")?;
    db.commit().await.or_fault(UNEXPECTED)?;
    if params.skip_http_redirect == Some(true) {
        return Ok(HttpResponse::Ok().json(json!({ "url": url })));
    }
    Ok(HttpResponse::SeeOther().insert_header((LOCATION, url)).finish())
}

/// The named provider, or the provider of a domain.
async fn provider(state: &State, params: &SsoParams) -> Result<SsoProvider, AuthError> {
    let id = params.provider_id.filter(|id| !id.is_nil());
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    let (found, unknown) = match (id, params.domain.as_str()) {
        (Some(_), domain) if !domain.is_empty() => return Err(AuthError::Saml(SamlError::ProviderOrDomain)),
        (Some(id), _) => (sso_providers::by_id(&db, id).await, SamlError::NoSuchProvider),
        (None, "") => return Err(AuthError::Saml(SamlError::ProviderMissing)),
        (None, domain) => (sso_providers::by_domain(&db, domain).await, SamlError::NoProviderOfDomain),
    };
    let found = found.or_fault("Unable to find SSO provider")?.ok_or(AuthError::Saml(unknown))?;
    if found.is_enabled() { Ok(found) } else { Err(AuthError::Saml(SamlError::ProviderDisabled)) }
}

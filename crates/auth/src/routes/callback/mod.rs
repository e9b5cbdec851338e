//! `GET /callback` and `POST /callback`
//!
//! Source: supabase/auth, `internal/api/external.go` and `external_oauth.go`; RFC 6749 section 4.1.2.

mod answer;
mod finish;
mod refusal;

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use actix_web::web;
use gateway::Anyone;

use crate::error::AuthError;
use crate::model::requester::Requester;
use crate::model::trace::Trace;
use crate::state::State;
pub(super) use answer::Answer;
pub(super) use refusal::Refusal;

/// A user comes back from an external provider. Signs them in and redirects to the app: with a session in the fragment,
/// with a code if the flow has a PKCE challenge, or with the error in both query and fragment.
#[utoipa::path(get, path = "/callback", tag = "external",
    params(("state" = String, Query), ("code" = Option<String>, Query), ("error" = Option<String>, Query),
        ("error_description" = Option<String>, Query)),
    responses((status = 302), (status = 303, description = "The state is unknown: back to the site, with an error")))]
pub(crate) async fn callback(
    _: Anyone,
    state: web::Data<State>,
    answer: Answer,
    requester: Requester,
    trace: Trace,
) -> Result<HttpResponse, AuthError> {
    Ok(finish(&state, &answer, &requester, &trace).await)
}

/// The same for providers that use POST.
#[utoipa::path(post, path = "/callback", tag = "external", request_body(content = String,
        content_type = "application/x-www-form-urlencoded"),
    responses((status = 302), (status = 303, description = "The state is unknown: back to the site, with an error"),
        (status = 400), (status = 413)))]
pub(crate) async fn callback_post(
    _: Anyone,
    state: web::Data<State>,
    answer: Answer,
    requester: Requester,
    trace: Trace,
) -> Result<HttpResponse, AuthError> {
    Ok(finish(&state, &answer, &requester, &trace).await)
}

async fn finish(state: &State, answer: &Answer, requester: &Requester, trace: &Trace) -> HttpResponse {
    let flow = match finish::flow(state, answer).await {
        Ok(flow) => flow,
        Err(error) => {
            let refusal = Refusal::Ours(error);
            refusal.log(state, requester);
            let target = refusal.in_query(&state.config.site_url, &requester.request_id);
            return HttpResponse::SeeOther().insert_header((LOCATION, target)).finish();
        }
    };
    let config = &state.config;
    let target = match (config.external.redirect_url.as_str(), flow.referrer.as_str()) {
        ("", "") => &config.site_url,
        ("", asked) => asked,
        (always, _) => always,
    };
    let location = match finish::finish(state, &flow, answer, requester, trace, target).await {
        Ok(location) => location,
        Err(refusal) => {
            refusal.log(state, requester);
            refusal.in_both(target, &requester.request_id)
        }
    };
    HttpResponse::Found().insert_header((LOCATION, location)).finish()
}

//! `GET /verify`: the link in a mail.

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use actix_web::web;
use gateway::Anyone;

use super::redirect::{self, Flow};
use super::{HALF_WAY, Visitor, scanner};
use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::fault_log::log;
use crate::flows::one_time_tokens::PKCE_PREFIX;
use crate::flows::sessions;
use crate::flows::verification::{self, Proof, Purpose, Verified};
use crate::model::authentication_method::AuthenticationMethod;
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::model::trace::Trace;
use crate::state::State;
use crate::store::flow_state;

/// Uses up the link and redirects to the app: with a session in the fragment, with a code if the flow has a PKCE
/// challenge, or with the error.
///
/// DEVIATION (behaviour): link scanners and prefetching browsers do not use up the link; they get a page with a button.
#[utoipa::path(get, path = "/verify", tag = "session",
    params(("token" = String, Query, description = "The hash from the link"), ("type" = String, Query),
        ("redirect_to" = Option<String>, Query)),
    responses((status = 200, description = "For link scanners: a page with a button"), (status = 303), (status = 400),
        (status = 429)))]
pub(crate) async fn follow(
    _: Anyone,
    state: web::Data<State>,
    visitor: Visitor,
    requester: Requester,
    trace: Trace,
) -> Result<HttpResponse, AuthError> {
    match visitor {
        Visitor::Person => follow_for(&state, &requester, &trace).await,
        Visitor::Scanner(query) => Ok(scanner::page(&state, &query)),
    }
}

/// A link with checked parameters.
struct Link {
    kind: String,
    token: String,
    redirect_to: String,
    flow: Flow,
}

pub(super) async fn follow_for(state: &State, requester: &Requester, trace: &Trace) -> Result<HttpResponse, AuthError> {
    let (kind, token) = (requester.parameter("type"), requester.parameter("token"));
    if kind.is_empty() {
        return Err(AuthError::VerifyType);
    }
    if token.is_empty() {
        return Err(AuthError::VerifyToken);
    }
    let flow = if token.starts_with(PKCE_PREFIX) { Flow::Pkce } else { Flow::Implicit };
    let link = Link { kind, token, redirect_to: requester.redirect_to(&state.config), flow };
    let target = match use_up(state, &link, requester, trace).await {
        Ok(target) => target,
        Err(error) => {
            log(state, &error, &requester.request_id);
            redirect::with_error(&link.redirect_to, &error, link.flow)
        }
    };
    Ok(HttpResponse::SeeOther().insert_header((LOCATION, target)).finish())
}

async fn use_up(state: &State, link: &Link, requester: &Requester, trace: &Trace) -> Result<String, AuthError> {
    let now = timestamp::now(&state.clock);
    let purpose = match Purpose::named(&link.kind) {
        Some(Purpose::Sms | Purpose::PhoneChange) => None,
        purpose => purpose,
    };
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let proof = Proof::Hash(link.token.clone());
    let audience = requester.audience(&state.config);
    let (user, dispatch) = match verification::verify(state, &db, purpose, &proof, audience, now).await? {
        Verified::User(user, dispatch) => (user, dispatch),
        Verified::HalfWay => {
            db.commit().await.or_fault(UNEXPECTED)?;
            return Ok(redirect::with_message(&link.redirect_to, HALF_WAY, link.flow));
        }
    };
    let target = match link.flow {
        Flow::Implicit => {
            let issued = sessions::issue(state, &db, *user, AuthenticationMethod::Otp, requester, trace).await?;
            let session = issued.complete_in(state, &db, requester).await?;
            format!("{}#{}", link.redirect_to, session.fragment(&[("type", &link.kind)]))
        }
        Flow::Pkce => {
            let method = AuthenticationMethod::of_link(&link.kind).ok_or(AuthError::VerifyTypeUnsupported)?;
            let code = flow_state::issue_code(&db, user.id, method.as_str(), now).await.or_fault(UNEXPECTED)?;
            redirect::with_code(&link.redirect_to, &code.ok_or(AuthError::FlowStateMissing)?)
        }
    };
    let ready = dispatch.hand_over(state, &db, requester).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    ready.send(state).await?;
    Ok(target)
}

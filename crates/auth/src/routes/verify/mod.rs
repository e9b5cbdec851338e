//! `GET /verify` and `POST /verify`
//!
//! Source: supabase/auth, `internal/api/verify.go`.

mod link;
pub(crate) mod redirect;
mod scanner;

use actix_web::HttpResponse;
use actix_web::web;
use gateway::Anyone;
use serde_json::json;
use utoipa::ToSchema;

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::limits::{self, Guess, Subject};
use crate::flows::sessions;
use crate::flows::tokens::TokenBody;
use crate::flows::verification::{self, Proof, Purpose, Verified};
use crate::model::authentication_method::AuthenticationMethod;
use crate::model::client::Client;
use crate::model::requester::Requester;
use crate::model::trace::Trace;
use crate::model::{addresses, timestamp};
use crate::protocol::body::{Body, params};
use crate::state::State;

pub(crate) use link::{__path_follow, follow};
use scanner::Visitor;

/// The message of both answers when one of two addresses has confirmed.
const HALF_WAY: &str = "Confirmation link accepted. Please proceed to confirm link sent to the other email";

/// A code with the address it was sent to, or the hash from a link.
#[derive(Default, ToSchema)]
pub(crate) struct VerifyParams {
    /// `signup`, `invite`, `magiclink`, `recovery`, `email_change`, `email`, `sms` or `phone_change`.
    r#type: String,
    token: String,
    token_hash: String,
    email: String,
    phone: String,
    redirect_to: String,
}
params!(VerifyParams as "VerifyParams" {
    r#type: Text, token: Text, token_hash: Text, email: Text, phone: Text, redirect_to: Text,
});

/// Exchanges a code for a session. If only one of two addresses of a change has confirmed, the answer says so instead.
///
/// A form comes from the button on the page for link scanners: it follows the link in the query.
#[utoipa::path(post, path = "/verify", tag = "session", request_body = VerifyParams,
    responses((status = 200, body = TokenBody), (status = 303), (status = 400), (status = 403), (status = 413),
        (status = 422), (status = 429)))]
pub(crate) async fn verify(
    _: Anyone,
    state: web::Data<State>,
    body: Body,
    requester: Requester,
    trace: Trace,
) -> Result<HttpResponse, AuthError> {
    if body.is_form() && !requester.parameter("token").is_empty() {
        return link::follow_for(&state, &requester, &trace).await;
    }
    let params: VerifyParams = body.parse()?;
    let (purpose, proof) = read(params)?;
    let guess = count(&state, &proof, requester.client)?;
    let now = timestamp::now(&state.clock);
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let audience = requester.audience(&state.config);
    let verified = verification::verify(&state, &db, purpose, &proof, audience, now).await?;
    if let Some(guess) = guess {
        guess.was_right(&state);
    }
    let (user, dispatch) = match verified {
        Verified::User(user, dispatch) => (user, dispatch),
        Verified::HalfWay => {
            db.commit().await.or_fault(UNEXPECTED)?;
            return Ok(HttpResponse::Ok().json(json!({ "code": "200", "msg": HALF_WAY })));
        }
    };
    let issued = sessions::issue(&state, &db, *user, AuthenticationMethod::Otp, &requester, &trace).await?;
    let ready = dispatch.hand_over(&state, &db, &requester).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    drop(connection);
    ready.send(&state).await?;
    Ok(HttpResponse::Ok().json(issued.complete(&state, &requester).await?))
}

/// Counts a typed code against its address, before it is compared. The hash of a link names no address, and nobody can
/// compute one without our key; like every request it counts against its client.
///
/// DEVIATION (stricter): for the codes of one address, one client may try 10 in an hour, and all clients together one
/// in ten thousand (100 of six digits); a client that requested a code may try five more, at most four times in an
/// hour. GoTrue counts only by client, so many clients together can try all codes.
fn count(state: &State, proof: &Proof, client: Client) -> Result<Option<Guess>, AuthError> {
    let subject = match proof {
        Proof::Hash(_) => return Ok(None),
        Proof::Mailed { email, .. } => Subject::email(&state.config, email),
        Proof::Messaged { phone, .. } => Subject::phone(&state.config, phone),
    };
    limits::guess(state, &subject, client).map(Some)
}

/// Checks the parameters, in GoTrue's order.
fn read(params: VerifyParams) -> Result<(Option<Purpose>, Proof), AuthError> {
    if params.r#type.is_empty() {
        return Err(AuthError::VerifyType);
    }
    if params.token.is_empty() == params.token_hash.is_empty() {
        return Err(AuthError::VerifyTokenOrHash);
    }
    let purpose = Purpose::named(&params.r#type);
    if params.token.is_empty() {
        if [&params.email, &params.phone, &params.redirect_to].into_iter().any(|text| !text.is_empty()) {
            return Err(AuthError::VerifyHashOnly);
        }
        return Ok((purpose, Proof::Hash(params.token_hash)));
    }
    let proof = match (params.email.as_str(), params.phone.as_str()) {
        ("", phone) if !phone.is_empty() => Proof::Messaged { phone: addresses::phone(phone)?, code: params.token },
        (email, "") if !email.is_empty() => {
            let email = addresses::email(email).map_err(|_| AuthError::VerifyEmailInvalid)?;
            Proof::Mailed { email, code: params.token }
        }
        _ => return Err(AuthError::VerifyEmailOrPhone),
    };
    Ok((purpose, proof))
}

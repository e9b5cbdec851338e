//! `POST /oauth/authorizations/{authorization_id}/consent`

use actix_web::web::{self, Json, Path};
use utoipa::ToSchema;

use super::authorization::{AuthorizationBody, approve, open};
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, OAuthServerError};
use crate::flows::first_party::FirstParty;
use crate::flows::oauth_server::{AppOrigin, WhileOn};
use crate::flows::sessions::current;
use crate::model::oauth_authorization::Status;
use crate::model::scopes::Scopes;
use crate::model::timestamp;
use crate::protocol::body::{Body, params};
use crate::state::State;
use crate::store::{oauth_authorizations, oauth_consents};

/// The user's decision.
#[derive(Default, ToSchema)]
pub(crate) struct ConsentBody {
    /// `approve` or `deny`
    action: String,
}
params!(ConsentBody as "ConsentRequest" { action: Text });

/// Stores the decision of the user who opened the request.
#[utoipa::path(post, path = "/oauth/authorizations/{authorization_id}/consent", tag = "oauth",
    security(("user" = [])), params(("authorization_id" = String, Path)), request_body = ConsentBody,
    responses((status = 200, body = AuthorizationBody), (status = 400), (status = 401), (status = 403), (status = 404),
        (status = 413)))]
pub(crate) async fn consent(
    who: WhileOn<FirstParty>,
    state: web::Data<State>,
    _: AppOrigin,
    authorization_id: Path<String>,
    body: Body,
) -> Result<Json<AuthorizationBody>, AuthError> {
    let refused = |error| Err(AuthError::OAuthServer(error));
    let user = current(&state, &who.0).await?.user;
    let Ok(params) = body.parse_first::<ConsentBody>() else { return refused(OAuthServerError::ConsentJson) };
    let is_allowed = match params.action.as_str() {
        "approve" => true,
        "deny" => false,
        _ => return refused(OAuthServerError::ConsentAction),
    };
    let now = timestamp::now(&state.clock);
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let Some(asked) = open(&db, &authorization_id, now).await? else {
        db.commit().await.or_fault(UNEXPECTED)?;
        return refused(OAuthServerError::AuthorizationNotFound);
    };
    if asked.status != Status::Pending {
        return refused(OAuthServerError::ConsentSpent);
    }
    if asked.user_id != Some(user.id) {
        return refused(OAuthServerError::AuthorizationNotFound);
    }
    let redirect_url = if is_allowed {
        let scopes = Scopes(&asked.scope);
        oauth_consents::grant(&db, user.id, asked.client_id, scopes, now).await.or_fault("error storing consent")?;
        approve(&db, &asked, now).await?
    } else {
        let denied = oauth_authorizations::set_status(&db, asked.id, Status::Denied).await;
        denied.or_fault("error denying authorization")?;
        asked.denied()
    };
    db.commit().await.or_fault(UNEXPECTED)?;
    Ok(Json(AuthorizationBody::Decided { redirect_url }))
}

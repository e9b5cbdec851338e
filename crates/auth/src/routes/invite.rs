//! `POST /invite`
//!
//! Source: supabase/auth, `internal/api/invite.go`.

use actix_web::web::Json;
use pg::pool::Transaction;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::administrator::{AdminToken, Administrator};
use crate::flows::audit::{self, Action};
use crate::flows::new_user;
use crate::flows::{hooks, one_time_tokens};
use crate::model::account::{Metadata, User, UserBody};
use crate::model::address::Address;
use crate::model::requester::Requester;
use crate::model::{addresses, timestamp};
use crate::protocol::body::{Body, params};
use crate::store::users::{self, Existence};

/// The user to invite.
#[derive(Default, ToSchema)]
pub(crate) struct InviteParams {
    email: String,
    /// Becomes `user_metadata`.
    #[schema(value_type = Option<Object>)]
    data: Option<serde_json::Map<String, Value>>,
}
params!(InviteParams as "InviteParams" { email: Text, data: Object });

/// Creates an account and mails an invitation. Repeats the mail if the invitation has not been accepted yet.
#[utoipa::path(post, path = "/invite", tag = "admin", security(("admin" = [])), request_body = InviteParams,
    params(("redirect_to" = Option<String>, Query, description = "Where the link leads in the end")),
    responses((status = 200, body = UserBody), (status = 400), (status = 401), (status = 403), (status = 409), (status = 413),
        (status = 422), (status = 429)))]
pub(crate) async fn invite(token: AdminToken, body: Body, requester: Requester) -> Result<Json<UserBody>, AuthError> {
    let admin = token.enter().await?;
    let state = admin.state();
    let params: InviteParams = body.parse()?;
    let email = addresses::email(&params.email)?;
    let audience = requester.audience(&state.config);
    let now = timestamp::now(&state.clock);
    let found = {
        let connection = state.pool.get().await.or_fault(UNEXPECTED)?;
        users::by_email(&connection, &email, audience).await.or_fault("Database error finding user")?
    };
    let data = params.data.unwrap_or_default();
    let new = User { id: Uuid::new_v4(), email, aud: audience.to_owned(), user_metadata: data, ..User::default() };
    if found.is_none() {
        before_user_created(&admin, &new, &requester).await?;
    }
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let mut user = match found {
        Some(user) if user.email_confirmed_at.is_some() => return Err(AuthError::EmailExists),
        Some(user) => user,
        None => create(&admin, &db, new, "").await?,
    };
    audit::record(state, &db, admin.actor(), Action::UserInvited, invited(&user)).await?;
    let redirect_to = requester.redirect_to(&state.config);
    let dispatch = one_time_tokens::request_invitation(state, &db, &mut user, &redirect_to, now).await?;
    let ready = dispatch.hand_over(state, &db, &requester).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    drop(connection);
    ready.send(state).await?;
    hooks::after_user_created(state, &requester, &user).await?;
    Ok(Json(user.into()))
}

/// The details of an invitation in the audit log.
pub(super) fn invited(user: &User) -> Value {
    json!({ "user_email": user.email, "user_id": user.id })
}

/// Calls the hook before-user-created.
pub(super) async fn before_user_created(
    admin: &Administrator,
    new: &User,
    requester: &Requester,
) -> Result<(), AuthError> {
    let address = Address::Email(new.email.clone());
    let newcomer = new_user::newcomer(new.id, Some(&address), &new.aud, &new.user_metadata);
    hooks::before_user_created(admin.state(), requester, &newcomer).await
}

/// Creates an account for an administrator, with an identity that contains only the address.
pub(super) async fn create(
    admin: &Administrator,
    db: &Transaction<'_>,
    new: User,
    password_hash: &str,
) -> Result<User, AuthError> {
    let state = admin.state();
    let now = timestamp::now(&state.clock);
    let address = Address::Email(new.email.clone());
    let (mut user, _) = new_user::insert(state, db, Some(&address), password_hash, new, Existence::Real, now).await?;
    user.identities = vec![new_user::add_identity(db, &user, &address, &Metadata::new(), now).await?];
    Ok(user)
}

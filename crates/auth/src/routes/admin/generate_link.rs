//! `POST /admin/generate_link`
//!
//! Source: supabase/auth, `internal/api/mail.go`.

use actix_web::web::Json;
use chrono::{DateTime, Utc};
use pg::pool::Transaction;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::administrator::{AdminToken, Administrator};
use crate::flows::audit::{self, Action};
use crate::flows::one_time_tokens::new_code;
use crate::flows::{hooks, passwords};
use crate::model::account::{Metadata, User, UserBody, merge};
use crate::model::email_kind::EmailKind;
use crate::model::requester::Requester;
use crate::model::{addresses, redirects, timestamp};
use crate::outside::mail::links;
use crate::outside::turns::Turn;
use crate::protocol::body::{Body, params};
use crate::routes::invite;
use crate::state::State;
use crate::store::one_time_tokens::{self, Kind};
use crate::store::users::{self, Slot};

/// The kind of link and its recipient.
#[derive(Default, ToSchema)]
pub(crate) struct GenerateLinkParams {
    /// `signup`, `invite`, `magiclink`, `recovery`, `email_change_current` or `email_change_new`.
    r#type: String,
    email: String,
    /// For a change of address.
    new_email: String,
    /// For `signup`.
    password: String,
    /// For `signup` and `invite`.
    #[schema(value_type = Option<Object>)]
    data: Option<serde_json::Map<String, Value>>,
    redirect_to: String,
}
params!(GenerateLinkParams as "GenerateLinkParams" {
    r#type: Text, email: Text, new_email: Text, password: Text, data: Object, redirect_to: Text,
});

/// The user and the link, which is not mailed.
#[derive(Serialize, ToSchema)]
pub(crate) struct GenerateLinkBody {
    #[serde(flatten)]
    user: UserBody,
    action_link: String,
    /// The code that can be used instead of the link.
    email_otp: String,
    /// The `token_hash` for `POST /verify`.
    hashed_token: String,
    verification_type: String,
    redirect_to: String,
}

/// The kinds of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Signup,
    Invite,
    MagicLink,
    Recovery,
    EmailChangeCurrent,
    EmailChangeNew,
}

/// A new code with the values to store.
struct Made {
    what: What,
    code: String,
    /// The hash of the code with the current address.
    token: String,
    new_email: String,
    now: DateTime<Utc>,
}

/// Creates a link for a project that sends its own mails. A magic link creates the account if there is none.
#[utoipa::path(post, path = "/admin/generate_link", tag = "admin", security(("admin" = [])),
    request_body = GenerateLinkParams,
    responses((status = 200, body = GenerateLinkBody), (status = 400), (status = 401), (status = 403), (status = 404),
        (status = 413), (status = 422), (status = 429)))]
pub(crate) async fn generate_link(
    token: AdminToken,
    body: Body,
    requester: Requester,
) -> Result<Json<GenerateLinkBody>, AuthError> {
    let admin = token.enter().await?;
    let state = admin.state();
    let params: GenerateLinkParams = body.parse()?;
    let email = addresses::email(&params.email)?;
    let redirect_to = match redirects::is_allowed(&state.config, &params.redirect_to) {
        true => params.redirect_to.clone(),
        false => requester.redirect_to(&state.config),
    };
    let audience = requester.audience(&state.config);
    let now = timestamp::now(&state.clock);
    let found = {
        let db = state.pool.get().await.or_fault(UNEXPECTED)?;
        users::by_email(&db, &email, audience).await.or_fault("Database error finding user")?
    };
    let what = What::named(&params.r#type);
    let (what, password_hash) = match (what, &found) {
        (Some(What::MagicLink), None) => (What::Signup, String::new()),
        (Some(What::Signup), None) => (What::Signup, password(state, &params.password).await?),
        (Some(What::Recovery | What::EmailChangeCurrent | What::EmailChangeNew), None) => {
            return Err(AuthError::LinkUserNotFound);
        }
        (Some(What::Signup | What::Invite), Some(user)) if user.email_confirmed_at.is_some() => {
            return Err(AuthError::EmailExists);
        }
        (Some(what), _) => (what, String::new()),
        (None, _) => return Err(AuthError::LinkType(params.r#type)),
    };
    let code = new_code(state.config.mailer.otp_length);
    let mut made = Made { what, token: state.codes.token(&email, &code, None), code, new_email: params.new_email, now };
    let data = params.data.unwrap_or_default();
    let is_new = found.is_none();
    let new =
        User { id: Uuid::new_v4(), email, aud: audience.to_owned(), user_metadata: data.clone(), ..User::default() };
    if is_new {
        invite::before_user_created(&admin, &new, &requester).await?;
    }
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let mut user = match found {
        None => invite::create(&admin, &db, new, &password_hash).await?,
        Some(user) if what == What::Signup => with_data(&db, user, data, now).await?,
        Some(user) => user,
    };
    record(&admin, &db, &user, what).await?;
    let token = store(state, &db, &mut user, &mut made, audience).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    drop(connection);
    if is_new {
        hooks::after_user_created(state, &requester, &user).await?;
    }
    Ok(Json(GenerateLinkBody {
        user: user.into(),
        action_link: links::verify(&state.config, what.mail(), what.verification(), &token, &redirect_to),
        email_otp: made.code,
        hashed_token: made.token,
        verification_type: what.name().to_owned(),
        redirect_to,
    }))
}

async fn password(state: &State, password: &str) -> Result<String, AuthError> {
    if password.is_empty() {
        return Err(AuthError::PasswordRequired);
    }
    passwords::check(state, password).await?;
    state.hasher.hash(password, Turn::ADMINISTRATOR).await
}

async fn with_data(
    db: &Transaction<'_>,
    mut user: User,
    data: Metadata,
    now: DateTime<Utc>,
) -> Result<User, AuthError> {
    merge(&mut user.user_metadata, data);
    user.updated_at = now;
    users::set_metadata(db, &user).await.or_fault("Database error updating user")?;
    Ok(user)
}

async fn record(admin: &Administrator, db: &Transaction<'_>, user: &User, what: What) -> Result<(), AuthError> {
    let state = admin.state();
    match what {
        What::MagicLink | What::Recovery => {
            audit::record(state, db, user, Action::UserRecoveryRequested, Value::Null).await
        }
        What::Invite => audit::record(state, db, admin.actor(), Action::UserInvited, invite::invited(user)).await,
        What::Signup | What::EmailChangeCurrent | What::EmailChangeNew => Ok(()),
    }
}

/// Stores the code; returns the hash in the link.
async fn store(
    state: &State,
    db: &Transaction<'_>,
    user: &mut User,
    made: &mut Made,
    audience: &str,
) -> Result<String, AuthError> {
    let (now, token) = (made.now, made.token.clone());
    let (slot, kind) = match made.what {
        What::Signup => (Slot::Confirmation, Kind::Confirmation),
        What::Invite => (Slot::Invitation, Kind::Confirmation),
        What::MagicLink | What::Recovery => (Slot::Recovery, Kind::Recovery),
        What::EmailChangeCurrent | What::EmailChangeNew => {
            return store_email_change(state, db, user, made, audience).await;
        }
    };
    users::set_token(db, user.id, slot, &token, now).await.or_fault(UNEXPECTED)?;
    one_time_tokens::replace(db, user.id, kind, &token, &user.email, now).await.or_fault(UNEXPECTED)?;
    match slot {
        Slot::Recovery => user.recovery_sent_at = Some(now),
        _ => user.confirmation_sent_at = Some(now),
    }
    if made.what == What::Invite {
        user.invited_at = Some(now);
    }
    user.updated_at = now;
    Ok(token)
}

async fn store_email_change(
    state: &State,
    db: &Transaction<'_>,
    user: &mut User,
    made: &mut Made,
    audience: &str,
) -> Result<String, AuthError> {
    let config = &state.config;
    let is_current = made.what == What::EmailChangeCurrent;
    if is_current && !config.mailer.secure_email_change_enabled {
        return Err(AuthError::LinkNeedsBoth);
    }
    let email = addresses::email(&made.new_email)?;
    let other = users::by_taken_email(db, &email, audience, Some(user.id), &config.isolated_providers()).await;
    if other.or_fault("Database error checking email")?.is_some() {
        return Err(AuthError::EmailExists);
    }
    let (token, kind, relates_to) = if is_current {
        user.email_change_token_current.clone_from(&made.token);
        (made.token.clone(), Kind::EmailChangeCurrent, user.email.clone())
    } else {
        // DEVIATION (behaviour): `hashed_token` of a generated `email_change_new` link is the hash in the link; GoTrue
        // returns a hash that is not accepted anywhere.
        made.token = state.codes.token(&email, &made.code, None);
        user.email_change_token_new.clone_from(&made.token);
        (made.token.clone(), Kind::EmailChangeNew, email.clone())
    };
    let (new, current) = (&user.email_change_token_new, &user.email_change_token_current);
    users::request_email_change(db, user.id, &email, new, current, made.now).await.or_fault(UNEXPECTED)?;
    one_time_tokens::replace(db, user.id, kind, &token, &relates_to, made.now).await.or_fault(UNEXPECTED)?;
    user.email_change = email;
    user.email_change_sent_at = Some(made.now);
    user.updated_at = made.now;
    Ok(token)
}

impl What {
    fn named(name: &str) -> Option<Self> {
        let all = [
            What::Signup,
            What::Invite,
            What::MagicLink,
            What::Recovery,
            What::EmailChangeCurrent,
            What::EmailChangeNew,
        ];
        all.into_iter().find(|what| what.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            What::Signup => "signup",
            What::Invite => "invite",
            What::MagicLink => "magiclink",
            What::Recovery => "recovery",
            What::EmailChangeCurrent => "email_change_current",
            What::EmailChangeNew => "email_change_new",
        }
    }

    /// The `type` for `GET /verify`.
    fn verification(self) -> &'static str {
        match self {
            What::EmailChangeCurrent | What::EmailChangeNew => "email_change",
            other => other.name(),
        }
    }

    /// The kind of mail that would carry the link.
    fn mail(self) -> EmailKind {
        match self {
            What::Signup => EmailKind::Confirmation,
            What::Invite => EmailKind::Invite,
            What::MagicLink => EmailKind::MagicLink,
            What::Recovery => EmailKind::Recovery,
            What::EmailChangeCurrent | What::EmailChangeNew => EmailKind::EmailChange,
        }
    }
}

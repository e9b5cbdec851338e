//! `POST /token?grant_type=password`
//!
//! Source: supabase/auth, `internal/api/token.go`.

use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::audit::{self, Action};
use crate::flows::tokens::TokenBody;
use crate::flows::{hooks, passwords, sessions};
use crate::model::account::User;
use crate::model::address::Address;
use crate::model::authentication_method::AuthenticationMethod;
use crate::model::requester::Requester;
use crate::model::trace::Trace;
use crate::model::{addresses, timestamp};
use crate::outside::turns::Turn;
use crate::protocol::body::params;
use crate::state::State;
use crate::store::{sessions as stored_sessions, users};

/// A password with an e-mail address or phone number.
#[derive(Default, ToSchema)]
pub(crate) struct PasswordGrant {
    email: String,
    phone: String,
    password: String,
}
params!(PasswordGrant as "PasswordGrantParams" { email: Text, phone: Text, password: Text });

/// Signs a user in.
///
/// DEVIATION (safer): a ban is only reported if the password is right; GoTrue reports it to everyone.
pub(super) async fn grant(
    state: &State,
    params: PasswordGrant,
    requester: &Requester,
    trace: &Trace,
) -> Result<TokenBody, AuthError> {
    let address = address(state, &params)?;
    let audience = requester.audience(&state.config);
    let account = passwords::account(&address, audience);
    let has_session = has_session_from(state, &address, audience, requester);
    let attempt = state.guesses.begin(account, requester.client, has_session).await?;
    let user = find(state, &address, audience).await?;
    let stored = user.as_ref().map(|user| passwords::open(state, user)).transpose()?.flatten();
    let hash = stored.as_ref().map(|stored| stored.value.reveal().as_str());
    let turn = Turn { client: requester.client, account, known: attempt.known };
    let right = state.hasher.verify(&params.password, hash, turn).await?;
    if right {
        attempt.succeeded();
    }
    if let Some(user) = user.as_ref().filter(|user| user.password_hash().is_some()) {
        hooks::check_password_attempt(state, requester, user.id, right).await?;
    }
    let user = user.filter(|_| right).ok_or(AuthError::InvalidCredentials)?;
    let now = timestamp::now(&state.clock);
    if user.is_banned(now) {
        return Err(AuthError::LoginBanned);
    }
    match &address {
        Address::Email(_) if user.email_confirmed_at.is_none() => return Err(AuthError::EmailNotConfirmed),
        Address::Phone(_) if user.phone_confirmed_at.is_none() => return Err(AuthError::PhoneNotConfirmed),
        _ => {}
    }
    let weakness = match passwords::check(state, &params.password).await {
        Err(AuthError::WeakPassword(weakness)) => weakness.to_json(),
        _ => Value::Null,
    };
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let traits = json!({ "provider": address.provider() });
    if let Some(stale) = stored.filter(|stored| stored.is_stale) {
        let sealed = passwords::seal(state, user.id, stale.value.reveal());
        users::replace_password_hash(&db, user.id, &sealed).await.or_fault(UNEXPECTED)?;
    }
    audit::record(state, &db, &user, Action::Login, traits).await?;
    let issued = sessions::issue(state, &db, user, AuthenticationMethod::Password, requester, trace).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    drop(connection);
    let body = issued.complete(state, requester).await?;
    Ok(body.with_weak_password(weakness))
}

fn address(state: &State, params: &PasswordGrant) -> Result<Address, AuthError> {
    match (params.email.as_str(), params.phone.as_str()) {
        ("", "") => Err(AuthError::LoginAddressMissing),
        (email, "") if state.config.external.email_enabled => Ok(Address::Email(email.to_owned())),
        (_, "") => Err(AuthError::EmailLoginDisabled),
        ("", phone) if state.config.external.phone_enabled => Ok(Address::Phone(addresses::plain_phone(phone))),
        ("", _) => Err(AuthError::PhoneLoginDisabled),
        _ => Err(AuthError::LoginEmailOrPhone),
    }
}

/// True if a session of the account was last used in the client's network. An unknown account takes the same
/// statements.
async fn has_session_from(
    state: &State,
    address: &Address,
    audience: &str,
    requester: &Requester,
) -> Result<bool, AuthError> {
    let Some(network) = requester.client.network(requester.ip) else { return Ok(false) };
    let user = find(state, address, audience).await?.map_or_else(Uuid::nil, |user| user.id);
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    stored_sessions::used_in(&db, user, &network).await.or_fault(UNEXPECTED)
}

async fn find(state: &State, address: &Address, audience: &str) -> Result<Option<User>, AuthError> {
    const FAILED: &str = "Database error querying schema";
    let db = state.pool.get().await.or_fault(FAILED)?;
    match address {
        Address::Email(email) => users::by_email(&db, email, audience).await,
        Address::Phone(phone) => users::by_phone(&db, phone, audience).await,
    }
    .or_fault(FAILED)
}

//! `POST /token?grant_type=web3`
//!
//! Source: supabase/auth, `internal/api/web3.go`.

use chrono::{DateTime, Utc};
use pg::OnConstraint;
use pg::pool::Transaction;
use serde_json::json;
use uuid::Uuid;

use crate::State;
use crate::account::{User, merge};
use crate::audit::{self, Action};
use crate::body::{Body, params};
use crate::error::AuthError;
use crate::fault::{OrFault, UNEXPECTED};
use crate::hooks;
use crate::oauth_error::OAuthError;
use crate::requester::Requester;
use crate::sessions::{self, AuthenticationMethod};
use crate::signup;
use crate::store::users::{Existence, NewUser};
use crate::store::{identities, users};
use crate::timestamp;
use crate::tokens::TokenBody;
use crate::web3::{self, Chain, Signature, SignedMessage, Web3Error};
use crate::wire::Trace;

const PROVIDER: &str = "web3";
/// How long a message may be, in bytes.
const LENGTHS: std::ops::RangeInclusive<usize> = 64..=20 * 1024;

/// What the grant takes.
#[derive(Default)]
struct Web3Grant {
    /// What the user signed.
    message: String,
    /// Hexadecimal for Ethereum, base64 for Solana.
    signature: String,
    /// `ethereum` or `solana`.
    chain: String,
}
params!(Web3Grant as "Web3GrantParams" { message: Text, signature: Text, chain: Text });

/// Signs in whoever holds the key of a wallet; their account is made when they come for the first time.
///
/// DEVIATION: a failure of the database is a 500; GoTrue answers 400 `server_error`.
pub(super) async fn grant(
    state: &State,
    body: &Body,
    requester: &Requester,
    trace: &Trace,
) -> Result<TokenBody, AuthError> {
    let config = &state.config.web3;
    if !config.ethereum.enabled && !config.solana.enabled {
        return Err(AuthError::Web3(Web3Error::Disabled));
    }
    let params: Web3Grant = body.parse()?;
    let chain = Chain::named(&params.chain).ok_or(AuthError::Web3(Web3Error::ChainUnknown))?;
    if !config.chain(chain).enabled {
        return Err(AuthError::Web3(Web3Error::ChainDisabled(chain)));
    }
    let now = timestamp::now(&state.clock);
    let message = read(&params, chain)?;
    web3::check(&state.config, &message, config.chain(chain).maximum_validity, now).map_err(AuthError::OAuth)?;

    let newcomer = newcomer(&message, requester.audience(&state.config));
    ask_project(state, &newcomer, &message, requester).await?;
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let (user, account) = account(state, &db, &message, newcomer, now).await?;
    if user.is_banned(now) {
        return Err(AuthError::Banned);
    }
    audit::record(state, &db, &user, Action::Login, json!({ "provider": PROVIDER })).await?;
    audit::record(state, &db, &user, Action::Login, login(&message)).await?;
    let method = AuthenticationMethod::Web3;
    let body = sessions::issue(state, &db, user.clone(), method, requester, trace).await?;
    db.commit().await.or_fault(UNEXPECTED)?;
    drop(connection);
    if account == Account::New {
        hooks::after_user_created(state, requester, &user).await?;
    }
    Ok(body)
}

/// Whether somebody with the key was here before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Account {
    Known,
    New,
}

/// Who the holder of the key is to be, should nobody know them.
fn newcomer(message: &SignedMessage, audience: &str) -> User {
    let mut user = signup::newcomer(Uuid::new_v4(), None, audience, &message.identity_data());
    user.app_metadata = signup::app_metadata(PROVIDER);
    user.is_anonymous = false;
    user
}

/// The project may say no to somebody new, while no connection waits for its answer.
async fn ask_project(
    state: &State,
    newcomer: &User,
    message: &SignedMessage,
    requester: &Requester,
) -> Result<(), AuthError> {
    if state.config.hooks.before_user_created.is_none() {
        return Ok(());
    }
    let known = {
        let db = state.pool.get().await.or_fault(UNEXPECTED)?;
        identities::owner(&db, PROVIDER, &message.subject()).await.or_fault(UNEXPECTED)?
    };
    if known.is_some() || state.config.disable_signup {
        return Ok(());
    }
    hooks::before_user_created(state, requester, newcomer).await
}

/// Reads what came, and sees that the signature is that of the message's own address.
fn read(params: &Web3Grant, chain: Chain) -> Result<SignedMessage, AuthError> {
    if params.message.len() < *LENGTHS.start() {
        return Err(AuthError::Web3(Web3Error::MessageShort));
    }
    if params.message.len() > *LENGTHS.end() {
        return Err(AuthError::Web3(Web3Error::MessageLong));
    }
    let signature = Signature::read(chain, &params.signature)
        .map_err(|error| AuthError::Web3(Web3Error::Signature(error.to_string())))?;
    let format = if chain == Chain::Ethereum { "siwe" } else { "siws" };
    let message = SignedMessage::parse(chain, &params.message)
        .map_err(|error| AuthError::Web3(Web3Error::Message(format!("{format}: {error}"))))?;
    if signature.fits(&message) { Ok(message) } else { Err(AuthError::OAuth(OAuthError::Web3Signature)) }
}

/// The user whose wallet it is, made anew if there is none. What the message says is remembered.
async fn account(
    state: &State,
    db: &Transaction<'_>,
    message: &SignedMessage,
    newcomer: User,
    now: DateTime<Utc>,
) -> Result<(User, Account), AuthError> {
    let (subject, data) = (message.subject(), message.identity_data());
    let known = identities::owner(db, PROVIDER, &subject).await.or_fault(UNEXPECTED)?;
    let id = match known {
        Some((_, user)) => user,
        None if state.config.disable_signup => return Err(AuthError::SignupDisabled),
        None => create(state, db, &subject, &newcomer, now).await?,
    };
    let user = users::by_id(db, id).await.or_fault(UNEXPECTED)?;
    let mut user = user.ok_or_else(|| AuthError::internal(UNEXPECTED, "an identity without a user"))?;
    if known.is_some() {
        // As with GoTrue, the answer shows the identity as it was.
        identities::set_data(db, PROVIDER, &subject, &data).await.or_fault(UNEXPECTED)?;
        merge(&mut user.user_metadata, data);
        let names = json!(user.providers());
        user.app_metadata.insert("provider".to_owned(), names[0].clone());
        user.app_metadata.insert("providers".to_owned(), names);
        users::set_metadata(db, &User { updated_at: now, ..user.clone() }).await.or_fault(UNEXPECTED)?;
    }
    Ok((user, if known.is_some() { Account::Known } else { Account::New }))
}

async fn create(
    state: &State,
    db: &Transaction<'_>,
    subject: &str,
    newcomer: &User,
    now: DateTime<Utc>,
) -> Result<Uuid, AuthError> {
    let data = &newcomer.user_metadata;
    let new = NewUser {
        id: newcomer.id,
        aud: &newcomer.aud,
        role: state.config.jwt.default_group_name.trim(),
        email: None,
        phone: None,
        password_hash: "",
        app_metadata: newcomer.app_metadata.clone(),
        user_metadata: data.clone(),
        is_anonymous: false,
        existence: Existence::Real,
    };
    users::insert(db, new, now).await.or_fault("Database error saving new user")?;
    identities::add(db, newcomer.id, (PROVIDER, subject), data, now)
        .await
        .on_constraint("identities_provider_id_provider_unique", || AuthError::SignupConflict)?
        .or_fault("Error creating identity")?;
    Ok(newcomer.id)
}

/// What the audit log adds to the sign-in.
///
/// DEVIATION: the audit log has the URI of a wallet's message as text; GoTrue takes it apart.
fn login(message: &SignedMessage) -> serde_json::Value {
    json!({
        "address": message.address,
        "chain": message.chain.name(),
        "domain": message.domain,
        "network": message.network,
        "provider": PROVIDER,
        "uri": message.uri,
    })
}

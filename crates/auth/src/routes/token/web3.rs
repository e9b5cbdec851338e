//! `POST /token?grant_type=web3`
//!
//! Source: supabase/auth, `internal/api/web3.go`.

use pg::pool::Transaction;
use serde_json::json;
use uuid::Uuid;

use crate::error::fault::{OrFault, UNEXPECTED};
use crate::error::{AuthError, ExternalError, OAuthError, Web3Error};
use crate::flows::audit::{self, Action};
use crate::flows::external::{self, Attempt, Outcome, SignedIn};
use crate::flows::tokens::TokenBody;
use crate::flows::{hooks, sessions, sign_in};
use crate::model::authentication_method::AuthenticationMethod;
use crate::model::chain::Chain;
use crate::model::requester::Requester;
use crate::model::timestamp;
use crate::model::trace::Trace;
use crate::protocol::body::{Body, params};
use crate::protocol::web3::{Signature, SignedMessage};
use crate::state::State;

const PROVIDER: &str = "web3";
/// Allowed lengths of a message, in bytes.
const LENGTHS: std::ops::RangeInclusive<usize> = 64..=20 * 1024;

/// The parameters of the grant.
#[derive(Default)]
struct Web3Grant {
    /// The signed message.
    message: String,
    /// Hexadecimal for Ethereum, base64 for Solana.
    signature: String,
    /// `ethereum` or `solana`.
    chain: String,
}
params!(Web3Grant as "Web3GrantParams" { message: Text, signature: Text, chain: Text });

/// Signs in the holder of a wallet's key; creates the account at the first sign-in.
///
/// DEVIATION (words): a database failure during `grant_type=web3` is a 500; GoTrue answers 400 `server_error`.
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
    sign_in::web3::check(&state.config, &message, config.chain(chain).maximum_validity, now)
        .map_err(AuthError::OAuth)?;

    let profile = message.profile();
    let attempt = Attempt {
        profile: &profile,
        provider: PROVIDER,
        email_optional: true,
        redirect_to: "",
        id: Uuid::new_v4(),
        now,
    };
    external::before_user_created(state, attempt, requester).await?;
    let mut connection = state.pool.get().await.or_fault(UNEXPECTED)?;
    let db = connection.transaction().await.or_fault(UNEXPECTED)?;
    let SignedIn { user, is_new, .. } = signed_in(state, &db, attempt, requester).await?;
    audit::record(state, &db, &user, Action::Login, login(&message)).await?;
    let method = AuthenticationMethod::Web3;
    let issued = sessions::issue(state, &db, user.clone(), method, requester, trace).await?;
    let issued = if is_new { issued.settle(state, &db, requester).await? } else { issued };
    db.commit().await.or_fault(UNEXPECTED)?;
    drop(connection);
    let body = issued.complete(state, requester).await?;
    if is_new {
        hooks::after_user_created(state, requester, &user).await?;
    }
    Ok(body)
}

/// The user of the wallet, created if necessary.
async fn signed_in(
    state: &State,
    db: &Transaction<'_>,
    attempt: Attempt<'_>,
    requester: &Requester,
) -> Result<SignedIn, AuthError> {
    match external::sign_in(state, db, attempt, requester).await {
        Ok(Outcome::SignedIn(signed_in)) => Ok(*signed_in),
        // Cannot happen: a wallet has no address to confirm.
        Ok(Outcome::Refused(error, _)) => Err(error),
        // A concurrent sign-in with the same key was faster.
        Err(AuthError::External(ExternalError::LinkedToAnother)) => Err(AuthError::SignupConflict),
        Err(error) => Err(error),
    }
}

/// Parses the message and verifies that the key of its address signed it.
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

/// The details of the sign-in in the audit log.
///
/// DEVIATION (behaviour): the audit log stores the URI of a wallet's message as a string; GoTrue stores its parts.
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

//! The token of Supabase's CLI. It takes none but its own form, so that the service role's key has a second one.

use std::fmt::Write as _;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{AUTHORIZATION, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, web};
use gateway::Secret;
use gateway::service::ProjectKeys;
use sha2::{Digest, Sha256};

use crate::state::State;

/// Under which the running server tells it to the command line.
pub(crate) const NAME: &str = "ACCESS_TOKEN";
const PREFIX: &str = "sbp_";
/// Digits after the prefix.
const DIGITS: usize = 40;
/// Sets the digest apart from other digests of the key.
const PURPOSE: &[u8] = b"dugout access token\0";

/// The access token of a project: it changes with the secret key, from which it cannot be computed back.
pub(crate) fn of(keys: &ProjectKeys) -> Secret<String> {
    let mut token = PREFIX.to_owned();
    for byte in digest(&[PURPOSE, keys.secret.reveal().as_bytes()]).iter().take(DIGITS / 2) {
        // Writing to a string does not fail.
        let _ = write!(token, "{byte:02x}");
    }
    Secret::new(token)
}

fn digest(parts: &[&[u8]]) -> [u8; 32] {
    parts.iter().fold(Sha256::new(), Sha256::chain_update).finalize().into()
}

/// Puts the service role's key in the place of the access token.
pub(crate) async fn resolve(
    mut request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let given = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    if let (Some(given), Some(state)) = (given, request.app_data::<web::Data<State>>()) {
        let keys = &state.0.project_keys;
        // Digests are compared: how long that takes tells nothing of the token.
        if !keys.secret.reveal().is_empty() && digest(&[given.as_bytes()]) == digest(&[of(keys).reveal().as_bytes()]) {
            let key = HeaderValue::from_str(&format!("Bearer {}", keys.service_role.reveal()));
            if let Ok(mut key) = key {
                key.set_sensitive(true);
                request.headers_mut().insert(AUTHORIZATION, key);
            }
        }
    }
    next.call(request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_has_the_form_that_the_cli_wants_and_changes_with_the_key() {
        let keys = |secret: &str| ProjectKeys { secret: Secret::new(secret.to_owned()), ..ProjectKeys::default() };
        let token = of(&keys("sb_secret_a")).reveal().clone();
        let digits = token.strip_prefix("sbp_").unwrap();
        assert!(digits.len() == 40 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')), "{token}");
        assert_ne!(&token, of(&keys("sb_secret_b")).reveal());
    }
}

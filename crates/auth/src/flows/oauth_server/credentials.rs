//! Client authentication (RFC 6749 section 2.3).

use std::borrow::Cow;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use percent_encoding::percent_decode_str;
use pg::pool::Query;
use uuid::Uuid;

use super::{Secret, TokenRequest};
use crate::error::fault::OrFault;
use crate::error::{AuthError, OAuthServerError};
use crate::model::oauth_client::{AuthMethod, Client, ClientType};
use crate::store::oauth_clients;

/// The credentials of a request.
#[derive(Debug, PartialEq, Eq)]
struct Credentials {
    id: String,
    secret: String,
    method: AuthMethod,
}

/// The client that makes the request. `None` if a Basic header has an empty client id, as in GoTrue.
///
/// # Errors
/// Those of [`OAuthServerError`] on credentials.
pub(crate) async fn authenticate(db: &impl Query, request: &TokenRequest) -> Result<Option<Client>, AuthError> {
    let credentials = read(request).map_err(|reason| refused(OAuthServerError::Credentials(reason)))?;
    if credentials.id.is_empty() {
        return Ok(None);
    }
    let id = Uuid::parse_str(&credentials.id).map_err(|_| refused(OAuthServerError::CredentialsFormat))?;
    let client = oauth_clients::by_id(db, id).await.or_fault("Error validating client credentials")?;
    let client = client.ok_or_else(|| refused(OAuthServerError::CredentialsUnknown))?;
    check(&client, &credentials).map_err(refused)?;
    Ok(Some(client))
}

fn refused(error: OAuthServerError) -> AuthError {
    AuthError::OAuthServer(error)
}

/// DEVIATION (more): both parts of a Basic header are percent-decoded, as RFC 6749 section 2.3.1 requires clients to
/// encode them; GoTrue does not recognise clients that do so.
fn read(request: &TokenRequest) -> Result<Credentials, &'static str> {
    if let Some(encoded) = request.authorization.as_deref().and_then(|header| header.strip_prefix("Basic ")) {
        let decoded = BASE64_STANDARD.decode(encoded).map_err(|_| "invalid basic auth encoding")?;
        let decoded = String::from_utf8_lossy(&decoded);
        let (id, secret) = decoded.split_once(':').ok_or("invalid basic auth format")?;
        return Ok(Credentials { id: plain(id), secret: plain(secret), method: AuthMethod::ClientSecretBasic });
    }
    let params = request.client.as_ref().ok_or("failed to parse JSON body")?;
    if params.client_id.is_empty() {
        return Err("client_id is required");
    }
    let (id, secret) = (params.client_id.clone(), params.client_secret.clone());
    let method = if secret.is_empty() { AuthMethod::None } else { AuthMethod::ClientSecretPost };
    Ok(Credentials { id, secret, method })
}

fn plain(encoded: &str) -> String {
    let spaced: Cow<'_, str> = Cow::Owned(encoded.replace('+', " "));
    percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
}

/// A client must authenticate with the method it registered.
fn check(client: &Client, shown: &Credentials) -> Result<(), OAuthServerError> {
    let (registered, used) = (client.auth_method, shown.method);
    if registered != used {
        let (registered, used) = (registered.as_str(), used.as_str());
        return Err(OAuthServerError::AuthMethod(format!(
            "client is registered for '{registered}' but '{used}' was used"
        )));
    }
    match client.client_type {
        ClientType::Public if shown.secret.is_empty() => Ok(()),
        ClientType::Public => Err(OAuthServerError::SecretUnexpected),
        ClientType::Confidential if shown.secret.is_empty() => Err(OAuthServerError::SecretMissing),
        ClientType::Confidential if Secret::is(&shown.secret, client.secret_hash.as_deref().unwrap_or_default()) => {
            Ok(())
        }
        ClientType::Confidential => Err(OAuthServerError::SecretWrong),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flows::oauth_server::ClientParams;

    fn basic(text: &str) -> TokenRequest {
        let header = format!("Basic {}", BASE64_STANDARD.encode(text));
        TokenRequest { authorization: Some(header), client: None, params: None }
    }

    fn body(id: &str, secret: &str) -> TokenRequest {
        let (client_id, client_secret) = (id.to_owned(), secret.to_owned());
        let client = Some(ClientParams { client_id, client_secret });
        TokenRequest { authorization: Some("Bearer x".to_owned()), client, params: None }
    }

    #[test]
    fn credentials_stand_in_the_header_or_the_body() {
        let shown =
            |id: &str, secret: &str, method| Ok(Credentials { id: id.to_owned(), secret: secret.to_owned(), method });
        assert_eq!(read(&basic("a:b:c")), shown("a", "b:c", AuthMethod::ClientSecretBasic));
        assert_eq!(read(&basic("a%2Db:s%5F")), shown("a-b", "s_", AuthMethod::ClientSecretBasic));
        assert_eq!(read(&basic(":")), shown("", "", AuthMethod::ClientSecretBasic));
        assert_eq!(read(&body("a", "")), shown("a", "", AuthMethod::None));
        assert_eq!(read(&body("a", "b")), shown("a", "b", AuthMethod::ClientSecretPost));
        assert_eq!(read(&basic("a")), Err("invalid basic auth format"));
        let header = Some("Basic !".to_owned());
        let broken = TokenRequest { authorization: header, client: None, params: None };
        assert_eq!(read(&broken), Err("invalid basic auth encoding"));
        let broken = TokenRequest { authorization: None, client: None, params: None };
        assert_eq!(read(&broken), Err("failed to parse JSON body"));
        assert_eq!(read(&body("", "b")), Err("client_id is required"));
    }
}

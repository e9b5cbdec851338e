//! The request of `POST /oauth/token`: JSON or a form, optionally with a Basic header.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header::{AUTHORIZATION, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{Error, FromRequest, HttpRequest};
use url::form_urlencoded::parse;

use crate::protocol::body::{Body, params};

/// The unchecked request.
#[derive(Debug)]
pub(crate) struct TokenRequest {
    /// The `Authorization` header.
    pub(crate) authorization: Option<String>,
    /// The client credentials in the body; `None` if a JSON body cannot be parsed.
    pub(crate) client: Option<ClientParams>,
    /// `None` if a JSON body cannot be parsed or has wrong types.
    pub(crate) params: Option<TokenParams>,
}

/// The client credentials in a body. They are read separately, because errors about credentials come first.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClientParams {
    pub(crate) client_id: String,
    pub(crate) client_secret: String,
}
params!(ClientParams as "ClientParams" { client_id: Text, client_secret: Text });

/// The parameters; missing ones are empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct TokenParams {
    pub(crate) grant_type: String,
    pub(crate) code: String,
    pub(crate) refresh_token: String,
    pub(crate) redirect_uri: String,
    pub(crate) client_id: String,
    pub(crate) client_secret: String,
    pub(crate) code_verifier: String,
    pub(crate) resource: String,
}
params!(TokenParams as "OAuthTokenParams" {
    grant_type: Text, code: Text, refresh_token: Text, redirect_uri: Text, client_id: Text, client_secret: Text,
    code_verifier: Text, resource: Text,
});

impl TokenParams {
    /// Reads a form. Missing parameters may be in the query.
    ///
    /// DEVIATION (more): `resource` is read from forms, too; GoTrue reads it from JSON only.
    fn of_form(body: &[u8], query: &str) -> Self {
        let field = |name: &str| {
            let mut pairs = parse(body).chain(parse(query.as_bytes()));
            pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
        };
        TokenParams {
            grant_type: field("grant_type"),
            code: field("code"),
            refresh_token: field("refresh_token"),
            redirect_uri: field("redirect_uri"),
            client_id: field("client_id"),
            client_secret: field("client_secret"),
            code_verifier: field("code_verifier"),
            resource: field("resource"),
        }
    }
}

impl FromRequest for TokenRequest {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Error>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let mut payload = payload.take();
        Box::pin(async move {
            let bytes: Bytes = gateway::body::read(&request, &mut payload)
                .await
                .map_err(|refusal| gateway::wire::refuse(&request, refusal))?
                .into_bytes();
            let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
            let is_json = header(CONTENT_TYPE).is_some_and(|kind| kind.contains("application/json"));
            let authorization = header(AUTHORIZATION).map(str::to_owned);
            if is_json {
                let body = Body::of_json(bytes);
                return Ok(TokenRequest { authorization, client: body.parse().ok(), params: body.parse_first().ok() });
            }
            let params = TokenParams::of_form(&bytes, request.query_string());
            let (client_id, client_secret) = (params.client_id.clone(), params.client_secret.clone());
            Ok(TokenRequest {
                authorization,
                client: Some(ClientParams { client_id, client_secret }),
                params: Some(params),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_goes_before_the_query() {
        let params = TokenParams::of_form(b"code=a+b%2B&client_id=one&client_id=two", "client_id=three&grant_type=x");
        assert_eq!((params.code.as_str(), params.client_id.as_str()), ("a b+", "one"));
        assert_eq!((params.grant_type.as_str(), params.resource.as_str()), ("x", ""));
    }
}

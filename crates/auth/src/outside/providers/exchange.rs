//! Exchanges a code for tokens (RFC 6749 section 4.1.3).

use gateway::HttpClient;
use gateway::http_client::{self, Credentials};
use serde_json::{Map, Value};
use url::Url;
use url::form_urlencoded;

use super::Failure;

/// The provider's tokens. Never logged.
#[derive(Clone, Default)]
pub(crate) struct Tokens {
    pub(crate) access_token: String,
    /// Empty if there is none.
    pub(crate) refresh_token: String,
    pub(crate) id_token: Option<String>,
    /// The whole answer.
    pub(crate) answer: Map<String, Value>,
}

/// Our client credentials at the provider.
#[derive(Clone, Copy)]
pub(super) struct Trader<'a> {
    pub(super) id: &'a str,
    pub(super) secret: &'a str,
}

/// How we authenticate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// By the header, and if that is refused, in the form: providers differ, and few document it.
    Either,
    /// In the form.
    Form,
}

/// Exchanges a code. `fields` are added to the form.
///
/// # Errors
/// If the provider refuses, or its answer has no access token.
pub(super) async fn trade(
    http: &HttpClient,
    url: &str,
    trader: Trader<'_>,
    way: Way,
    fields: &[(&str, &str)],
) -> Result<Tokens, Failure> {
    let url = Url::parse(url).map_err(|_| Failure::Answer("comes from an address that is none".to_owned()))?;
    let accept = [("accept", "application/json")];
    if way == Way::Either {
        // RFC 6749 section 2.3.1 requires encoding before Basic encodes again.
        let (user, password) = (encoded(trader.id), encoded(trader.secret));
        let credentials = Credentials::Basic { user: &user, password: &password };
        let answer = http.post_form_with(&url, &credentials, &accept, fields).await?;
        if let Ok(tokens) = read(&answer) {
            return Ok(tokens);
        }
    }
    let own = [("client_id", trader.id), ("client_secret", trader.secret)];
    let fields: Vec<(&str, &str)> = fields.iter().copied().chain(own).collect();
    read(&http.post_form_with(&url, &Credentials::None, &accept, &fields).await?)
}

fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

fn read(answer: &http_client::Answer) -> Result<Tokens, Failure> {
    if !(200..300).contains(&answer.status) {
        return Err(Failure::Status(answer.status));
    }
    let fields = match serde_json::from_slice(&answer.body) {
        Ok(Value::Object(fields)) => fields,
        _ => form_urlencoded::parse(&answer.body).map(|(name, value)| (name.into_owned(), value.into())).collect(),
    };
    let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    // Some providers refuse with status 200. Their message is not passed on, because it may repeat what was sent.
    if !text("error").is_empty() {
        return Err(Failure::Answer("refuses the code".to_owned()));
    }
    let (access_token, refresh_token, id_token) = (text("access_token"), text("refresh_token"), text("id_token"));
    if access_token.is_empty() {
        return Err(Failure::Answer("has no access token".to_owned()));
    }
    Ok(Tokens {
        access_token,
        refresh_token,
        id_token: Some(id_token).filter(|token| !token.is_empty()),
        answer: fields,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, body: &str) -> Result<(String, String, Option<String>), String> {
        let tokens = read(&http_client::Answer { status, body: body.as_bytes().to_vec() });
        tokens
            .map(|tokens| (tokens.access_token, tokens.refresh_token, tokens.id_token))
            .map_err(|failure| failure.to_string())
    }

    #[test]
    fn answers_are_json_or_forms() {
        let expected = Ok(("a b".to_owned(), "r".to_owned(), Some("i".to_owned())));
        assert_eq!(
            answer(200, r#"{"access_token":"a b","refresh_token":"r","id_token":"i","expires_in":1}"#),
            expected
        );
        assert_eq!(answer(200, "access_token=a+b&refresh_token=r&id_token=i&scope=user"), expected);
        assert_eq!(answer(201, r#"{"access_token":"a"}"#), Ok(("a".to_owned(), String::new(), None)));
    }

    #[test]
    fn refusals_say_nothing_of_what_was_sent() {
        for (status, body, said) in [
            (200, "error=bad_verification_code&error_description=c-1", "the provider's answer refuses the code"),
            (200, r#"{"error":"invalid_grant"}"#, "the provider's answer refuses the code"),
            (400, r#"{"error":"invalid_grant"}"#, "the provider answered with status 400"),
            (200, "{}", "the provider's answer has no access token"),
        ] {
            assert_eq!(answer(status, body), Err(said.to_owned()), "{body}");
        }
    }
}

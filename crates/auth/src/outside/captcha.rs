//! Captchas: verifies a token of an hCaptcha or Turnstile widget with its provider.
//!
//! Source: supabase/auth, `internal/security/captcha.go` and `internal/api/middleware.go`.

use gateway::HttpClient;
use gateway::http_client::{Credentials, HttpError};
use serde::Deserialize;
use serde_json::{Map, Value};
use url::Url;

use crate::config::{CaptchaConfig, CaptchaProvider};
use crate::error::AuthError;
use crate::model::requester::Requester;
use crate::protocol::body::{self, Body, params};

/// The configured provider. Clones share its connections.
#[derive(Clone)]
pub(crate) struct Captcha {
    url: Url,
    secret: gateway::Secret<String>,
    client: HttpClient,
}

/// What every protected endpoint accepts besides its own parameters.
#[derive(Default)]
struct CaptchaParams {
    gotrue_meta_security: Option<Map<String, Value>>,
}
params!(CaptchaParams as "captchaRequest" { gotrue_meta_security: Object });

/// The provider's answer.
#[derive(Deserialize)]
struct Verdict {
    #[serde(default)]
    success: bool,
    #[serde(default, rename = "error-codes")]
    error_codes: Option<Vec<String>>,
}

impl Captcha {
    /// The configured provider, if any.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub(crate) fn new(config: Option<&CaptchaConfig>) -> std::io::Result<Option<Self>> {
        let Some(config) = config else { return Ok(None) };
        let url = match config.provider {
            CaptchaProvider::Hcaptcha => "https://hcaptcha.com/siteverify",
            CaptchaProvider::Turnstile => "https://challenges.cloudflare.com/turnstile/v0/siteverify",
        };
        let mut url = Url::parse(url).map_err(std::io::Error::other)?;
        if let Some(own) = &config.api_url {
            let path = url.path().to_owned();
            url = own.clone();
            url.set_path(&path);
        }
        Ok(Some(Captcha { url, secret: config.secret.clone(), client: HttpClient::new(config.timeout)? }))
    }

    async fn verdict(&self, token: &str, requester: &Requester) -> Result<Verdict, AuthError> {
        let failed = |detail: String| AuthError::internal("captcha verification process failed", detail);
        let ip = requester.ip.to_string();
        let fields = [("secret", self.secret.reveal().as_str()), ("response", token), ("remoteip", ip.as_str())];
        let answer = self.client.post_form(&self.url, &Credentials::None, &fields).await;
        let answer = answer.map_err(|error: HttpError| failed(error.to_string()))?;
        serde_json::from_slice(&answer.body).map_err(|error| failed(error.to_string()))
    }
}

/// Checks the captcha token. Passes administrators, and everyone if captchas are off.
///
/// # Errors
/// [`AuthError::BadJson`] if the body cannot be parsed, [`AuthError::CaptchaMissing`], [`AuthError::CaptchaFailed`],
/// and a fault if the provider cannot be reached.
pub(crate) async fn check(captcha: Option<&Captcha>, requester: &Requester, body: &Body) -> Result<(), AuthError> {
    let Some(captcha) = captcha else { return Ok(()) };
    if requester.is_admin {
        return Ok(());
    }
    let params: CaptchaParams = body.parse().map_err(|error| match error {
        // GoTrue uses a struct of its own here, which shows in the message.
        AuthError::BadJson(text) => AuthError::BadJson(text.replace("map[string]interface {}", "api.captchaSecurity")),
        other => other,
    })?;
    let token = match params.gotrue_meta_security.unwrap_or_default().remove("captcha_token") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(token)) => token.trim().to_owned(),
        Some(other) => {
            let found = body::kind(&other);
            return Err(AuthError::BadJson(format!(
                "json: cannot unmarshal {found} into Go struct field \
                 captchaSecurity.gotrue_meta_security.captcha_token of type string"
            )));
        }
    };
    if token.is_empty() {
        return Err(AuthError::CaptchaMissing);
    }
    let verdict = captcha.verdict(&token, requester).await?;
    if verdict.success {
        return Ok(());
    }
    Err(AuthError::CaptchaFailed(verdict.error_codes.unwrap_or_default().join(", ")))
}

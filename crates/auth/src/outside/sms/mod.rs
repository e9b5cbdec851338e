//! SMS and WhatsApp messages by the HTTP APIs of their providers.
//!
//! Each provider has a request format and a way to read its answer.
//! Source: supabase/auth, `internal/api/sms_provider/`.

mod answers;
mod requests;

use std::time::Duration;

use gateway::HttpClient;
use gateway::http_client::HttpError;
use url::Url;

use crate::config::{SmsConfig, SmsProvider};

/// Time limit of a provider's answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The kinds of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    Sms,
    Whatsapp,
}

/// The configured provider. Clones share its connections.
#[derive(Clone)]
pub(crate) struct Sms {
    provider: SmsProvider,
    api_url: Option<Url>,
    client: HttpClient,
}

/// Why a message was not accepted, or a code was wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SmsError {
    /// There was no answer.
    #[error("{0}")]
    Http(HttpError),
    /// The provider refused, with this message.
    #[error("{0}")]
    Refused(String),
    /// The answer has an unknown format.
    #[error("the provider's answer cannot be understood (status {0})")]
    Answer(u16),
    /// The provider does not support the channel.
    #[error("channel type {0:?} is not supported for {1}")]
    Channel(&'static str, &'static str),
}

impl Channel {
    /// The channel with this name in requests; the default is `sms`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "" | "sms" => Some(Channel::Sms),
            "whatsapp" => Some(Channel::Whatsapp),
            _ => None,
        }
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Channel::Sms => "sms",
            Channel::Whatsapp => "whatsapp",
        }
    }
}

impl SmsError {
    /// For the log. It leaves out the provider's message, which may quote the SMS.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            SmsError::Http(_) => "the provider cannot be reached",
            SmsError::Refused(_) => "the provider refused it",
            SmsError::Answer(_) => "the provider's answer cannot be understood",
            SmsError::Channel(..) => "the provider has no such channel",
        }
    }
}

impl Sms {
    /// The configured provider, if any.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub(crate) fn new(config: &SmsConfig) -> std::io::Result<Option<Self>> {
        let Some(provider) = config.provider.clone() else { return Ok(None) };
        Ok(Some(Sms { provider, api_url: config.api_url.clone(), client: HttpClient::new(TIMEOUT)? }))
    }

    /// Sends `text`, which contains `code`, to a number without plus sign.
    ///
    /// # Errors
    /// [`SmsError`].
    pub(crate) async fn send(&self, phone: &str, text: &str, channel: Channel, code: &str) -> Result<(), SmsError> {
        let request = requests::message(&self.provider, phone, text, channel, code)?;
        let answer = self.ask(request).await?;
        answers::message(&self.provider, answer.status, &answer.body)
    }

    /// True if the provider generates and checks the codes itself.
    pub(crate) fn keeps_codes(&self) -> bool {
        matches!(self.provider, SmsProvider::TwilioVerify { .. })
    }

    /// Asks such a provider to check a code.
    ///
    /// # Errors
    /// [`SmsError`], also if the code is wrong.
    pub(crate) async fn check(&self, phone: &str, code: &str) -> Result<(), SmsError> {
        let request = requests::check(&self.provider, phone, code)?;
        let answer = self.ask(request).await?;
        answers::check(answer.status, &answer.body)
    }

    async fn ask(&self, request: requests::Request) -> Result<gateway::http_client::Answer, SmsError> {
        let mut url = request.url;
        if let Some(own) = &self.api_url {
            let path = url.path().to_owned();
            url = own.clone();
            url.set_path(&path);
        }
        let fields: Vec<(&str, &str)> = request.fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.client.post_form(&url, &request.credentials.borrowed(), &fields).await.map_err(SmsError::Http)
    }
}

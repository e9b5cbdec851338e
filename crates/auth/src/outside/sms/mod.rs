//! Messages to phones, by the HTTP APIs of those who carry them.
//!
//! Each provider is a row: what it is sent, and what its answer means.
//! Source: supabase/auth, `internal/api/sms_provider/`.

mod answers;
mod requests;

use std::time::Duration;

use gateway::HttpClient;
use gateway::http_client::HttpError;
use url::Url;

use crate::config::{SmsConfig, SmsProvider};

/// How long a provider may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The kinds of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    Sms,
    Whatsapp,
}

/// A configured provider. Cloning shares its connections.
#[derive(Clone)]
pub(crate) struct Sms {
    provider: SmsProvider,
    api_url: Option<Url>,
    client: HttpClient,
}

/// Why a message was not taken, or a code not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SmsError {
    /// There was no answer.
    #[error("{0}")]
    Http(HttpError),
    /// The provider said so, in these words.
    #[error("{0}")]
    Refused(String),
    /// We do not understand the answer.
    #[error("the provider's answer cannot be understood (status {0})")]
    Answer(u16),
    /// The provider has no such kind of messages.
    #[error("channel type {0:?} is not supported for {1}")]
    Channel(&'static str, &'static str),
}

impl Channel {
    /// As it stands in requests; none named is `sms`.
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
    /// For the log, where a provider's words do not belong: they may quote the message.
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
    /// The provider of the settings, if there is one.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub(crate) fn new(config: &SmsConfig) -> std::io::Result<Option<Self>> {
        let Some(provider) = config.provider.clone() else { return Ok(None) };
        Ok(Some(Sms { provider, api_url: config.api_url.clone(), client: HttpClient::new(TIMEOUT)? }))
    }

    /// Sends `text`, in which `code` is, to a number without its plus sign.
    ///
    /// # Errors
    /// [`SmsError`].
    pub(crate) async fn send(&self, phone: &str, text: &str, channel: Channel, code: &str) -> Result<(), SmsError> {
        let request = requests::message(&self.provider, phone, text, channel, code)?;
        let answer = self.ask(request).await?;
        answers::message(&self.provider, answer.status, &answer.body)
    }

    /// Whether the provider makes and checks the codes itself.
    pub(crate) fn keeps_codes(&self) -> bool {
        matches!(self.provider, SmsProvider::TwilioVerify { .. })
    }

    /// Asks such a provider whether a code is right.
    ///
    /// # Errors
    /// [`SmsError`], also when it is wrong.
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

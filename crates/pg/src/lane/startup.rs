//! Start-up and authentication: <https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-START-UP>

use bytes::BytesMut;
use fallible_iterator::FallibleIterator;
use postgres_protocol::authentication::md5_hash;
use postgres_protocol::authentication::sasl::{self, ChannelBinding, ScramSha256};
use postgres_protocol::message::backend::{AuthenticationSaslBody, Message};
use postgres_protocol::message::frontend;
use tokio_postgres::config::{self, Config, TargetSessionAttrs};

use super::connect::{Address, CancelKey, ConnectError, Retry};
use super::error_response;
use super::wire::Wire;
use crate::error::Error;

/// The start-up of a new connection.
pub(super) struct Startup<'a> {
    pub(super) wire: &'a mut Wire,
    pub(super) config: &'a Config,
    pub(super) address: &'a Address,
    /// See [`channel_binding`](super::channel_binding).
    pub(super) end_point: Option<Vec<u8>>,
}

impl Startup<'_> {
    /// Logs in and waits for ReadyForQuery.
    pub(super) async fn run(mut self) -> Result<Option<CancelKey>, ConnectError> {
        let user = self.user();
        let mut parameters = vec![("client_encoding", "UTF8"), ("user", user.as_str())];
        parameters.extend(self.config.get_dbname().map(|name| ("database", name)));
        parameters.extend(self.config.get_options().map(|options| ("options", options)));
        parameters.extend(self.config.get_application_name().map(|name| ("application_name", name)));
        let mut bytes = BytesMut::new();
        frontend::startup_message(parameters, &mut bytes).map_err(|error| ConnectError::never(error.to_string()))?;
        self.wire.send(bytes);
        self.authenticate(&user).await?;
        self.await_ready().await
    }

    /// The configured user or, as in libpq, the operating system's.
    fn user(&self) -> String {
        let named = self.config.get_user().map(str::to_owned);
        named.or_else(|| std::env::var("USER").ok()).unwrap_or_else(|| "postgres".to_owned())
    }

    async fn authenticate(&mut self, user: &str) -> Result<(), ConnectError> {
        if self.config.get_channel_binding() == config::ChannelBinding::Disable {
            self.end_point = None;
        }
        match self.receive().await? {
            Message::AuthenticationSasl(body) => self.scram(&body).await?,
            _ if self.config.get_channel_binding() == config::ChannelBinding::Require => return Err(self.unbound()),
            Message::AuthenticationOk => return Ok(()),
            Message::AuthenticationCleartextPassword => {
                let password = self.password()?.to_vec();
                self.send(|bytes| frontend::password_message(&password, bytes))?;
            }
            Message::AuthenticationMd5Password(body) => {
                let hash = md5_hash(user.as_bytes(), self.password()?, body.salt());
                self.send(|bytes| frontend::password_message(hash.as_bytes(), bytes))?;
            }
            _ => return Err(self.refuse("asks for a kind of authentication that is not supported")),
        }
        match self.receive().await? {
            Message::AuthenticationOk => Ok(()),
            _ => Err(self.refuse("did not finish the authentication")),
        }
    }

    /// SCRAM-SHA-256, with channel binding if both sides support it. The server also proves that it knows the password.
    async fn scram(&mut self, offered: &AuthenticationSaslBody) -> Result<(), ConnectError> {
        let mechanisms: Vec<&str> = offered.mechanisms().collect().unwrap_or_default();
        let (mechanism, binding) = match self.end_point.take() {
            Some(hash) if mechanisms.contains(&sasl::SCRAM_SHA_256_PLUS) => {
                (sasl::SCRAM_SHA_256_PLUS, ChannelBinding::tls_server_end_point(hash))
            }
            _ if self.config.get_channel_binding() == config::ChannelBinding::Require => return Err(self.unbound()),
            // This is part of the proof: if an attacker removed the server's offer of channel binding, the server refuses.
            Some(_) => (sasl::SCRAM_SHA_256, ChannelBinding::unrequested()),
            None => (sasl::SCRAM_SHA_256, ChannelBinding::unsupported()),
        };
        if !mechanisms.contains(&mechanism) {
            return Err(self.refuse("offers no SASL mechanism that is supported"));
        }
        let mut scram = ScramSha256::new(self.password()?, binding);
        self.send(|bytes| frontend::sasl_initial_response(mechanism, scram.message(), bytes))?;
        let Message::AuthenticationSaslContinue(body) = self.receive().await? else {
            return Err(self.refuse("broke off the SCRAM authentication"));
        };
        scram.update(body.data()).map_err(|error| self.refuse(&format!("failed the SCRAM authentication: {error}")))?;
        self.send(|bytes| frontend::sasl_response(scram.message(), bytes))?;
        let Message::AuthenticationSaslFinal(body) = self.receive().await? else {
            return Err(self.refuse("broke off the SCRAM authentication"));
        };
        scram.finish(body.data()).map_err(|error| self.refuse(&format!("failed the SCRAM authentication: {error}")))
    }

    async fn await_ready(&mut self) -> Result<Option<CancelKey>, ConnectError> {
        let mut key = None;
        let mut writable = true;
        loop {
            match self.receive().await? {
                Message::BackendKeyData(body) => {
                    key = Some(CancelKey { process: body.process_id(), secret: body.secret_key() });
                }
                // Reported since PostgreSQL 14.
                Message::ParameterStatus(body) => {
                    let on = body.value().is_ok_and(|value| value == "on");
                    if on && matches!(body.name(), Ok("in_hot_standby" | "default_transaction_read_only")) {
                        writable = false;
                    }
                }
                Message::ReadyForQuery(_) => break,
                _ => return Err(self.refuse("sent an unexpected message at start-up")),
            }
        }
        match self.config.get_target_session_attrs() {
            TargetSessionAttrs::ReadWrite if !writable => Err(self.unfit("is read-only")),
            TargetSessionAttrs::ReadOnly if writable => Err(self.unfit("is not read-only")),
            _ => Ok(key),
        }
    }

    fn unbound(&self) -> ConnectError {
        self.refuse("cannot bind the authentication to TLS, but channel_binding=require requires it")
    }

    fn password(&self) -> Result<&[u8], ConnectError> {
        match self.config.get_password() {
            Some(password) if !password.is_empty() => Ok(password),
            _ => Err(self.refuse("requires a password, but none is configured")),
        }
    }

    fn send(&mut self, write: impl FnOnce(&mut BytesMut) -> std::io::Result<()>) -> Result<(), ConnectError> {
        let mut bytes = BytesMut::new();
        write(&mut bytes).map_err(|error| ConnectError::never(error.to_string()))?;
        self.wire.send(bytes);
        Ok(())
    }

    async fn receive(&mut self) -> Result<Message, ConnectError> {
        match self.wire.receive().await {
            Ok(Message::ErrorResponse(body)) => {
                let error = error_response::read(&mut body.fields());
                // The server is starting, stopping or recovering, or has no free connection.
                let retry = match error.code.as_str() {
                    "57P01" | "57P02" | "57P03" | "53300" => Retry::Soon,
                    _ => Retry::Never,
                };
                Err(ConnectError { reason: format!("{}: {error}", self.address), retry })
            }
            Ok(message) => Ok(message),
            Err(Error::Lost(reason)) => {
                Err(ConnectError { reason: format!("{}: {reason}", self.address), retry: Retry::Soon })
            }
            Err(error) => Err(self.refuse(&format!("does not speak PostgreSQL's protocol: {error}"))),
        }
    }

    /// The server is the wrong one of a primary and its standbys. A failover may be in progress.
    fn unfit(&self, what: &str) -> ConnectError {
        ConnectError { retry: Retry::Soon, ..self.refuse(what) }
    }

    fn refuse(&self, what: &str) -> ConnectError {
        ConnectError::never(format!("{} {what}", self.address))
    }
}

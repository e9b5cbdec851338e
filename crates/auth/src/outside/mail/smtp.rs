//! Sends mails to a mail server (RFC 5321).

use std::time::Duration;

use gateway::mail::Refused;
use lettre::address::AddressError;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, SinglePart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};

use super::wording::Written;
use crate::config::{Config, SmtpConfig};
use crate::model::email_kind::EmailKind;

/// Time limit for connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// Time limit for sending a mail, from connecting to the server's last reply. lettre limits only connecting.
const TIMEOUT: Duration = Duration::from_secs(25);
/// Replies about our account instead of the mail (RFC 4954 section 6).
const OUR_FAULT: [u16; 4] = [530, 534, 535, 538];
/// The port for implicit TLS (RFC 8314).
const IMPLICIT_TLS: u16 = 465;

/// The way to the mail server. Each mail has its own connection: a mail that is given up closes it, so that no later mail reads its
/// replies.
pub(super) struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    headers: Vec<(String, Vec<String>)>,
}

impl Smtp {
    /// Reads the settings; opens no connection.
    ///
    /// # Errors
    /// If the host's name cannot be used for TLS.
    pub(super) fn new(config: &Config, smtp: &SmtpConfig) -> std::io::Result<Self> {
        let parameters = TlsParameters::new(smtp.host.clone()).map_err(std::io::Error::other)?;
        let tls = match smtp.port {
            IMPLICIT_TLS => Tls::Wrapper(parameters),
            // Never send a password over the network without TLS.
            _ if !smtp.user.is_empty() && !is_local(&smtp.host) => Tls::Required(parameters),
            _ => Tls::Opportunistic(parameters),
        };
        let name = url::Url::parse(config.external_url.as_str()).ok();
        let name = name.as_ref().and_then(|url| url.host_str()).unwrap_or("localhost").to_owned();
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&smtp.host)
            .port(smtp.port)
            .tls(tls)
            .timeout(Some(CONNECT_TIMEOUT))
            .hello_name(ClientId::Domain(name));
        if !smtp.user.is_empty() {
            builder = builder.credentials(Credentials::new(smtp.user.clone(), smtp.password.reveal().clone()));
        }
        Ok(Smtp { transport: builder.build(), from: smtp.from.clone(), headers: smtp.headers.clone() })
    }

    pub(super) async fn send(&self, mail: &Written) -> Result<(), Refused> {
        let message = self.message(mail).map_err(|reason| Refused::ForGood(reason.to_owned()))?;
        let sent = tokio::time::timeout(TIMEOUT, self.transport.send(message)).await;
        let sent = sent.map_err(|_| Refused::ForNow("the mail server did not answer in time".to_owned()))?;
        sent.map(drop).map_err(|error| {
            // The server's message may quote the mail, and with it a code: log only its status.
            let reason = match error.status() {
                Some(code) => format!("the mail server said {code}"),
                None if error.is_timeout() => "the mail server did not answer in time".to_owned(),
                None => error.to_string(),
            };
            // A wrong password or setting can be corrected before the next attempt.
            let is_ours = error.is_client() || error.status().is_some_and(|code| OUR_FAULT.contains(&u16::from(code)));
            if error.is_permanent() && !is_ours { Refused::ForGood(reason) } else { Refused::ForNow(reason) }
        })
    }

    fn message(&self, mail: &Written) -> Result<Message, &'static str> {
        let to: Address = mail.to.parse().map_err(|_: AddressError| "the address cannot be written in a mail")?;
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(mail.subject.clone())
            .singlepart(SinglePart::builder().header(ContentType::TEXT_HTML).body(mail.html.clone()))
            .map_err(|_| "the mail cannot be put together")?;
        // GoTrue's name for this kind differs from its template's.
        let is_reauthentication = mail.kind == EmailKind::Reauthentication.name();
        let name = if is_reauthentication { "reauthenticate" } else { mail.kind };
        for (header, values) in &self.headers {
            for value in values {
                let header =
                    HeaderName::new_from_ascii(header.clone()).map_err(|_| "a header has an impossible name")?;
                message.headers_mut().insert_raw(HeaderValue::new(header, value.replace("$messageType", name)));
            }
        }
        Ok(message)
    }
}

fn is_local(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

//! Checks by DNS whether a domain takes mail: by its mail exchangers, or by its own address (RFC 5321, section 5.1).
//!
//! Source: supabase/auth, `internal/mailer/validateclient/`.

use hickory_resolver::TokioResolver;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::RData;

/// Large providers, for which no lookup is needed.
const KNOWN: [&str; 19] = [
    "gmail.com",
    "yahoo.com",
    "hotmail.com",
    "aol.com",
    "outlook.com",
    "comcast.net",
    "icloud.com",
    "msn.com",
    "hotmail.co.uk",
    "sbcglobal.net",
    "live.com",
    "yahoo.co.in",
    "me.com",
    "att.net",
    "mail.ru",
    "bellsouth.net",
    "cox.net",
    "yahoo.co.uk",
    "verizon.net",
];

/// The resolver, and the blocked mail exchangers. Clones share the cache.
#[derive(Clone)]
pub(super) struct Exchangers {
    /// `None` if the system configures no name servers.
    resolver: Option<TokioResolver>,
    blocked: Vec<String>,
}

impl Exchangers {
    /// Uses the system's name servers.
    pub(super) fn new(blocked: &[String]) -> Self {
        let resolver = TokioResolver::builder_tokio().and_then(|builder| builder.build()).ok();
        Exchangers { resolver, blocked: blocked.to_vec() }
    }

    /// True if mail to a host may arrive: it has an exchanger or, without one, an address, and none of them is blocked.
    /// True as well if the DNS gives no answer.
    pub(super) async fn take_mail_for(&self, host: &str) -> bool {
        let Some(resolver) = self.resolver.as_ref().filter(|_| !KNOWN.contains(&host)) else { return true };
        // The trailing dot prevents lookups in the system's search domains.
        let name = format!("{}.", host.trim_end_matches('.'));
        match resolver.mx_lookup(name.as_str()).await {
            Ok(found) => {
                let exchangers = found.answers().iter().filter_map(|record| match &record.data {
                    RData::MX(mx) => Some(mx.exchange.to_ascii()),
                    _ => None,
                });
                self.has_none_blocked(exchangers)
            }
            Err(error) if is_nothing(&error) => match resolver.lookup_ip(name.as_str()).await {
                Ok(found) => self.has_none_blocked(found.iter().map(|address| address.to_string())),
                Err(error) => !is_nothing(&error),
            },
            Err(_) => true,
        }
    }

    fn has_none_blocked(&self, mut names: impl Iterator<Item = String>) -> bool {
        let bare = |name: &str| name.trim_end_matches('.').to_ascii_lowercase();
        !names.any(|name| self.blocked.iter().any(|blocked| bare(blocked) == bare(&name)))
    }
}

/// True if the DNS says for certain that there is no record.
fn is_nothing(error: &NetError) -> bool {
    let NetError::Dns(DnsError::NoRecordsFound(none)) = error else { return false };
    matches!(none.response_code, ResponseCode::NXDomain | ResponseCode::NoError)
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::str::FromStr;

    use hickory_resolver::config::{ConnectionConfig, NameServerConfig, ResolverConfig};
    use hickory_resolver::net::runtime::TokioRuntimeProvider;
    use hickory_resolver::proto::op::{Message, MessageType};
    use hickory_resolver::proto::rr::rdata::{A, MX};
    use hickory_resolver::proto::rr::{Name, Record, RecordType};
    use tokio::net::UdpSocket;

    use super::*;

    /// The records of the test name server.
    fn answer(name: &str, kind: RecordType) -> Result<Vec<RData>, ResponseCode> {
        let exchanger = |name: &str| RData::MX(MX::new(10, Name::from_str(name).unwrap()));
        match (name, kind) {
            ("mail.test.", RecordType::MX) => Ok(vec![exchanger("mx1.test."), exchanger("mx2.test.")]),
            ("blocked.test.", RecordType::MX) => Ok(vec![exchanger("mx1.test."), exchanger("MX.bad.test.")]),
            ("web.test.", RecordType::A) => Ok(vec![RData::A(A(Ipv4Addr::new(192, 0, 2, 1)))]),
            ("shunned.test.", RecordType::A) => Ok(vec![RData::A(A(Ipv4Addr::new(192, 0, 2, 66)))]),
            ("web.test." | "shunned.test." | "empty.test.", _) => Ok(Vec::new()),
            ("broken.test.", _) => Err(ResponseCode::ServFail),
            _ => Err(ResponseCode::NXDomain),
        }
    }

    async fn name_server() -> ConnectionConfig {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let mut connection = ConnectionConfig::udp();
        connection.port = socket.local_addr().unwrap().port();
        tokio::spawn(async move {
            let mut packet = [0; 1500];
            loop {
                let (length, from) = socket.recv_from(&mut packet).await.unwrap();
                let asked = Message::from_vec(&packet[..length]).unwrap();
                let query = asked.queries[0].clone();
                let mut said = asked.clone();
                said.metadata.message_type = MessageType::Response;
                match answer(&query.name().to_ascii(), query.query_type()) {
                    Ok(found) => {
                        said.answers =
                            found.into_iter().map(|data| Record::from_rdata(query.name().clone(), 60, data)).collect();
                    }
                    Err(code) => said.metadata.response_code = code,
                }
                socket.send_to(&said.to_vec().unwrap(), from).await.unwrap();
            }
        });
        connection
    }

    #[tokio::test]
    async fn only_hosts_that_certainly_take_no_mail_are_refused() {
        let server = NameServerConfig::new(IpAddr::V4(Ipv4Addr::LOCALHOST), true, vec![name_server().await]);
        let config = ResolverConfig::from_parts(None, Vec::new(), vec![server]);
        let resolver = TokioResolver::builder_with_config(config, TokioRuntimeProvider::default()).build().unwrap();
        let blocked = ["mx.bad.test", "192.0.2.66"].map(str::to_owned).to_vec();
        let exchangers = Exchangers { resolver: Some(resolver), blocked };
        for (host, takes) in [
            ("mail.test", true),
            ("mail.test.", true),
            ("blocked.test", false),
            ("web.test", true),
            ("shunned.test", false),
            ("empty.test", false),
            ("nowhere.test", false),
            ("broken.test", true),
            // Known providers are not looked up: this server has no record of it.
            ("gmail.com", true),
        ] {
            assert_eq!(exchangers.take_mail_for(host).await, takes, "{host}");
        }
        let alone = Exchangers { resolver: None, blocked: Vec::new() };
        assert!(alone.take_mail_for("nowhere.test").await);
    }
}

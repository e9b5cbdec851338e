//! Why a join is refused or a channel closed, in upstream's words.
//!
//! Source: supabase/realtime, lib/realtime_web/channels/realtime_channel.ex.

/// Why a token is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenFault {
    /// So many seconds ago.
    Expired(i64),
    /// `role` or `exp` is missing.
    Claims,
    /// Not a token at all.
    Malformed,
    /// The signature is not by one of our keys.
    Signature,
    /// There is no key for it; holds the `kid`.
    Signer(Option<String>),
    /// `exp` is now.
    Times,
    /// Upstream has no words for what is wrong: the payload is no object, or a time is no number.
    Unusable,
}

impl TokenFault {
    /// The message of the HTTP reply to a handshake, with its status.
    pub(crate) fn handshake(&self) -> (u16, String) {
        match self {
            TokenFault::Expired(_) => (401, "Token has expired".to_owned()),
            TokenFault::Times | TokenFault::Unusable => (500, "Error connecting to Realtime".to_owned()),
            other => (401, other.message()),
        }
    }

    /// As it stands in replies and system messages.
    pub(crate) fn message(&self) -> String {
        match self {
            TokenFault::Expired(seconds) => format!("Token has expired {seconds} seconds ago"),
            TokenFault::Claims => "Fields `role` and `exp` are required in JWT".to_owned(),
            TokenFault::Malformed => "The token provided is not a valid JWT".to_owned(),
            TokenFault::Signature => "Failed to validate JWT signature".to_owned(),
            TokenFault::Signer(kid) => {
                let of = kid.as_ref().map(|kid| format!(" for key ID (kid) \"{kid}\"")).unwrap_or_default();
                format!("Failed to generate JWT signer{of}, check your JWT secret or JWKS configuration")
            }
            TokenFault::Times => "Token expiration time is invalid".to_owned(),
            TokenFault::Unusable => "Unknown Error on Channel".to_owned(),
        }
    }

    /// Empty if there is none.
    fn code(&self) -> &'static str {
        match self {
            TokenFault::Expired(_) | TokenFault::Claims | TokenFault::Times => "InvalidJWTToken",
            TokenFault::Malformed => "MalformedJWT",
            TokenFault::Signature => "JwtSignatureError",
            TokenFault::Signer(_) => "JwtSignerError",
            TokenFault::Unusable => "",
        }
    }
}

/// Why a join is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JoinFault {
    /// The topic is `realtime:` alone.
    NoTopic,
    Token(TokenFault),
    /// No right to read; holds the topic without `realtime:`.
    Unauthorized(String),
    PrivateOnly,
    TooManyChannels,
    TooManyJoins,
    /// The database cannot be reached.
    Database,
    /// The database has no connection to spare.
    Connections,
    /// The database ended the query; holds its words.
    Canceled(String),
    /// `realtime.messages` has no partition for today.
    Partition,
    /// No connection to the database became free.
    Pool,
    /// The topic or the payload is too long.
    TooLong,
    ReplayParameters,
    ReplayPublic,
    Replay,
    Restarting,
}

impl JoinFault {
    /// `Code: message`.
    pub(crate) fn reason(&self) -> String {
        match self.parts() {
            ("", message) => message,
            (code, message) => format!("{code}: {message}"),
        }
    }

    /// As it stands in the system message that closes a channel.
    ///
    /// DEVIATION (words): where upstream shows a term of Elixir, the words are those of a refused join.
    pub(crate) fn closing(&self) -> String {
        match self {
            JoinFault::Canceled(_) => "Query was cancelled, please try again".to_owned(),
            JoinFault::Partition => JoinFault::Database.parts().1,
            other => other.parts().1,
        }
    }

    fn parts(&self) -> (&'static str, String) {
        match self {
            JoinFault::NoTopic => ("TopicNameRequired", "You must provide a topic name".to_owned()),
            JoinFault::Token(fault) => (fault.code(), fault.message()),
            JoinFault::Unauthorized(topic) => ("Unauthorized", unreadable(topic)),
            JoinFault::PrivateOnly => ("PrivateOnly", "This project only allows private channels".to_owned()),
            JoinFault::TooManyChannels => ("ChannelRateLimitReached", "Too many channels".to_owned()),
            JoinFault::TooManyJoins => ("ClientJoinRateLimitReached", "Too many joins per second".to_owned()),
            JoinFault::Database => {
                ("UnableToConnectToProject", "Realtime was unable to connect to the project database".to_owned())
            }
            JoinFault::Connections => (
                "DatabaseLackOfConnections",
                "Database can't accept more connections, Realtime won't connect".to_owned(),
            ),
            JoinFault::Canceled(words) => ("QueryCanceled", words.clone()),
            JoinFault::Partition => {
                ("MissingPartition", "Realtime was unable to find the expected messages partition".to_owned())
            }
            JoinFault::Pool => ("IncreaseConnectionPool", "Please increase your connection pool size".to_owned()),
            JoinFault::TooLong => ("JoinTooLarge", "The topic or the payload of the join is too long".to_owned()),
            JoinFault::ReplayParameters => ("UnableToReplayMessages", "Replay params are not valid".to_owned()),
            JoinFault::ReplayPublic => {
                ("UnableToReplayMessages", "Replay is not allowed for public channels".to_owned())
            }
            JoinFault::Replay => ("UnableToReplayMessages", "Realtime was unable to replay messages".to_owned()),
            JoinFault::Restarting => ("RealtimeRestarting", "Realtime is restarting, please standby".to_owned()),
        }
    }
}

/// That a topic may not be read.
fn unreadable(topic: &str) -> String {
    format!("You do not have permissions to read from this Channel topic: {topic}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_upstreams() {
        for (fault, reason) in [
            (JoinFault::NoTopic, "TopicNameRequired: You must provide a topic name"),
            (JoinFault::Token(TokenFault::Expired(3)), "InvalidJWTToken: Token has expired 3 seconds ago"),
            (
                JoinFault::Token(TokenFault::Signer(Some("k".to_owned()))),
                "JwtSignerError: Failed to generate JWT signer for key ID (kid) \"k\", check your JWT secret or JWKS configuration",
            ),
            (
                JoinFault::Unauthorized("room".to_owned()),
                "Unauthorized: You do not have permissions to read from this Channel topic: room",
            ),
            (JoinFault::Token(TokenFault::Unusable), "Unknown Error on Channel"),
        ] {
            assert_eq!(fault.reason(), reason);
        }
        let unreachable = "Realtime was unable to connect to the project database";
        for (fault, words) in [
            (JoinFault::Canceled("x".to_owned()), "Query was cancelled, please try again"),
            (JoinFault::Partition, unreachable),
            (JoinFault::Database, unreachable),
            (JoinFault::Token(TokenFault::Unusable), "Unknown Error on Channel"),
        ] {
            assert_eq!(fault.closing(), words);
        }
    }
}

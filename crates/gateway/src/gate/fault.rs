//! Why a request is refused before it is parsed further.

use actix_web::http::StatusCode;

/// `Retry-After` of a [busy](Fault::Busy) server, in seconds.
pub const RETRY_AFTER_SECONDS: &str = "1";

/// What is wrong with the form of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Lines end with LF alone, which other servers on the path may read differently (RFC 9112 section 2.2).
    BareLineFeed,
    /// The head is not HTTP/1.1.
    Head,
    /// The target is not a valid URL, even after encoding.
    Target,
    /// The end of the body is ambiguous.
    Length,
    /// The target is longer than [`super::MAX_TARGET`].
    LongTarget,
    /// The head is longer than [`super::MAX_HEAD`], or has too many fields.
    LongHead,
    /// It arrived too slowly.
    Slow,
    /// The [budget](crate::budget::Budget) has no room for it now.
    Busy,
}

impl Fault {
    pub(super) const ALL: [Fault; 8] = [
        Fault::BareLineFeed,
        Fault::Head,
        Fault::Target,
        Fault::Length,
        Fault::LongTarget,
        Fault::LongHead,
        Fault::Slow,
        Fault::Busy,
    ];

    /// The status.
    pub fn status(self) -> StatusCode {
        match self {
            Fault::BareLineFeed | Fault::Head | Fault::Target | Fault::Length => StatusCode::BAD_REQUEST,
            Fault::LongTarget => StatusCode::URI_TOO_LONG,
            Fault::LongHead => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Fault::Slow => StatusCode::REQUEST_TIMEOUT,
            Fault::Busy => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// The message for people.
    pub fn message(self) -> &'static str {
        match self {
            Fault::BareLineFeed => "The lines of the request must end with CR and LF",
            Fault::Head => "The request is not valid HTTP/1.1",
            Fault::Target => "The URL of the request is not valid",
            Fault::Length => "The length of the request body is not clear",
            Fault::LongTarget => "The URL of the request is too long",
            Fault::LongHead => "The headers of the request are too large",
            Fault::Slow => "The request was sent too slowly",
            Fault::Busy => "The server is holding as much data as it may, please try again",
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Fault::BareLineFeed => "bare-line-feed",
            Fault::Head => "head",
            Fault::Target => "target",
            Fault::Length => "length",
            Fault::LongTarget => "long-target",
            Fault::LongHead => "long-head",
            Fault::Slow => "slow",
            Fault::Busy => "busy",
        }
    }
}

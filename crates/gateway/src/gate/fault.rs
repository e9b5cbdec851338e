//! Why a request is refused as a whole.

use actix_web::http::StatusCode;

/// After how many seconds it makes sense to ask again a server that was [busy](Fault::Busy).
pub const RETRY_AFTER_SECONDS: &str = "1";

/// What is wrong with a request, before anybody looks at what it asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Lines end with LF alone, which other servers on the way may read differently (RFC 9112 section 2.2).
    BareLineFeed,
    /// The head is not HTTP/1.1.
    Head,
    /// The target is no URL, even when what has to be encoded is.
    Target,
    /// It is not clear where the body ends.
    Length,
    /// The target is longer than [`super::MAX_TARGET`].
    LongTarget,
    /// The head is longer than [`super::MAX_HEAD`], or has too many fields.
    LongHead,
    /// It did not come in time.
    Slow,
    /// There is no room for it in the [budget](crate::budget::Budget) at the moment.
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

    /// A sentence for a person.
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

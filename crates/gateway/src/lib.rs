//! Authentication and authorization of every request before it reaches a service.
//!
//! Invariants:
//! - only [`keys`] verifies or signs our own tokens;
//! - only [`client_ip`] reads forwarded headers; only [`public_url`] builds links; only [`http_client`] sends requests
//!   to external servers;
//! - a handler's first argument is a [`guard::Guard`]; [`route::Route`] does not compile without one;
//! - nothing here knows any one service: services bring their wire shape as [`wire::Wire`].

pub mod address;
pub mod answer;
pub mod body;
pub mod budget;
pub mod caller;
pub mod claims;
pub mod client_ip;
pub mod clock;
pub mod events;
pub mod faults;
pub mod gate;
pub mod guard;
pub mod http_client;
pub mod keys;
pub mod limits;
pub mod mail;
pub mod pace;
pub mod public_url;
pub mod request;
pub mod role_claim;
pub mod route;
pub mod secret;
pub mod service;
pub mod settings;
pub mod wire;

pub use caller::{Caller, CallerPolicy, Credential, PolicyCell};
pub use claims::Claims;
pub use clock::Clock;
pub use guard::{Anyone, Authenticated, Guard, ServiceRole};
pub use http_client::HttpClient;
pub use keys::{Keys, TokenError};
pub use public_url::PublicUrl;
pub use request::RequestContext;
pub use role_claim::RoleClaim;
pub use route::Route;
pub use secret::Secret;
pub use wire::{Refusal, Wire};

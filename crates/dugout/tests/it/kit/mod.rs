//! The tests' toolkit.
//!
//! ```ignore
//! let s = Server::start().await;
//! let ana = s.signed_up("ana@x.test").await;
//! ana.get("/rest/v1/users?select=email").await.is(200);
//! ```
//!
//! [`Server`] runs in this process over its own [`Database`], which is cloned in milliseconds from a template that is
//! made once per run. [`Launch`] starts the real binary with its own PostgreSQL, for tests that kill it. Both stop what
//! they started when they are dropped.

mod answer;
mod auth_process;
mod authenticator;
mod cable;
mod data_api;
mod database;
mod documented;
mod http_catcher;
mod launch;
mod live;
mod long;
mod mails;
mod nats;
mod node;
mod oidc_provider;
mod prepared;
mod process;
mod request;
mod saml_idp;
pub mod secrets;
mod server;
mod skip;
mod socket;
mod user;
mod wiretap;

pub use answer::Answer;
pub use auth_process::{AUTH_SECRET, AuthProcess};
pub use authenticator::Authenticator;
pub use cable::Cable;
pub use data_api::{DataApi, DataProcess};
pub use database::{Database, connect, migrations_of};
pub use http_catcher::{Caught, HttpCatcher, Saying};
pub use launch::{Account, Launch, accounts, free_port};
pub use live::{Heard, Live};
pub use long::long;
pub use mails::{Mail, Mails};
pub use nats::Nats;
pub use node::node;
pub use oidc_provider::{CLIENT_SECRET, callback, oidc_provider, signed_in};
pub use process::Process;
pub use request::{Calls, Request, streamed};
pub use saml_idp::{ENTITY_ID, saml_idp};
pub use server::{GENEROUS, Server};
pub use skip::skip;
pub use socket::Socket;
pub use user::{PASSWORD, User};
pub use wiretap::Wiretap;

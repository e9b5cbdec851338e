//! The HTTP server: actix-web's workers and dispatcher, behind a [`Gate`] on every connection.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use actix_http::body::MessageBody;
use actix_http::error::DispatchError;
use actix_http::{HttpService, Request, Response};
use actix_server::{GracefulShutdownSignal, Server, ServerBuilder};
use actix_service::{IntoServiceFactory, Service, ServiceFactory, ServiceFactoryExt, fn_service, map_config};
use actix_web::dev::AppConfig;
use actix_web::rt::net::{TcpStream, UnixStream};
use gateway::budget::Budget;
use gateway::gate::{Gate, Rules};

use crate::error::StartError;
use crate::sockets::{self, KEEP_ALIVE, Listening};

/// How long a client may take to send a request's head, from its first byte.
pub(crate) const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a refused client may go on sending its body, so that it can read the response.
const LINGER: Duration = Duration::from_secs(1);

/// Settings of one HTTP server.
pub(crate) struct Settings {
    /// Worker threads.
    pub(crate) workers: usize,
    /// How long a stop waits for requests in flight.
    pub(crate) shutdown_timeout: Duration,
    /// The memory budget for long request heads.
    pub(crate) budget: Budget,
    /// The paths at which a connection may continue in another protocol: see [`Rules::upgrades`].
    pub(crate) upgrades: Vec<String>,
}

/// Serves the app that `factory` makes for each worker.
///
/// # Errors
/// [`StartError::Http`] when the socket cannot be used.
pub(crate) fn serve<F, I, S, B>(listening: Listening, settings: &Settings, factory: F) -> Result<Server, StartError>
where
    F: Fn() -> I + Send + Clone + 'static,
    I: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig> + 'static,
    S::Error: Into<actix_web::Error> + 'static,
    S::InitError: std::fmt::Debug,
    S::Response: Into<Response<B>> + 'static,
    <S::Service as Service<Request>>::Future: 'static,
    S::Service: 'static,
    B: MessageBody + 'static,
{
    let rules = Rules::new(KEEP_ALIVE, HEAD_TIMEOUT, settings.budget.clone());
    let rules = Arc::new(Rules { upgrades: settings.upgrades.clone(), ..rules });
    let builder = ServerBuilder::default()
        .workers(settings.workers)
        .shutdown_timeout(settings.shutdown_timeout.as_secs())
        .disable_signals();
    let stopping = builder.graceful_shutdown_signal();
    let builder = match listening {
        Listening::Tcp(listener) => builder.listen("http", listener, move || {
            let (rules, stopping_soon) = (Arc::clone(&rules), stopping.clone());
            fn_service(move |stream: TcpStream| {
                sockets::accepted(&stream);
                let peer = stream.peer_addr().ok();
                let mut gate = Gate::new(stream, Arc::clone(&rules));
                if let Some(peer) = peer {
                    gate = gate.with_peer(peer.ip());
                }
                opened(gate, peer, stopping_soon.clone())
            })
            .and_then(protocol(&stopping, &factory))
        }),
        Listening::Unix(listener, _) => builder.listen_uds("http", listener, move || {
            let (rules, stopping_soon) = (Arc::clone(&rules), stopping.clone());
            fn_service(move |stream: UnixStream| {
                opened(Gate::new(stream, Arc::clone(&rules)), None, stopping_soon.clone())
            })
            .and_then(protocol(&stopping, &factory))
        }),
    };
    Ok(builder.map_err(StartError::Http)?.run())
}

/// Waits for the first byte of a request. Until then a connection costs no more than its socket.
async fn opened<T>(
    mut gate: Gate<T>,
    peer: Option<SocketAddr>,
    stopping: GracefulShutdownSignal,
) -> Result<(Gate<T>, Option<SocketAddr>), DispatchError>
where
    T: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
{
    let opened = tokio::select! {
        opened = gate.opened() => opened.map_err(DispatchError::Io)?,
        () = stopping.notified() => false,
    };
    if opened { Ok((gate, peer)) } else { Err(DispatchError::DisconnectTimeout) }
}

/// HTTP/1 over gated connections, with the app of one worker.
fn protocol<T, F, I, S, B>(
    stopping: &GracefulShutdownSignal,
    factory: &F,
) -> impl ServiceFactory<(Gate<T>, Option<SocketAddr>), Config = (), Response = (), Error = DispatchError, InitError = ()>
+ use<T, F, I, S, B>
where
    T: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + 'static,
    F: Fn() -> I,
    I: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig> + 'static,
    S::Error: Into<actix_web::Error> + 'static,
    S::InitError: std::fmt::Debug,
    S::Response: Into<Response<B>> + 'static,
    <S::Service as Service<Request>>::Future: 'static,
    S::Service: 'static,
    B: MessageBody + 'static,
{
    let stopping = stopping.clone();
    let app = factory().into_factory().map_err(|error| error.into().error_response());
    HttpService::build()
        .graceful_shutdown_signal(move || {
            let stopping = stopping.clone();
            async move { stopping.notified().await }
        })
        .keep_alive(KEEP_ALIVE)
        // The gate times heads instead: it knows when a head began.
        .client_request_timeout(Duration::ZERO)
        .client_disconnect_timeout(LINGER)
        .h1(map_config(app, |()| AppConfig::default()))
}

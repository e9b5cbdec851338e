//! HTTP/1 over the socket of a function's process, with connections that are used again.

use std::convert::Infallible;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use tokio::net::UnixStream;

/// The body of a request: that of the client, as it arrives.
pub(crate) type Body = UnsyncBoxBody<Bytes, BodyError>;

/// The client did not send the whole body.
#[derive(Debug, thiserror::Error)]
#[error("the request's body ended early")]
pub(crate) struct BodyError;

impl From<Infallible> for BodyError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// Idle connections that are kept.
const KEPT: usize = 64;

/// The connections to one process.
#[derive(Debug)]
pub(crate) struct Connections {
    socket: PathBuf,
    idle: Mutex<Vec<SendRequest<Body>>>,
}

/// A connection for one request.
#[derive(Debug)]
pub(crate) struct Connection(SendRequest<Body>);

impl Connections {
    pub(crate) fn new(socket: PathBuf) -> Self {
        Connections { socket, idle: Mutex::default() }
    }

    /// A connection that is free: one that was used before, or a new one.
    ///
    /// # Errors
    /// When the process does not listen.
    pub(crate) async fn get(&self) -> io::Result<Connection> {
        while let Some(mut sender) = self.pop() {
            if !sender.is_closed() && sender.ready().await.is_ok() {
                return Ok(Connection(sender));
            }
        }
        let stream = UnixStream::connect(&self.socket).await?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
        // It ends with the last use of the connection. Its error also reaches the request.
        tokio::spawn(async move {
            let _ = connection.with_upgrades().await;
        });
        Ok(Connection(sender))
    }

    fn pop(&self) -> Option<SendRequest<Body>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Takes a connection back whose response was read to its end.
    pub(crate) fn put_back(&self, connection: Connection) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT && !connection.0.is_closed() {
            idle.push(connection.0);
        }
    }
}

impl Connection {
    /// Sends a request.
    ///
    /// # Errors
    /// When the process ends, and when the client does not send the whole body.
    pub(crate) async fn send(&mut self, request: http::Request<Body>) -> hyper::Result<http::Response<Incoming>> {
        self.0.send_request(request).await
    }
}

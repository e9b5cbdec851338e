//! HTTP/1 over the socket of a function's process, with connections that are used again.

use std::convert::Infallible;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};

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
    idle: Mutex<Vec<Connection>>,
}

/// A connection for one request.
#[derive(Debug)]
pub(crate) struct Connection {
    sender: SendRequest<Body>,
    /// The HTTP worker thread that drives its socket. A request of another worker would have to wait for both threads.
    driver: ThreadId,
}

impl Connections {
    pub(crate) fn new(socket: PathBuf) -> Self {
        Connections { socket, idle: Mutex::default() }
    }

    /// A connection that is free: one that this thread used before, or a new one.
    ///
    /// # Errors
    /// When the process does not listen.
    pub(crate) async fn get(&self) -> io::Result<Connection> {
        while let Some(mut connection) = self.take() {
            if !connection.sender.is_closed() && connection.sender.ready().await.is_ok() {
                return Ok(connection);
            }
        }
        self.open().await
    }

    /// A new connection.
    ///
    /// # Errors
    /// When the process does not listen.
    pub(crate) async fn open(&self) -> io::Result<Connection> {
        let stream = UnixStream::connect(&self.socket).await?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
        // It ends with the last use of the connection. Its error also reaches the request.
        tokio::spawn(async move {
            let _ = connection.with_upgrades().await;
        });
        Ok(Connection { sender, driver: thread::current().id() })
    }

    fn take(&self) -> Option<Connection> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let own = idle.iter().rposition(|connection| connection.driver == thread::current().id())?;
        Some(idle.swap_remove(own))
    }

    /// Takes a connection back whose response was read to its end.
    pub(crate) fn put_back(&self, connection: Connection) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() == KEPT {
            idle.retain(|connection| !connection.sender.is_closed());
        }
        if idle.len() < KEPT && !connection.sender.is_closed() {
            idle.push(connection);
        }
    }
}

impl Connection {
    /// Sends a request.
    ///
    /// # Errors
    /// When the process ends, and when the client does not send the whole body.
    pub(crate) async fn send(&mut self, request: http::Request<Body>) -> hyper::Result<http::Response<Incoming>> {
        self.sender.send_request(request).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use http_body_util::{BodyExt, Empty};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::UnixListener;
    use tokio::runtime::{Builder, Runtime};

    use super::*;

    /// Listens at `socket`, answers every request, and counts the connections.
    fn process(runtime: &Runtime, socket: &std::path::Path) -> Arc<AtomicUsize> {
        let accepted = Arc::new(AtomicUsize::new(0));
        let (count, _entered) = (Arc::clone(&accepted), runtime.enter());
        let listener = UnixListener::bind(socket).unwrap();
        runtime.spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::Relaxed);
                tokio::spawn(async move {
                    let mut head = [0; 1024];
                    while stream.read(&mut head).await.is_ok_and(|read| read > 0) {
                        stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.unwrap();
                    }
                });
            }
        });
        accepted
    }

    async fn call(connections: &Connections) {
        let mut connection = connections.get().await.unwrap();
        let body = Empty::new().map_err(BodyError::from).boxed_unsync();
        let request = http::Request::get("/").header("host", "x").body(body).unwrap();
        assert_eq!(connection.send(request).await.unwrap().status(), 204);
        connections.put_back(connection);
    }

    #[test]
    fn a_connection_is_used_again_on_the_thread_that_drives_it() {
        let folder = std::env::temp_dir().join(format!("dugout-connections-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let accepted = process(&runtime, &folder.join("socket"));
        let connections = Connections::new(folder.join("socket"));
        let worker = || Builder::new_current_thread().enable_all().build().unwrap();
        let (first, count) = (worker(), || accepted.load(Ordering::Relaxed));
        for _ in 0..3 {
            first.block_on(call(&connections));
        }
        assert_eq!(count(), 1);
        thread::scope(|scope| drop(scope.spawn(|| worker().block_on(call(&connections)))));
        assert_eq!(count(), 2);
        first.block_on(call(&connections));
        assert_eq!(count(), 2);
        std::fs::remove_dir_all(folder).unwrap();
    }
}

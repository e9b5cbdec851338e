//! A raw connection, for bytes that no HTTP client sends.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How long an answer may take on a machine that runs many tests.
const PATIENCE: Duration = Duration::from_secs(60);

/// A TCP connection to a server.
pub struct Socket(TcpStream);

impl Socket {
    /// Connects to the server at `url`.
    pub async fn open(url: &str) -> Self {
        Socket(TcpStream::connect(url.strip_prefix("http://").unwrap()).await.unwrap())
    }

    /// Sends raw bytes. A connection that the server has already closed is not an error: the server may have answered.
    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let _ = self.0.write_all(bytes.as_ref()).await;
    }

    /// Reads until the server closes the connection.
    pub async fn rest(&mut self) -> String {
        let mut read = Vec::new();
        let ended = timeout(PATIENCE, self.0.read_to_end(&mut read)).await;
        assert!(ended.is_ok(), "the server keeps the connection open: {}", String::from_utf8_lossy(&read));
        String::from_utf8_lossy(&read).into_owned()
    }

    /// Reads until the data ends with `end`.
    pub async fn until(&mut self, end: &str) -> String {
        let mut read = Vec::new();
        while !read.ends_with(end.as_bytes()) {
            let byte = timeout(PATIENCE, self.0.read_u8()).await.expect("an answer");
            read.push(byte.unwrap_or_else(|error| panic!("{error} after {}", String::from_utf8_lossy(&read))));
        }
        String::from_utf8_lossy(&read).into_owned()
    }
}

//! `dugout rest --ready`: asks the admin server of a running instance.

use rest::config::Config;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::exit::Failure;

/// The line to print if it is ready.
///
/// # Errors
/// [`Failure`] in upstream's words if it is not ready, or cannot be reached.
pub async fn ask(config: &Config) -> Result<String, Failure> {
    let error = |text: String| Failure::plain(format!("ERROR: {text}"));
    let no_server = "Admin server is not running. Please check admin-server-port config.";
    let port = config.admin_server_port.ok_or_else(|| error(no_server.to_owned()))?;
    let host = config.admin_server_host.as_str();
    if matches!(host, "*" | "*4" | "!4" | "*6" | "!6") {
        return Err(error(format!(
            "The `--ready` flag cannot be used when server-host is configured as \"{host}\". Please update your \
             server-host config to \"localhost\"."
        )));
    }
    let authority = if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") };
    let url = format!("http://{authority}/ready");
    let port = u16::try_from(port).map_err(|_| error(format!("invalid url - {url}")))?;
    let status = status(host, port, &authority).await;
    match status.map_err(|_| error(format!("connection refused to {url}")))? {
        200..=299 => Ok(format!("OK: {url}\n")),
        _ => Err(error(url)),
    }
}

/// The status of `GET /ready`; 0 for anything that is not an HTTP response.
async fn status(host: &str, port: u16, authority: &str) -> std::io::Result<u16> {
    let mut stream = TcpStream::connect((host, port)).await?;
    let request = format!("GET /ready HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.take(64 * 1024).read_to_end(&mut answer).await?;
    let line = String::from_utf8_lossy(&answer);
    Ok(line.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0))
}

//! TLS for the stream of changes: its client knows sockets only without TLS, or with certificate checks of its own. It is
//! connected to a unix socket of ours, and what it sends goes on through a connection like those of the lanes, with the same
//! `sslmode`, certificates and addresses.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use tokio::net::UnixListener;
use tokio::task::JoinHandle;

use crate::error::Error;
use crate::lane;
use crate::target::Target;

/// The port in the name of the socket.
pub(super) const PORT: u16 = 5432;

/// A socket that leads to the server, for one connection. It ends with this value.
pub(super) struct Bridge {
    folder: Folder,
    passing: JoinHandle<()>,
}

/// A folder that only this user can open; removed with this value.
struct Folder(PathBuf);

impl Bridge {
    /// Connects to the server.
    ///
    /// # Errors
    /// [`Error::Unavailable`] with the reason: no server, no TLS where it is required, a certificate that is not trusted.
    pub(super) async fn open(target: &Target) -> Result<Self, Error> {
        let mut far = lane::open_socket(target).await?;
        let unusable =
            |error: std::io::Error| Error::Unavailable(format!("no socket for the stream of changes: {error}"));
        let folder = Folder::new().map_err(unusable)?;
        let listener = UnixListener::bind(folder.0.join(format!(".s.PGSQL.{PORT}"))).map_err(unusable)?;
        let passing = tokio::spawn(async move {
            let Ok((mut near, _)) = listener.accept().await else { return };
            drop(listener);
            // Either side sees the end of the other as the end of the connection.
            let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
        });
        Ok(Bridge { folder, passing })
    }

    /// Where the socket is.
    pub(super) fn folder(&self) -> &Path {
        &self.folder.0
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        self.passing.abort();
    }
}

impl Folder {
    fn new() -> std::io::Result<Self> {
        let name = format!("dugout-{:032x}", rand::random::<u128>());
        let path = std::env::temp_dir().join(name);
        DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that is left over in the temporary files does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

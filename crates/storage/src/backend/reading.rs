//! Sends file contents in pieces, at the client's pace.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use actix_web::body::{BodySize, MessageBody};
use bytes::BytesMut;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::at_once;
use super::files::{Files, Place};
use super::remote::{Incoming, Remote};
use super::writing::blocking;
use crate::error::StorageError;

/// Size of a read, in bytes.
const PIECE: usize = 128 * 1024;

/// A range of a version as a response body.
pub(crate) struct Bytes {
    left: u64,
    state: Reading,
}

/// The file, and the bytes read from it.
type Piece = Result<(File, bytes::Bytes), StorageError>;

enum Reading {
    Remote(Incoming),
    /// All bytes, if any are left.
    Whole(bytes::Bytes),
    Idle(Option<File>),
    Busy(Pin<Box<dyn Future<Output = Piece>>>),
}

/// A version that was found.
pub(crate) enum Opened {
    File(File),
    Remote(Remote, Place),
}

impl Files {
    /// Opens a version; returns it with its length in bytes.
    ///
    /// # Errors
    /// `NoSuchKey` if there is none.
    pub(crate) async fn open(&self, place: Place) -> Result<(Opened, u64), StorageError> {
        if let Some(remote) = self.remote() {
            let length = remote.length(&place).await?;
            return Ok((Opened::Remote(remote.clone(), place), length));
        }
        let path = self.path(&place);
        if let Some(Ok(opened)) = at_once::open(&path).map(opened) {
            return Ok(opened);
        }
        blocking(move || opened(File::open(path)?)).await
    }
}

/// A file with its length in bytes.
fn opened(file: File) -> io::Result<(Opened, u64)> {
    let metadata = file.metadata()?;
    // A key that is a prefix of another is a folder here.
    if metadata.is_dir() { Err(io::ErrorKind::NotFound.into()) } else { Ok((Opened::File(file), metadata.len())) }
}

impl Files {
    /// Whether a version is there.
    ///
    /// # Errors
    /// Those of the S3 server.
    pub(crate) async fn exists(&self, place: &Place) -> Result<bool, StorageError> {
        match self.remote() {
            None => Ok(self.path(place).is_file()),
            Some(remote) => match remote.length(place).await {
                Err(error) if error == StorageError::no_file() => Ok(false),
                found => found.map(|_| true),
            },
        }
    }
}

impl Bytes {
    /// `length` bytes starting at `first`.
    ///
    /// # Errors
    /// Disk errors.
    pub(crate) async fn of(opened: Opened, first: u64, length: u64) -> Result<Self, StorageError> {
        let mut file = match opened {
            Opened::File(file) => file,
            Opened::Remote(remote, place) => {
                let incoming = remote.get(&place, first..first.saturating_add(length)).await?;
                return Ok(Bytes { left: length, state: Reading::Remote(incoming) });
            }
        };
        if let Some(whole) = at_once::read(&file, first, length) {
            return Ok(Bytes { left: length, state: Reading::Whole(whole) });
        }
        if first > 0 {
            file = blocking(move || {
                file.seek(SeekFrom::Start(first))?;
                Ok(file)
            })
            .await?;
        }
        Ok(Bytes { left: length, state: Reading::Idle(Some(file)) })
    }

    /// The next bytes.
    ///
    /// # Errors
    /// Disk errors.
    pub(crate) async fn next(&mut self) -> Result<Option<bytes::Bytes>, StorageError> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await.transpose()
    }
}

impl MessageBody for Bytes {
    type Error = StorageError;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.left)
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<bytes::Bytes, StorageError>>> {
        loop {
            let left = self.left;
            match &mut self.state {
                Reading::Remote(incoming) => {
                    let piece = std::task::ready!(incoming.as_mut().poll_next(context));
                    match &piece {
                        Some(Ok(piece)) => self.left = left.saturating_sub(piece.len() as u64),
                        None if left > 0 => {
                            let short = StorageError::internal("the S3 server sent less than it announced");
                            return Poll::Ready(Some(Err(short)));
                        }
                        _ => {}
                    }
                    return Poll::Ready(piece);
                }
                Reading::Whole(_) if left == 0 => return Poll::Ready(None),
                Reading::Whole(whole) => {
                    let piece = std::mem::take(whole);
                    self.left = 0;
                    return Poll::Ready(Some(Ok(piece)));
                }
                Reading::Idle(_) if left == 0 => return Poll::Ready(None),
                Reading::Idle(file) => {
                    let Some(mut file) = file.take() else { return Poll::Ready(None) };
                    let wanted = usize::try_from(left).unwrap_or(PIECE).min(PIECE);
                    self.state = Reading::Busy(Box::pin(blocking(move || {
                        let mut piece = BytesMut::zeroed(wanted);
                        file.read_exact(&mut piece)?;
                        Ok((file, piece.freeze()))
                    })));
                }
                Reading::Busy(reading) => match reading.as_mut().poll(context) {
                    Poll::Pending => return Poll::Pending,
                    Poll::Ready(Err(error)) => return Poll::Ready(Some(Err(error))),
                    Poll::Ready(Ok((file, piece))) => {
                        self.left -= piece.len() as u64;
                        self.state = Reading::Idle(Some(file));
                        return Poll::Ready(Some(Ok(piece)));
                    }
                },
            }
        }
    }
}

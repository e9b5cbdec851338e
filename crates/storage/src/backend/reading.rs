//! Sends file contents in pieces, at the client's pace.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use actix_web::body::{BodySize, MessageBody};
use bytes::BytesMut;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::files::{Files, Place};
use super::writing::blocking;
use crate::error::StorageError;

/// Size of a read, in bytes.
const PIECE: usize = 128 * 1024;

/// A range of a file as a response body.
pub(crate) struct Bytes {
    left: u64,
    state: Reading,
}

/// The file, and the bytes read from it.
type Piece = Result<(File, bytes::Bytes), StorageError>;

enum Reading {
    Idle(Option<File>),
    Busy(Pin<Box<dyn Future<Output = Piece>>>),
}

impl Files {
    /// Opens a version's file; returns it with its length in bytes.
    ///
    /// # Errors
    /// `NoSuchKey` if there is none.
    pub(crate) async fn open(&self, place: Place) -> Result<(File, u64), StorageError> {
        let path = self.path(&place);
        blocking(move || {
            let file = File::open(path)?;
            let metadata = file.metadata()?;
            // A key that is a prefix of another is a folder here.
            if metadata.is_dir() { Err(io::ErrorKind::NotFound.into()) } else { Ok((file, metadata.len())) }
        })
        .await
    }
}

impl Bytes {
    /// `length` bytes starting at `first`.
    ///
    /// # Errors
    /// Disk errors.
    pub(crate) async fn of(mut file: File, first: u64, length: u64) -> Result<Self, StorageError> {
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

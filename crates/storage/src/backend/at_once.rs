//! Non-blocking reads from the page cache, so that a short object needs no blocking thread.

use std::fs::File;
use std::path::Path;

use bytes::Bytes;

/// The longest range that is read this way, in bytes.
const AT_ONCE: u64 = 256 * 1024;

/// A whole short file; `None` if reading it could block, or fails.
pub(crate) fn whole(path: &Path) -> Option<Bytes> {
    let file = open(path)?;
    read(&file, 0, file.metadata().ok()?.len())
}

/// Opens a file whose path is in the kernel's cache; `None` if opening it could block, or fails.
#[cfg(target_os = "linux")]
pub(super) fn open(path: &Path) -> Option<File> {
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};

    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    openat2(CWD, path, flags, Mode::empty(), ResolveFlags::CACHED).ok().map(File::from)
}

/// A range of a file; `None` if the range is long, or not wholly in the page cache.
#[cfg(target_os = "linux")]
pub(super) fn read(file: &File, first: u64, length: u64) -> Option<Bytes> {
    use std::io::IoSliceMut;

    use rustix::io::{ReadWriteFlags, preadv2};

    if length > AT_ONCE {
        return None;
    }
    let mut bytes = vec![0; usize::try_from(length).ok()?];
    let read = preadv2(file, &mut [IoSliceMut::new(&mut bytes)], first, ReadWriteFlags::NOWAIT).ok()?;
    (read == bytes.len()).then(|| bytes.into())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn open(_: &Path) -> Option<File> {
    None
}

#[cfg(not(target_os = "linux"))]
pub(super) fn read(_: &File, _: u64, _: u64) -> Option<Bytes> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_was_just_written_is_read_at_once_and_nothing_else_is() {
        let folder = std::env::temp_dir().join(format!("at-once-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("file");
        std::fs::write(&path, vec![7; 300_000]).unwrap();
        // Some file systems, and some sandboxes, offer neither.
        let Some(file) = open(&path).filter(|file| read(file, 0, 1).is_some()) else { return };
        assert_eq!(read(&file, 10, 3).as_deref(), Some(&[7; 3][..]));
        assert_eq!(read(&file, 0, AT_ONCE).map(|bytes| bytes.len() as u64), Some(AT_ONCE));
        assert_eq!(read(&file, 0, AT_ONCE + 1), None, "too long");
        assert_eq!(read(&file, 299_999, 2), None, "past the end");
        assert!(open(&folder.join("none")).is_none());
        std::fs::write(&path, "short").unwrap();
        assert_eq!(whole(&path).as_deref(), Some(&b"short"[..]));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

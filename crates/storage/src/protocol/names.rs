//! Names of buckets and keys of objects.
//!
//! Source: supabase/storage, `src/storage/limits.ts`.

use crate::error::StorageError;

/// Maximum length of a bucket name, in characters.
pub(crate) const BUCKET_NAME_LIMIT: usize = 100;
/// Maximum length of a key, in bytes: S3's limit.
pub(crate) const KEY_LIMIT: usize = 1024;
/// Maximum length of a part of a key between slashes, in bytes: the limit of file systems.
pub(crate) const SEGMENT_LIMIT: usize = 255;
/// Names with this suffix belong to Iceberg tables.
const RESERVED_SUFFIX: &str = "--table-s3";

fn is_safe(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_!.*'() &$=@;:+,?-".contains(&byte)
}

/// Checks the name of a bucket.
///
/// # Errors
/// `InvalidBucketName`.
pub(crate) fn bucket(name: &str) -> Result<(), StorageError> {
    let valid = !name.is_empty() && name.len() <= BUCKET_NAME_LIMIT && name.bytes().all(is_safe);
    if valid { Ok(()) } else { Err(StorageError::bucket_name()) }
}

/// Checks the name of a new bucket.
///
/// # Errors
/// `InvalidBucketName`.
pub(crate) fn new_bucket(name: &str) -> Result<(), StorageError> {
    if name.trim() != name || name.ends_with(RESERVED_SUFFIX) {
        return Err(StorageError::bucket_name());
    }
    bucket(name)
}

/// Checks a key.
///
/// DEVIATION (words): a key over 1,024 bytes, or with a part over 255 bytes, is an invalid key; upstream answers with
/// an error of the file system or of S3.
///
/// DEVIATION (more): parts of a key may be `.` and `..`, which lead to no other folder; upstream refuses them.
///
/// # Errors
/// `InvalidKey`.
pub(crate) fn key(name: &str) -> Result<(), StorageError> {
    let valid = !name.is_empty()
        && name.len() <= KEY_LIMIT
        && name.bytes().all(|byte| byte == b'/' || is_safe(byte))
        && name.split('/').all(|segment| segment.len() <= SEGMENT_LIMIT);
    if valid { Ok(()) } else { Err(StorageError::key(name)) }
}

/// True if the object stands for an empty folder: it is empty, and may have any type.
pub(crate) fn is_folder_placeholder(key: &str) -> bool {
    key.ends_with(".emptyFolderPlaceholder")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_at_their_limits() {
        for (name, valid) in [
            ("avatars", true),
            ("a b.c'd(e)!*&$=@;:+,?-_", true),
            ("", false),
            ("a/b", false),
            ("ä", false),
            ("a~b", false),
            (&"x".repeat(BUCKET_NAME_LIMIT), true),
            (&"x".repeat(BUCKET_NAME_LIMIT + 1), false),
        ] {
            assert_eq!(bucket(name).is_ok(), valid, "{name:?}");
        }
        for name in [" a", "a ", "x--table-s3"] {
            assert!(new_bucket(name).is_err(), "{name:?}");
        }
        let long = format!("{}/{}", "x".repeat(SEGMENT_LIMIT), "y".repeat(SEGMENT_LIMIT));
        let longest = format!("{long}/{long}/{}", "z".repeat(KEY_LIMIT - 2 * long.len() - 2));
        for (name, valid) in [
            ("a/b/c.png", true),
            ("a//b/", true),
            ("../../etc/passwd", true),
            ("", false),
            ("a\\b", false),
            ("a%b", false),
            ("\u{0}", false),
            ("naïve", false),
            (long.as_str(), true),
            (&format!("{long}y"), false),
            (longest.as_str(), longest.len() == KEY_LIMIT),
            (&format!("{longest}z"), false),
        ] {
            assert_eq!(key(name).is_ok(), valid, "{name:?}");
        }
    }
}

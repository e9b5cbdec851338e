//! `Range: bytes=…` with a single range (RFC 9110 section 14.2), as strict as upstream's parser.

use crate::error::StorageError;

/// First and last byte of a range in a file of `length` bytes; the end is limited to the file's.
///
/// # Errors
/// 416 `InvalidRange`.
pub(crate) fn parse(header: &str, length: u64) -> Result<(u64, u64), StorageError> {
    let (first, last) =
        header.strip_prefix("bytes=").and_then(|text| text.split_once('-')).ok_or_else(StorageError::range)?;
    let number = |text: &str| -> Result<Option<u64>, StorageError> {
        if text.is_empty() {
            return Ok(None);
        }
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(StorageError::range());
        }
        text.parse().map(Some).map_err(|_| StorageError::range())
    };
    let end = length.checked_sub(1).ok_or_else(StorageError::range)?;
    match (number(first)?, number(last)?) {
        (Some(first), last) if first <= end && last.is_none_or(|last| last >= first) => {
            Ok((first, last.unwrap_or(end).min(end)))
        }
        (None, Some(suffix)) if suffix > 0 => Ok((length.saturating_sub(suffix), end)),
        _ => Err(StorageError::range()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_range_and_no_other() {
        for (header, length, found) in [
            ("bytes=0-0", 10, Some((0, 0))),
            ("bytes=2-", 10, Some((2, 9))),
            ("bytes=2-99", 10, Some((2, 9))),
            ("bytes=-3", 10, Some((7, 9))),
            ("bytes=-99", 10, Some((0, 9))),
            ("bytes=9-9", 10, Some((9, 9))),
            ("bytes=10-", 10, None),
            ("bytes=5-4", 10, None),
            ("bytes=-0", 10, None),
            ("bytes=-", 10, None),
            ("bytes=0-1,3-4", 10, None),
            ("bytes=+1-2", 10, None),
            ("items=0-1", 10, None),
            ("bytes=0-", 0, None),
            ("bytes=99999999999999999999-", 10, None),
        ] {
            assert_eq!(parse(header, length).ok(), found, "{header} of {length}");
        }
    }
}

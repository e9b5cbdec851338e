//! Rows of a result.

use std::io;
use std::sync::Arc;

use bytes::{Buf, Bytes, BytesMut};
use fallible_iterator::FallibleIterator;
use postgres_protocol::message::backend::{DataRowBody, RowDescriptionBody};

/// A column of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name in the query.
    pub name: String,
    /// The `oid` of its type in `pg_type`.
    pub type_oid: u32,
}

/// One row; its values are in PostgreSQL's text format.
#[derive(Clone, Debug)]
pub struct Row {
    /// The body of a DataRow without the count: for each value its length (-1 for NULL) and its bytes.
    values: Bytes,
    len: usize,
}

impl Row {
    /// The approximate size on the wire, in bytes.
    pub(super) fn size(&self) -> usize {
        self.values.len()
    }

    /// Checks all lengths in a message, so that reading values cannot fail.
    pub(super) fn read(body: &DataRowBody) -> io::Result<Self> {
        let len = body.ranges().count()?;
        Ok(Row { values: body.buffer_bytes().clone(), len })
    }

    /// The value of column `index` (from 0), as a slice of the receive buffer; `None` for NULL or a missing column.
    pub fn get(&self, index: usize) -> Option<Bytes> {
        let (start, end) = self.range(index)?;
        Some(self.values.slice(start..end))
    }

    /// As [`Row::get`], as text; also `None` for invalid UTF-8, which only a database in SQL_ASCII sends.
    pub fn text(&self, index: usize) -> Option<&str> {
        let (start, end) = self.range(index)?;
        std::str::from_utf8(&self.values[start..end]).ok()
    }

    /// The number of columns.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no columns.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    // Rows are few and short (the data API asks for one row with its whole body as one value), so skipping to a
    // value is cheaper than an index of every row.
    fn range(&self, index: usize) -> Option<(usize, usize)> {
        if index >= self.len {
            return None;
        }
        let mut rest = &self.values[..];
        for _ in 0..index {
            if let Ok(skipped) = usize::try_from(rest.get_i32()) {
                rest.advance(skipped);
            }
        }
        let len = usize::try_from(rest.get_i32()).ok()?;
        let start = self.values.len() - rest.len();
        Some((start, start + len))
    }
}

/// Reads the beginning of a DataRow from `inbox`: every value but the last, and the length of the last, whose bytes
/// stay in the buffer. `None` if that has not arrived completely.
pub(super) fn head(inbox: &mut BytesMut) -> io::Result<Option<(Row, usize)>> {
    const TAG_LENGTH_COUNT: usize = 1 + 4 + 2;
    let mut rest = &inbox[..];
    if rest.len() < TAG_LENGTH_COUNT {
        return Ok(None);
    }
    rest.advance(1);
    let message = usize::try_from(rest.get_i32()).ok().and_then(|len| len.checked_sub(4 + 2)).ok_or_else(torn)?;
    let leading = usize::from(rest.get_u16()).checked_sub(1).ok_or_else(torn)?;
    for _ in 0..leading {
        let Some(len) = rest.try_get_i32().ok() else { return Ok(None) };
        let len = usize::try_from(len).unwrap_or(0);
        if rest.len() < len {
            return Ok(None);
        }
        rest.advance(len);
    }
    let values = inbox.len() - TAG_LENGTH_COUNT - rest.len();
    let Some(len) = rest.try_get_i32().ok() else { return Ok(None) };
    let len = usize::try_from(len).unwrap_or(0);
    if message != values + 4 + len {
        return Err(torn());
    }
    inbox.advance(TAG_LENGTH_COUNT);
    let row = Row { values: inbox.split_to(values).freeze(), len: leading };
    inbox.advance(4);
    Ok(Some((row, len)))
}

fn torn() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the lengths in a DataRow do not fit")
}

pub(super) fn columns(body: &RowDescriptionBody) -> io::Result<Arc<[Column]>> {
    let columns: Vec<Column> = body
        .fields()
        .map(|field| Ok(Column { name: field.name().to_owned(), type_oid: field.type_oid() }))
        .collect()?;
    Ok(columns.into())
}

/// The count at the end of a command tag such as `INSERT 0 3`; 0 if there is none.
pub(super) fn affected(tag: &str) -> u64 {
    tag.rsplit(' ').next().and_then(|count| count.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use bytes::{BufMut, BytesMut};
    use postgres_protocol::message::backend::Message;

    use super::*;

    fn row(values: &[Option<&[u8]>]) -> io::Result<Row> {
        let mut body = BytesMut::new();
        for value in values {
            body.put_i32(value.map_or(-1, |value| value.len() as i32));
            body.put_slice(value.unwrap_or_default());
        }
        data_row(values.len() as u16, &body)
    }

    fn data_row(count: u16, body: &[u8]) -> io::Result<Row> {
        let mut message = BytesMut::from(&b"D"[..]);
        message.put_i32(4 + 2 + body.len() as i32);
        message.put_u16(count);
        message.put_slice(body);
        match Message::parse(&mut message).unwrap().unwrap() {
            Message::DataRow(body) => Row::read(&body),
            _ => panic!("not a DataRow"),
        }
    }

    #[test]
    fn values_are_found_behind_nulls_and_empty_ones() {
        let row = row(&[Some(b"one"), None, Some(b""), Some("drei ⚾".as_bytes()), Some(b"\xff")]).unwrap();
        let texts: Vec<_> = (0..6).map(|index| row.text(index)).collect();
        assert_eq!(texts, [Some("one"), None, Some(""), Some("drei ⚾"), None, None]);
        assert_eq!(row.get(4), Some(Bytes::from_static(b"\xff")));
        assert_eq!((row.get(1), row.get(5), row.len()), (None, None, 5));
    }

    #[test]
    fn lengths_that_do_not_fit_are_refused_on_arrival() {
        for (count, body) in [(1, &b"\0\0\0\x05abc"[..]), (2, b"\0\0\0\x01a"), (1, b"\0\0\0\x01ab"), (1, b"\0\0")] {
            assert!(data_row(count, body).is_err(), "{count} {body:?}");
        }
    }

    #[test]
    fn the_head_of_a_row_is_all_but_its_last_value() {
        let mut message = BytesMut::from(&b"D\0\0\0\x1a\0\x03\0\0\0\x02ab\xff\xff\xff\xff\0\0\0\x06la"[..]);
        let whole = message.len() - 2;
        for len in 0..whole {
            assert!(head(&mut BytesMut::from(&message[..len])).unwrap().is_none(), "{len}");
        }
        let (row, len) = head(&mut message).unwrap().unwrap();
        assert_eq!((row.len(), row.text(0), row.get(1), row.get(2), len), (2, Some("ab"), None, None, 6));
        assert_eq!(&message[..], b"la");
        for torn in [&b"D\0\0\0\x06\0\0"[..], b"D\0\0\0\x0b\0\x01\0\0\0\x02", b"D\0\0\0\x02\0\x01"] {
            assert!(head(&mut BytesMut::from(torn)).is_err(), "{torn:?}");
        }
    }

    #[test]
    fn tags_end_in_a_count_or_not() {
        for (tag, count) in [("INSERT 0 3", 3), ("SELECT 12", 12), ("BEGIN", 0), ("CREATE TABLE", 0), ("", 0)] {
            assert_eq!(affected(tag), count, "{tag}");
        }
    }
}

//! Messages of `pgoutput`, protocol version 1.
//!
//! <https://www.postgresql.org/docs/current/protocol-logicalrep-message-formats.html>

use std::collections::HashMap;
use std::sync::Arc;

use bytes::{Buf, Bytes};

use super::{Change, Datum, Kind};

/// A table as it was when the following changes were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// Its oid.
    pub oid: u32,
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// What is sent of old rows.
    pub identity: Identity,
    /// Its columns, those that are published.
    pub columns: Vec<Column>,
}

/// What is sent of old rows (`REPLICA IDENTITY`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The primary key, or the columns of an index.
    Key,
    /// Everything.
    Full,
    /// Nothing.
    Nothing,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The oid of its type.
    pub type_oid: u32,
    /// Whether it identifies the row.
    pub is_key: bool,
}

/// The change in a message; relations are remembered, everything else is `None`.
pub(super) fn message(
    data: &Bytes,
    relations: &mut HashMap<u32, Arc<Relation>>,
) -> Result<Option<Change>, &'static str> {
    let mut rest = Reader(data.clone());
    match rest.byte()? {
        b'R' => {
            let relation = relation(&mut rest)?;
            relations.insert(relation.oid, Arc::new(relation));
            Ok(None)
        }
        kind @ (b'I' | b'U' | b'D') => {
            let relation = relations.get(&rest.int()?).ok_or("a change of an unknown relation")?;
            let (mut old, mut new) = (Vec::new(), Vec::new());
            while rest.0.has_remaining() {
                match rest.byte()? {
                    b'N' => new = rest.row()?,
                    b'K' | b'O' => old = rest.row()?,
                    _ => return Err("an unknown part of a row"),
                }
            }
            let kind = match kind {
                b'I' => Kind::Insert,
                b'U' => Kind::Update,
                _ => Kind::Delete,
            };
            Ok(Some(Change { relation: Arc::clone(relation), kind, old, new }))
        }
        _ => Ok(None),
    }
}

fn relation(rest: &mut Reader) -> Result<Relation, &'static str> {
    let (oid, schema, name) = (rest.int()?, rest.string()?, rest.string()?);
    let identity = match rest.byte()? {
        b'f' => Identity::Full,
        b'n' => Identity::Nothing,
        _ => Identity::Key,
    };
    let number = rest.short()?;
    let column = |rest: &mut Reader| {
        let is_key = rest.byte()? & 1 == 1;
        let (name, type_oid, _modifier) = (rest.string()?, rest.int()?, rest.int()?);
        Ok(Column { name, type_oid, is_key })
    };
    let columns = (0..number).map(|_| column(rest)).collect::<Result<_, &'static str>>()?;
    // An empty schema stands for pg_catalog.
    let schema = if schema.is_empty() { "pg_catalog".to_owned() } else { schema };
    Ok(Relation { oid, schema, name, identity, columns })
}

const SHORT: &str = "a message is too short";

struct Reader(Bytes);

impl Reader {
    fn byte(&mut self) -> Result<u8, &'static str> {
        self.0.try_get_u8().map_err(|_| SHORT)
    }

    fn short(&mut self) -> Result<u16, &'static str> {
        self.0.try_get_u16().map_err(|_| SHORT)
    }

    fn int(&mut self) -> Result<u32, &'static str> {
        self.0.try_get_u32().map_err(|_| SHORT)
    }

    fn string(&mut self) -> Result<String, &'static str> {
        let end = self.0.iter().position(|byte| *byte == 0).ok_or(SHORT)?;
        let text = self.0.split_to(end);
        self.0.advance(1);
        String::from_utf8(text.to_vec()).map_err(|_| "a name is not UTF-8")
    }

    fn row(&mut self) -> Result<Vec<Datum>, &'static str> {
        let number = self.short()?;
        (0..number).map(|_| self.datum()).collect()
    }

    fn datum(&mut self) -> Result<Datum, &'static str> {
        match self.byte()? {
            b'n' => Ok(Datum::Null),
            b'u' => Ok(Datum::Unchanged),
            b't' => {
                let length = usize::try_from(self.int()?).map_err(|_| SHORT)?;
                if length > self.0.len() {
                    return Err(SHORT);
                }
                Ok(Datum::Text(self.0.split_to(length)))
            }
            _ => Err("an unknown kind of value"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation_message() -> Vec<u8> {
        let mut message = vec![b'R'];
        message.extend(7_u32.to_be_bytes());
        message.extend(b"public\0notes\0d");
        message.extend(2_u16.to_be_bytes());
        for (flags, name, oid) in [(1, "id", 23_u32), (0, "body", 25)] {
            message.push(flags);
            message.extend(name.as_bytes());
            message.push(0);
            message.extend(oid.to_be_bytes());
            message.extend((-1_i32).to_be_bytes());
        }
        message
    }

    #[test]
    fn changes_are_read_with_their_relation() {
        let mut relations = HashMap::new();
        assert!(message(&relation_message().into(), &mut relations).unwrap().is_none());
        assert_eq!(relations[&7].columns[0], Column { name: "id".to_owned(), type_oid: 23, is_key: true });
        let mut update = vec![b'U'];
        update.extend(7_u32.to_be_bytes());
        update.extend(b"K\0\x02t\0\0\0\x011nN\0\x02t\0\0\0\x012u");
        let change = message(&update.clone().into(), &mut relations).unwrap().unwrap();
        assert_eq!((change.kind, change.relation.name.as_str()), (Kind::Update, "notes"));
        assert_eq!(change.old, [Datum::Text(Bytes::from_static(b"1")), Datum::Null]);
        assert_eq!((change.new[0].text(), &change.new[1]), (Some("2"), &Datum::Unchanged));
        // Every shorter message is refused, none panics.
        for length in 0..update.len() {
            let short = Bytes::copy_from_slice(&update[..length]);
            let found = message(&short, &mut relations);
            assert!(
                found.is_err() || found.is_ok_and(|change| change.is_none_or(|change| change.new.is_empty())),
                "{length}"
            );
        }
        let whole = relation_message();
        for length in 0..whole.len() {
            assert!(message(&Bytes::copy_from_slice(&whole[..length]), &mut relations).is_err(), "{length}");
        }
    }
}

//! Pages of users.

use chrono::{DateTime, Utc};
use pg::pool::Connection;
use pg::{Error, Snippet};

use super::super::unreadable;
use crate::model::account::User;
use crate::model::pagination::Cursor;

/// The users of an audience, optionally only those that match `filter`.
#[derive(Clone, Copy)]
pub(crate) struct Selection<'a> {
    pub(crate) aud: &'a str,
    pub(crate) filter: &'a str,
}

/// Sort columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SortField {
    CreatedAt,
    UpdatedAt,
    LastSignInAt,
    Email,
    Phone,
    Id,
}

/// The sort direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Ascending,
    Descending,
}

/// A sort column with its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) field: SortField,
    pub(crate) direction: Direction,
}

/// The range of rows.
#[derive(Debug)]
pub(crate) enum Span {
    /// Offset and limit.
    Offset(i64, i64),
    /// The row to start after, and the limit; only useful when sorted by [`SortField::CreatedAt`].
    After(Option<Cursor>, i64),
}

impl SortField {
    /// The sort column with this name.
    ///
    /// DEVIATION (more): user lists can also be sorted by `updated_at`, `last_sign_in_at`, `email`, `phone` and `id`;
    /// GoTrue only supports `created_at`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "created_at" => SortField::CreatedAt,
            "updated_at" => SortField::UpdatedAt,
            "last_sign_in_at" => SortField::LastSignInAt,
            "email" => SortField::Email,
            "phone" => SortField::Phone,
            "id" => SortField::Id,
            _ => return None,
        })
    }

    fn column(self) -> &'static str {
        match self {
            SortField::CreatedAt => "u.created_at",
            SortField::UpdatedAt => "u.updated_at",
            SortField::LastSignInAt => "u.last_sign_in_at",
            SortField::Email => "u.email",
            SortField::Phone => "u.phone",
            SortField::Id => "u.id",
        }
    }
}

impl Direction {
    fn sql(self) -> &'static str {
        match self {
            Direction::Ascending => " asc nulls last",
            Direction::Descending => " desc nulls last",
        }
    }
}

impl Selection<'_> {
    /// DEVIATION (more): the filter of user lists matches parts of e-mail addresses case-insensitively, parts of phone
    /// numbers, and ids; GoTrue matches e-mail addresses case-sensitively, and full names.
    fn narrow(self, sql: &mut Snippet) {
        sql.push(" and u.aud = ").param(self.aud.to_owned());
        if self.filter.is_empty() {
            return;
        }
        let pattern = format!("%{}%", self.filter);
        for (place, operator) in [
            (" and (u.email", " ilike "),
            (" or u.phone", " like "),
            (" or u.raw_user_meta_data ->> 'full_name'", " ilike "),
        ] {
            sql.push(place).push(operator).param(pattern.clone());
        }
        sql.push(" or u.id::text = lower(").param(self.filter.to_owned()).push("))");
    }
}

/// The number of users.
pub(crate) async fn count(db: &Connection, selection: Selection<'_>) -> Result<u64, Error> {
    let mut sql = Snippet::raw(include_str!("count.sql"));
    selection.narrow(&mut sql);
    let rows = db.rows(&sql).await?;
    let count: i64 = rows.first().map_or(Ok(0), |row| row.try_get("count")).map_err(unreadable)?;
    Ok(u64::try_from(count).unwrap_or_default())
}

/// The start of a page of users; conditions, order and limit follow.
const PAGE: &str = concat!(
    "select ",
    sql!("users/columns.sql"),
    ", '[]'::json as identities, '[]'::json as factors ",
    sql!("users/all.sql")
);

/// Users, without identities and factors.
pub(crate) async fn page(
    db: &Connection,
    selection: Selection<'_>,
    order: &[Order],
    span: Span,
) -> Result<Vec<User>, Error> {
    let mut sql = Snippet::raw(PAGE);
    selection.narrow(&mut sql);
    let direction = order.last().map_or(Direction::Descending, |order| order.direction);
    if let Span::After(Some(cursor), _) = &span {
        begin_after(&mut sql, cursor, direction);
    }
    sql.push(" order by ");
    for by in order {
        sql.push(by.field.column()).push(by.direction.sql()).push(", ");
    }
    // The id makes the order unique: no row is on two pages or missing.
    sql.push("u.id").push(direction.sql()).push(" limit ");
    match span {
        Span::Offset(offset, limit) => sql.integer(limit).push(" offset ").integer(offset),
        Span::After(_, limit) => sql.integer(limit),
    };
    let rows = db.rows(&sql).await?;
    rows.iter().map(User::from_row).collect::<Result<_, _>>().map_err(unreadable)
}

fn begin_after(sql: &mut Snippet, cursor: &Cursor, direction: Direction) {
    let created_at: DateTime<Utc> = cursor.created_at;
    sql.push(" and (u.created_at, u.id) ").push(if direction == Direction::Ascending { ">" } else { "<" });
    sql.push(" (").param(created_at.to_rfc3339()).push("::timestamptz, ").param(cursor.id.to_string()).push("::uuid)");
}

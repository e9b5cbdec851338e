//! Pages of users.

use chrono::{DateTime, Utc};
use pg::pool::Connection;
use pg::{Error, Snippet};

use super::super::unreadable;
use crate::model::account::User;
use crate::model::pagination::Cursor;

/// Which users: those of an audience, and of them those in whom `filter` is found, unless it is empty.
#[derive(Clone, Copy)]
pub(crate) struct Selection<'a> {
    pub(crate) aud: &'a str,
    pub(crate) filter: &'a str,
}

/// What users are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SortField {
    CreatedAt,
    UpdatedAt,
    LastSignInAt,
    Email,
    Phone,
    Id,
}

/// Up or down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Ascending,
    Descending,
}

/// A field and a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) field: SortField,
    pub(crate) direction: Direction,
}

/// Which rows of those selected.
#[derive(Debug)]
pub(crate) enum Span {
    /// Rows to pass over, and rows at most.
    Offset(i64, i64),
    /// The row after which to begin, and rows at most; only sensible when sorted by [`SortField::CreatedAt`].
    After(Option<Cursor>, i64),
}

impl SortField {
    /// The one of this name.
    ///
    /// DEVIATION: lists of users can be sorted by `updated_at`, `last_sign_in_at`, `email`, `phone` and `id`, too; GoTrue
    /// takes `created_at` only.
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
    /// DEVIATION: the filter of lists of users finds parts of addresses whatever the case, parts of phone numbers, and
    /// ids, too; GoTrue looks into addresses with the case as given, and into full names.
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

/// How many users there are.
pub(crate) async fn count(db: &Connection, selection: Selection<'_>) -> Result<u64, Error> {
    let mut sql = Snippet::raw(include_str!("count.sql"));
    selection.narrow(&mut sql);
    let rows = db.rows(&sql).await?;
    let count: i64 = rows.first().map_or(Ok(0), |row| row.try_get("count")).map_err(unreadable)?;
    Ok(u64::try_from(count).unwrap_or_default())
}

/// Users, without identities and factors.
pub(crate) async fn page(
    db: &Connection,
    selection: Selection<'_>,
    order: &[Order],
    span: Span,
) -> Result<Vec<User>, Error> {
    let mut sql = Snippet::raw(include_str!("page.sql"));
    selection.narrow(&mut sql);
    let direction = order.last().map_or(Direction::Descending, |order| order.direction);
    if let Span::After(Some(cursor), _) = &span {
        begin_after(&mut sql, cursor, direction);
    }
    sql.push(" order by ");
    for by in order {
        sql.push(by.field.column()).push(by.direction.sql()).push(", ");
    }
    // The id makes the order certain: no row is on two pages, or on none.
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

//! `GET /admin/users`
//!
//! Source: supabase/auth, `internal/api/admin.go` and `sorting.go`, `internal/models/user.go`.

use actix_web::HttpResponse;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::administrator::AdminToken;
use crate::model::account::UserBody;
use crate::model::pagination::{Cursor, Keyset, Page};
use crate::model::requester::Requester;
use crate::state::State;
use crate::store::users::{self, Direction, Order, SortField, Span};

const FAILED: &str = "Database error finding users";

/// A page of users.
#[derive(Serialize, ToSchema)]
pub(crate) struct UsersBody {
    /// Without their identities and factors.
    users: Vec<UserBody>,
    aud: String,
    /// Present with cursor pagination.
    #[serde(skip_serializing_if = "Option::is_none")]
    pagination: Option<PaginationBody>,
}

/// The cursor of the next page.
#[derive(Serialize, ToSchema)]
pub(crate) struct PaginationBody {
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    has_more: bool,
}

/// The users of an audience, newest first.
#[utoipa::path(get, path = "/admin/users", tag = "admin", security(("admin" = [])),
    params(
        ("page" = Option<u64>, Query, description = "From 1"),
        ("per_page" = Option<u64>, Query, description = "50 when not given"),
        ("filter" = Option<String>, Query, description = "Part of an e-mail address, a phone number or a full name, or an id"),
        ("sort" = Option<Vec<String>>, Query, description = "created_at, updated_at, last_sign_in_at, email, phone or id, and \
            asc or desc after a space; desc when not given"),
        ("limit" = Option<u64>, Query, description = "Rows of a page by cursor"),
        ("cursor" = Option<String>, Query, description = "From the last page, where pages are named by cursors"),
    ),
    responses((status = 200, body = UsersBody), (status = 400), (status = 401), (status = 403)))]
pub(crate) async fn list_users(token: AdminToken, requester: Requester) -> Result<HttpResponse, AuthError> {
    let admin = token.enter().await?;
    let state = admin.state();
    let aud = requester.audience(&state.config);
    let order = order(&requester.parameters("sort")).map_err(AuthError::BadSort)?;
    let filter = requester.parameter("filter");
    let selection = users::Selection { aud, filter: &filter };
    let by_number = ["page", "per_page"].iter().any(|name| !requester.parameter(name).is_empty());
    if state.config.experimental.cursor_pagination && !by_number {
        return by_cursor(state, &requester, selection, &order).await;
    }
    let page = Page::of(&requester).map_err(AuthError::BadPage)?;
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    let total = users::count(&db, selection).await.or_fault(FAILED)?;
    let span = Span::Offset(page.offset(), page.limit());
    let found = users::page(&db, selection, &order, span).await.or_fault(FAILED)?;
    let mut response = HttpResponse::Ok();
    page.announce(&mut response, &requester, total);
    Ok(response.json(UsersBody { users: bodies(found), aud: aud.to_owned(), pagination: None }))
}

async fn by_cursor(
    state: &State,
    requester: &Requester,
    selection: users::Selection<'_>,
    order: &[Order],
) -> Result<HttpResponse, AuthError> {
    let Some(Order { field: SortField::CreatedAt, direction }) = order.first().copied() else {
        return Err(AuthError::BadSort("pages by cursor are sorted by created_at only".to_owned()));
    };
    let Keyset { limit, after } = Keyset::of(requester).map_err(AuthError::BadPage)?;
    let order = [Order { field: SortField::CreatedAt, direction }];
    let db = state.pool.get().await.or_fault(UNEXPECTED)?;
    // One row more than the page, to find out whether there is a next page.
    let span = Span::After(after, limit + 1);
    let mut found = users::page(&db, selection, &order, span).await.or_fault(FAILED)?;
    let has_more = i64::try_from(found.len()).is_ok_and(|found| found > limit);
    if has_more {
        found.pop();
    }
    let last = found.last().map(|user| Cursor { created_at: user.created_at, id: user.id }).filter(|_| has_more);
    let mut response = HttpResponse::Ok();
    if let Some(next) = &last {
        Keyset::announce(&mut response, requester, next);
    }
    let pagination = PaginationBody { next_cursor: last.map(|next| next.encode()), has_more };
    let aud = selection.aud.to_owned();
    Ok(response.json(UsersBody { users: bodies(found), aud, pagination: Some(pagination) }))
}

fn bodies(found: Vec<crate::model::account::User>) -> Vec<UserBody> {
    found.into_iter().map(|user| UserBody { identities: None, ..user.into() }).collect()
}

/// Reads the `sort` parameters: a field, and after a space the direction.
fn order(wishes: &[String]) -> Result<Vec<Order>, String> {
    if wishes.is_empty() {
        return Ok(vec![Order { field: SortField::CreatedAt, direction: Direction::Descending }]);
    }
    let read = |wish: &String| {
        let (name, direction) = wish.split_once(' ').map_or((wish.as_str(), None), |(name, rest)| (name, Some(rest)));
        let field = SortField::named(name).ok_or_else(|| format!("bad field for sort '{name}'"))?;
        let direction = match direction.map(str::to_ascii_uppercase).as_deref() {
            None | Some("DESC") => Direction::Descending,
            Some("ASC") => Direction::Ascending,
            Some(_) => {
                let given = direction.unwrap_or_default();
                return Err(format!("bad direction for sort '{given}', only 'asc' and 'desc' allowed"));
            }
        };
        Ok(Order { field, direction })
    };
    wishes.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorting_is_read_or_refused_in_gotrues_words() {
        let read = |wish: &str| order(&[wish.to_owned()]).map(|order| (order[0].field, order[0].direction));
        for (wish, expected) in [
            ("created_at", Ok((SortField::CreatedAt, Direction::Descending))),
            ("email ASC", Ok((SortField::Email, Direction::Ascending))),
            ("last_sign_in_at desc", Ok((SortField::LastSignInAt, Direction::Descending))),
            ("encrypted_password", Err("bad field for sort 'encrypted_password'")),
            ("", Err("bad field for sort ''")),
            ("email up", Err("bad direction for sort 'up', only 'asc' and 'desc' allowed")),
            ("email  asc", Err("bad direction for sort ' asc', only 'asc' and 'desc' allowed")),
        ] {
            assert_eq!(read(wish), expected.map_err(str::to_owned), "{wish}");
        }
        assert_eq!(order(&[]).unwrap().len(), 1);
    }
}

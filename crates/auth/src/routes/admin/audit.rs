//! `GET /admin/audit`
//!
//! Source: supabase/auth, `internal/api/audit.go`.

use actix_web::HttpResponse;

use crate::error::AuthError;
use crate::error::fault::OrFault;
use crate::flows::administrator::AdminToken;
use crate::model::audit_log_entry::AuditLogEntry;
use crate::model::pagination::Page;
use crate::model::requester::Requester;
use crate::store::audit_log_entries;

const FAILED: &str = "Error searching for audit logs";

/// The audit log, newest first.
#[utoipa::path(get, path = "/admin/audit", tag = "admin", security(("admin" = [])),
    params(
        ("page" = Option<u64>, Query, description = "From 1"),
        ("per_page" = Option<u64>, Query, description = "50 when not given"),
        ("query" = Option<String>, Query, description = "author:, action: or type: and a part of it"),
    ),
    responses((status = 200, body = Vec<AuditLogEntry>), (status = 400), (status = 401), (status = 403)))]
pub(crate) async fn audit_log(token: AdminToken, requester: Requester) -> Result<HttpResponse, AuthError> {
    let admin = token.enter().await?;
    let state = admin.state();
    let page = Page::of(&requester).map_err(AuthError::BadPage)?;
    let query = requester.parameter("query");
    let (keys, part) = scope(&query).ok_or_else(|| AuthError::AuditScope(query.clone()))?;
    let db = state.pool.get().await.or_fault(FAILED)?;
    let total = audit_log_entries::count(&db, keys, part).await.or_fault(FAILED)?;
    let entries = audit_log_entries::page(&db, keys, part, page.offset(), page.limit()).await.or_fault(FAILED)?;
    let mut response = HttpResponse::Ok();
    page.announce(&mut response, &requester, total);
    Ok(response.json(entries))
}

/// The keys to search and the text to find. No keys match everything.
fn scope(query: &str) -> Option<(&'static [&'static str], &str)> {
    if query.is_empty() {
        return Some((&[], ""));
    }
    let (name, part) = query.split_once(':')?;
    let keys: &[&str] = match name {
        "author" => &["actor_username", "actor_name"],
        "action" => &["action"],
        "type" => &["log_type"],
        _ => return None,
    };
    Some((keys, part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_gotrues() {
        for (query, expected) in [
            ("", Some((&[][..], ""))),
            ("author:ana", Some((&["actor_username", "actor_name"][..], "ana"))),
            ("action:a:b", Some((&["action"][..], "a:b"))),
            ("type:", Some((&["log_type"][..], ""))),
            ("type", None),
            ("payload:x", None),
        ] {
            assert_eq!(scope(query), expected, "{query}");
        }
    }
}

//! Computes header values.

use http::StatusCode;
use percent_encoding::utf8_percent_encode;

use super::answer::Answer;
use crate::config::UPSTREAM_VERSION;
use crate::plan::mutate::MutatePlan;
use crate::plan::node::ReadNode;
use crate::plan::{DbPlan, Kind};
use crate::request::query::UNRESERVED;
use crate::request::{ApiRequest, Mutation};

/// `first-last/total`, with `*` for an empty range or an unknown total.
pub(crate) fn content_range(lower: i128, rows: i64, total: Option<i64>) -> String {
    let upper = lower + i128::from(rows) - 1;
    let range = if total != Some(0) && lower <= upper { format!("{lower}-{upper}") } else { "*".to_owned() };
    let total = total.map_or_else(|| "*".to_owned(), |total| total.to_string());
    format!("{range}/{total}")
}

/// Whether the page is complete, partial, or beyond the last row.
pub(crate) fn range_status(lower: i128, rows: i64, total: Option<i64>) -> StatusCode {
    match total {
        Some(total) if lower > i128::from(total) => StatusCode::RANGE_NOT_SATISFIABLE,
        Some(total) if rows < total => StatusCode::PARTIAL_CONTENT,
        _ => StatusCode::OK,
    }
}

/// Embeds that a parameter referred to by name although they have an alias, with that alias.
pub(crate) fn legacy_names(read: &ReadNode) -> Vec<(String, String)> {
    fn collect(node: &ReadNode, names: &mut Vec<(String, String)>) {
        if let Some(alias) = node.alias.as_ref().filter(|_| node.legacy_name) {
            names.push((node.name.clone(), alias.clone()));
        }
        node.children.iter().for_each(|child| collect(child, names));
    }
    let mut names = Vec::new();
    collect(read, &mut names);
    names
}

/// Warns that upstream will stop supporting such names.
pub(crate) fn warn_of_legacy_names(answer: &mut Answer, read: &ReadNode) {
    let names = legacy_names(read);
    if !names.is_empty() {
        let agent = UPSTREAM_VERSION.replace(' ', "");
        let names: Vec<String> = names.iter().map(|(name, alias)| format!("`{name}` to `{alias}`")).collect();
        let text = format!(
            "299 PostgRESTv{agent} \"Embedded resource was referenced by relation name even though it has an alias. This \
             is deprecated and will stop working in a future release. Update {} in query string filters, orders or \
             limits.\"",
            names.join(", ")
        );
        answer.set(http::header::WARNING, &text);
    }
}

/// The URL of the only written row.
pub(crate) fn location(relation: &str, key: &[(String, Option<String>)]) -> String {
    let encode = |text: &str| utf8_percent_encode(text, UNRESERVED).to_string();
    let pairs = key.iter().map(|(column, value)| match value {
        Some(value) => format!("{}={}", encode(column), encode(&format!("eq.{value}"))),
        None => format!("{}=is.null", encode(column)),
    });
    format!("/{relation}?{}", pairs.collect::<Vec<_>>().join("&"))
}

/// The preferences that applied to this plan.
pub(crate) fn preference_applied(plan: &DbPlan, request: &ApiRequest) -> Option<String> {
    let mut prefer = request.prefer.clone();
    let mutation = match &plan.kind {
        Kind::Mutate { mutation, .. } => Some(*mutation),
        _ => None,
    };
    let has_key = match &plan.kind {
        Kind::Mutate { mutation: Mutation::Create, plan: MutatePlan::Insert(insert) } => {
            !insert.primary_key.is_empty() || request.query.on_conflict.is_some()
        }
        _ => false,
    };
    if !has_key {
        prefer.resolution = None;
    }
    if mutation.is_none() {
        prefer.representation = None;
    }
    if !matches!(mutation, Some(Mutation::Create | Mutation::Update)) {
        prefer.missing = None;
    }
    let limited =
        matches!(plan.kind, Kind::Call { .. }) || matches!(mutation, Some(Mutation::Update | Mutation::Delete));
    if !limited {
        prefer.max_affected = None;
    }
    prefer.applied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        for (lower, rows, total, text, status) in [
            (0, 5, None, "0-4/*", 200),
            (0, 0, None, "*/*", 200),
            (0, 5, Some(5), "0-4/5", 200),
            (0, 5, Some(9), "0-4/9", 206),
            (9, 0, Some(9), "*/9", 206),
            (10, 0, Some(9), "*/9", 416),
            (0, 0, Some(0), "*/0", 200),
            (1, 0, Some(3), "*/3", 206),
        ] {
            assert_eq!(content_range(lower, rows, total), text);
            assert_eq!(range_status(lower, rows, total), status, "{text}");
        }
    }

    #[test]
    fn locations_are_encoded() {
        let key = [("id".to_owned(), Some("a b".to_owned())), ("k".to_owned(), None)];
        assert_eq!(location("t", &key), "/t?id=eq.a%20b&k=is.null");
    }
}

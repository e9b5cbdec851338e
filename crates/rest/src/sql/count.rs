//! Counts the rows of a resource without its window.

use pg::Snippet;

use super::condition::{condition_with, join_on, where_all};
use super::read::from;
use crate::plan::node::ReadNode;
use crate::request::select::Join;

/// Selects one row for each row of the resource that matches. Embeds count only if they filter rows.
pub(super) fn query(node: &ReadNode) -> Snippet {
    let relation = node.qualifier();
    let exists = |child: &ReadNode, negated: bool| {
        let mut sql = Snippet::raw(if negated { "exists (" } else { "not exists (" });
        sql.append(query(child)).push(")");
        sql
    };
    let embed_test = |alias: &str, negated: bool| {
        let child = node.children.iter().find(|child| child.rows_alias == alias);
        child.map_or_else(|| Snippet::raw("true"), |child| exists(child, negated))
    };
    let conditions = node.conditions.iter().map(|c| condition_with(&relation, c, &embed_test));
    let joins = node.join_on.iter().map(join_on);
    let inner = node.children.iter().filter(|child| child.join == Join::Inner).map(|child| exists(child, true));
    let mut sql = Snippet::raw("select 1");
    sql.append(from(node)).append(where_all(conditions.chain(joins).chain(inner).collect()));
    sql
}

//! Which columns of views are never null. PostgreSQL does not say so; it follows from their queries where a column is a plain
//! reference to a column that is never null, and not on the nullable side of an outer join.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::catalog::{Catalog, View};
use super::node::Node;

/// Kinds of a range table's entries and of joins (`nodes/parsenodes.h`, `nodes/nodes.h`).
const RELATION: i64 = 0;
const SUBQUERY: i64 = 1;
const JOIN: i64 = 2;
const CTE: i64 = 6;
const GROUP: i64 = 9;
const INNER_JOIN: i64 = 0;
const LEFT_JOIN: i64 = 1;
const RIGHT_JOIN: i64 = 3;

/// Makes such columns not nullable, and those with a comment `@notNull`.
pub(super) fn apply(catalog: &mut Catalog) {
    let asked: Vec<&View> = catalog.views.iter().collect();
    let mut analysis = Analysis::new(&asked);
    let never_null: HashMap<i64, BTreeSet<i64>> =
        asked.iter().map(|view| (view.id, analysis.of_view(view.id))).collect();
    for (id, columns) in &mut catalog.columns {
        let Some(never_null) = never_null.get(id) else { continue };
        for column in columns {
            let is_declared = column.comment.lines().any(|line| line.trim() == "@notNull");
            if never_null.contains(&column.number) || is_declared {
                column.is_nullable = false;
            }
        }
    }
}

struct Analysis<'a> {
    views: HashMap<i64, &'a View>,
    /// Columns of tables that are never null.
    not_null: HashSet<(i64, i64)>,
    found: HashMap<i64, BTreeSet<i64>>,
}

/// The queries around an expression, the innermost last.
type Scope<'a> = [&'a Node];

impl<'a> Analysis<'a> {
    fn new(views: &[&'a View]) -> Self {
        Analysis {
            views: views.iter().map(|view| (view.id, *view)).collect(),
            not_null: views.iter().flat_map(|view| view.not_null.iter().copied()).collect(),
            found: HashMap::new(),
        }
    }

    /// Numbers of the columns that are never null.
    fn of_view(&mut self, id: i64) -> BTreeSet<i64> {
        if let Some(found) = self.found.get(&id) {
            return found.clone();
        }
        // A view that reads itself through others proves nothing.
        self.found.insert(id, BTreeSet::new());
        let tree = self.views.get(&id).and_then(|view| Node::parse(&view.query));
        let query = tree.as_ref().and_then(|tree| tree.items().first());
        let mut columns = BTreeSet::new();
        if let Some(query) = query.filter(|query| is_plain(query)) {
            for entry in targets(query) {
                let number = entry.get("resno").and_then(Node::number);
                let is_junk = entry.get("resjunk").and_then(Node::text) == Some("true");
                if let (Some(number), false, Some(expression)) = (number, is_junk, entry.get("expr"))
                    && self.is_never_null(expression, &[query])
                {
                    columns.insert(number);
                }
            }
        }
        self.found.insert(id, columns.clone());
        columns
    }

    fn is_column_never_null(&mut self, relation: i64, column: i64) -> bool {
        if self.views.contains_key(&relation) {
            return self.of_view(relation).contains(&column);
        }
        self.not_null.contains(&(relation, column))
    }

    fn is_never_null(&mut self, expression: &Node, scope: &Scope<'_>) -> bool {
        self.reference(expression, scope).unwrap_or(false)
    }

    /// `None` for whatever is no plain reference to a column.
    fn reference(&mut self, expression: &Node, scope: &Scope<'_>) -> Option<bool> {
        let query = *scope.last()?;
        let variable = expression.as_kind("VAR")?;
        let number = |name: &str| variable.get(name).and_then(Node::number);
        let (entry, column) = (number("varno")?, number("varattno")?);
        if number("varlevelsup")? != 0 || column <= 0 || outer_joined(query).contains(&entry) {
            return None;
        }
        let entries = field(query, "rtable")?.items();
        let entry = entries.get(usize::try_from(entry).ok()?.checked_sub(1)?)?.as_kind("RANGETBLENTRY")?;
        let nth = |list: &str| entry.get(list)?.items().get(usize::try_from(column).ok()? - 1);
        match entry.get("rtekind")?.number()? {
            RELATION => Some(self.is_column_never_null(entry.get("relid")?.number()?, column)),
            SUBQUERY => Some(self.of_query(entry.get("subquery")?, column, scope)),
            JOIN => Some(self.is_never_null(nth("joinaliasvars")?, scope)),
            GROUP => Some(self.is_never_null(nth("groupexprs")?, scope)),
            CTE => {
                let above = usize::try_from(entry.get("ctelevelsup")?.number()?).ok()?;
                let outer = scope.len().checked_sub(above)?;
                let name = entry.get("ctename")?;
                let list = field(scope.get(outer.checked_sub(1)?)?, "cteList")?.items();
                let mut tables = list.iter().filter_map(|table| table.as_kind("COMMONTABLEEXPR"));
                let table = tables.find(|table| table.get("ctename") == Some(name))?;
                if table.get("cterecursive").and_then(Node::text) == Some("true") {
                    return None;
                }
                Some(self.of_query(table.get("ctequery")?, column, &scope[..outer]))
            }
            _ => None,
        }
    }

    /// Whether a column of a query within the scope is never null.
    fn of_query(&mut self, query: &Node, column: i64, scope: &Scope<'_>) -> bool {
        if !is_plain(query) {
            return false;
        }
        let entry = targets(query).find(|entry| entry.get("resno").and_then(Node::number) == Some(column));
        let Some(expression) = entry.and_then(|entry| entry.get("expr")) else { return false };
        let inner: Vec<&Node> = scope.iter().copied().chain([query]).collect();
        self.is_never_null(expression, &inner)
    }
}

fn field<'a>(query: &'a Node, name: &str) -> Option<&'a Node> {
    query.as_kind("QUERY")?.get(name)
}

fn targets(query: &Node) -> impl Iterator<Item = &HashMap<String, Node>> {
    let entries = field(query, "targetList").map(Node::items).unwrap_or_default();
    entries.iter().filter_map(|entry| entry.as_kind("TARGETENTRY"))
}

/// Neither UNION and the like nor grouping sets, which both add nulls.
fn is_plain(query: &Node) -> bool {
    let is_empty = |name| field(query, name).is_none_or(|node| node.items().is_empty());
    query.as_kind("QUERY").is_some()
        && matches!(field(query, "setOperations"), Some(Node::Null))
        && is_empty("groupingSets")
}

/// The entries of the range table whose columns an outer join may fill with nulls.
fn outer_joined(query: &Node) -> HashSet<i64> {
    fn walk(node: &Node, is_nullable: bool, found: &mut HashSet<i64>) {
        let mut add = |index: Option<&Node>| {
            if is_nullable {
                found.extend(index.and_then(Node::number));
            }
        };
        if let Some(reference) = node.as_kind("RANGETBLREF") {
            add(reference.get("rtindex"));
        } else if let Some(from) = node.as_kind("FROMEXPR") {
            for item in from.get("fromlist").map(Node::items).unwrap_or_default() {
                walk(item, is_nullable, found);
            }
        } else if let Some(join) = node.as_kind("JOINEXPR") {
            add(join.get("rtindex"));
            let kind = join.get("jointype").and_then(Node::number);
            for (side, keeping) in [("larg", LEFT_JOIN), ("rarg", RIGHT_JOIN)] {
                let side_is_nullable = is_nullable || ![Some(INNER_JOIN), Some(keeping)].contains(&kind);
                if let Some(node) = join.get(side) {
                    walk(node, side_is_nullable, found);
                }
            }
        }
    }
    let mut found = HashSet::new();
    if let Some(tree) = field(query, "jointree") {
        walk(tree, false, &mut found);
    }
    found
}

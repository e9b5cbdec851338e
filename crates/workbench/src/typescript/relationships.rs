//! Relationships for embedding: foreign keys, and those that follow for views that show all columns of a key. As PostgREST finds
//! them.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::catalog::{Catalog, ForeignKey};
use super::collation::compare;
use super::node::Node;

/// One direction of embedding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Relationship {
    pub(super) foreign_key: String,
    pub(super) schema: String,
    pub(super) relation: String,
    pub(super) columns: Vec<String>,
    pub(super) is_one_to_one: bool,
    pub(super) referenced_schema: String,
    pub(super) referenced_relation: String,
    pub(super) referenced_columns: Vec<String>,
}

/// All of them in the generator's order.
pub(super) fn relationships(catalog: &Catalog) -> Vec<Relationship> {
    let keys: Vec<&ForeignKey> = catalog.foreign_keys.iter().filter(|key| !key.is_copy).collect();
    let shown = Shown::new(catalog);
    let mut found = Vec::new();
    for key in &keys {
        let is_ours = catalog.has_schema(&key.schema);
        let table = |schema: &str, relation: &str, columns: &[String]| Side {
            schema: schema.to_owned(),
            relation: relation.to_owned(),
            columns: columns.to_vec(),
        };
        let own = table(&key.schema, &key.relation, &key.columns);
        let other = table(&key.referenced_schema, &key.referenced_relation, &key.referenced_columns);
        let from_views = shown.sides(key, End::Referencing);
        let to_views = shown.sides(key, End::Referenced);
        let mut add = |from: &Side, to: &Side| found.push(relationship(key, from, to));
        if is_ours {
            add(&own, &other);
        }
        from_views.iter().for_each(|from| add(from, &other));
        if is_ours {
            to_views.iter().for_each(|to| add(&own, to));
        }
        for from in &from_views {
            to_views.iter().for_each(|to| add(from, to));
        }
    }
    found.retain(|relationship| !is_of_the_system(&relationship.schema) || catalog.has_schema(&relationship.schema));
    found.sort_by(order);
    found
}

fn is_of_the_system(schema: &str) -> bool {
    ["information_schema", "pg_catalog", "pg_toast"].contains(&schema)
}

fn relationship(key: &ForeignKey, from: &Side, to: &Side) -> Relationship {
    Relationship {
        foreign_key: key.name.clone(),
        schema: from.schema.clone(),
        relation: from.relation.clone(),
        columns: from.columns.clone(),
        is_one_to_one: key.is_one_to_one,
        referenced_schema: to.schema.clone(),
        referenced_relation: to.relation.clone(),
        referenced_columns: to.columns.clone(),
    }
}

fn order(a: &Relationship, b: &Relationship) -> Ordering {
    let list = |columns: &[String]| serde_json::to_string(columns).unwrap_or_default();
    compare(&a.foreign_key, &b.foreign_key)
        .then_with(|| compare(&a.referenced_relation, &b.referenced_relation))
        .then_with(|| compare(&list(&a.referenced_columns), &list(&b.referenced_columns)))
        .then_with(|| compare(&a.referenced_schema, &b.referenced_schema))
        .then_with(|| compare(&a.schema, &b.schema))
        .then_with(|| compare(&a.relation, &b.relation))
        .then_with(|| compare(&list(&a.columns), &list(&b.columns)))
}

/// A relation and those of its columns that stand for a key's.
struct Side {
    schema: String,
    relation: String,
    columns: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Referencing,
    Referenced,
}

/// A view by schema and name.
type ViewName = (String, String);

/// Which columns of views show which columns of tables: by table and column, then by view.
struct Shown(HashMap<(i64, i64), BTreeMap<ViewName, Vec<String>>>);

impl Shown {
    fn new(catalog: &Catalog) -> Self {
        let path: HashSet<&str> = catalog.view_path.iter().map(String::as_str).collect();
        let views: Vec<_> = catalog.views.iter().filter(|view| path.contains(view.schema.as_str())).collect();
        let origins: HashMap<i64, Vec<Origin>> = views.iter().map(|view| (view.id, origins(&view.query))).collect();
        let mut shown: HashMap<(i64, i64), BTreeMap<ViewName, Vec<String>>> = HashMap::new();
        for view in views.iter().filter(|view| catalog.has_schema(&view.schema)) {
            for origin in &origins[&view.id] {
                let Some(name) = view.columns.get(&origin.number) else { continue };
                for place in through(&origins, origin) {
                    let views = shown.entry(place).or_default();
                    views.entry((view.schema.clone(), view.name.clone())).or_default().push(name.clone());
                }
            }
        }
        Shown(shown)
    }

    /// The views that show every column of one end of the key: one for each way to choose among columns that show the same.
    fn sides(&self, key: &ForeignKey, end: End) -> Vec<Side> {
        let (table, numbers) = match end {
            End::Referencing => (key.relation_id, &key.numbers),
            End::Referenced => (key.referenced_id, &key.referenced_numbers),
        };
        let by_column: Vec<_> = numbers.iter().map(|number| self.0.get(&(table, *number))).collect();
        let Some(Some(first)) = by_column.first() else { return Vec::new() };
        let mut sides = Vec::new();
        for name in first.keys() {
            let columns: Option<Vec<_>> =
                by_column.iter().map(|views| views.and_then(|views| views.get(name))).collect();
            let Some(columns) = columns else { continue };
            let ways = columns.iter().fold(vec![Vec::new()], |ways: Vec<Vec<String>>, column| {
                let longer = |way: &Vec<String>| {
                    let way = way.clone();
                    column.iter().map(move |name| way.iter().cloned().chain([name.clone()]).collect())
                };
                ways.iter().flat_map(longer).collect()
            });
            let side = |columns| Side { schema: name.0.clone(), relation: name.1.clone(), columns };
            sides.extend(ways.into_iter().map(side));
        }
        sides
    }
}

/// A column of a view that is a column of a relation.
struct Origin {
    number: i64,
    relation: i64,
    column: i64,
}

/// PostgreSQL keeps with each column of a query where it comes from.
fn origins(query: &str) -> Vec<Origin> {
    let tree = Node::parse(query);
    let query = tree.as_ref().and_then(|tree| tree.items().first()).and_then(|query| query.as_kind("QUERY"));
    let entries = query.and_then(|query| query.get("targetList")).map(Node::items).unwrap_or_default();
    let origin = |entry: &Node| {
        let entry = entry.as_kind("TARGETENTRY")?;
        let number = |name: &str| entry.get(name).and_then(Node::number);
        Some(Origin { number: number("resno")?, relation: number("resorigtbl")?, column: number("resorigcol")? })
    };
    entries.iter().filter_map(origin).collect()
}

/// The place that the column comes from, and where that comes from if it is a view's, and so on.
fn through(origins: &HashMap<i64, Vec<Origin>>, first: &Origin) -> Vec<(i64, i64)> {
    let mut places = vec![(first.relation, first.column)];
    let mut at = 0;
    while let Some((relation, column)) = places.get(at).copied() {
        at += 1;
        for next in origins.get(&relation).into_iter().flatten().filter(|next| next.number == column) {
            let place = (next.relation, next.column);
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    places
}

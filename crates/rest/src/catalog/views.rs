//! Which columns of which tables a view shows, and what keys follow from that.
//!
//! PostgreSQL keeps a view's query as a node tree (`pg_rewrite.ev_action`). Each entry of its target list names the table and
//! column it comes from, where it is a plain column. A key counts for a view only if all of its columns are shown.

use std::collections::{BTreeMap, HashMap, HashSet};

use pg::QualifiedIdent;

use super::relationship::{Cardinality, ColumnPairs, KeyRelationship};
use super::table::Table;

/// A primary or foreign key of a table.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) relation: u32,
    pub(crate) positions: Vec<i16>,
    pub(crate) columns: Vec<String>,
    pub(crate) table: QualifiedIdent,
    /// Where a foreign key leads.
    pub(crate) foreign: Option<ForeignSide>,
    /// Not inherited from a partitioned parent.
    pub(crate) is_top: bool,
}

/// The side a foreign key refers to.
#[derive(Clone, Debug)]
pub(crate) struct ForeignSide {
    pub(crate) relation: u32,
    pub(crate) positions: Vec<i16>,
    pub(crate) columns: Vec<String>,
    pub(crate) table: QualifiedIdent,
    /// The referring columns are a key of their own.
    pub(crate) is_unique: bool,
}

/// A view as the catalog query tells it.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) oid: u32,
    pub(crate) name: QualifiedIdent,
    pub(crate) is_exposed: bool,
    pub(crate) columns: Vec<String>,
    pub(crate) query: String,
}

/// The columns of views that show a column of a table: (table, position) to view column names.
type Shown = HashMap<(u32, i16), Vec<String>>;

/// An entry of a view's target list: its own position, and the table and column it shows.
type Origin = (i16, u32, i16);

/// What every exposed view shows, through any number of other views.
pub(crate) struct ViewColumns {
    views: Vec<(QualifiedIdent, Shown)>,
}

impl ViewColumns {
    /// Reads the stored queries and follows each column down to its table.
    pub(crate) fn trace(views: &[View]) -> Self {
        let origins: HashMap<u32, Vec<Origin>> =
            views.iter().map(|view| (view.oid, target_list(&view.query))).collect();
        let exposed = views.iter().filter(|view| view.is_exposed);
        let traced = exposed.map(|view| {
            let mut shown = Shown::new();
            for (position, relation, column) in origins.get(&view.oid).into_iter().flatten() {
                let index = usize::try_from(*position - 1).unwrap_or(usize::MAX);
                if let Some(name) = view.columns.get(index) {
                    follow(*relation, *column, name, &origins, &mut HashSet::new(), &mut shown);
                }
            }
            (view.name.clone(), shown)
        });
        ViewColumns { views: traced.collect() }
    }

    /// Gives views the primary keys they show.
    pub(crate) fn add_primary_keys(&self, tables: &mut HashMap<QualifiedIdent, Table>, keys: &[Key]) {
        for (view, shown) in &self.views {
            let Some(table) = tables.get_mut(view) else { continue };
            for key in keys.iter().filter(|key| key.foreign.is_none()) {
                // Of several columns that show the same one, the first stands for it.
                let columns: Option<Vec<String>> = key
                    .positions
                    .iter()
                    .map(|position| shown.get(&(key.relation, *position))?.first().cloned())
                    .collect();
                table.primary_key.extend(columns.unwrap_or_default());
            }
        }
    }

    /// The relationships of tables, and those that views inherit from them at either end or both.
    pub(crate) fn relationships(&self, keys: &[Key]) -> Vec<KeyRelationship> {
        let mut all = Vec::new();
        for key in keys.iter().filter(|key| key.is_top) {
            let Some(foreign) = &key.foreign else { continue };
            let sources = self.ends(&key.table, key.relation, &key.positions, &key.columns);
            let targets = self.ends(&foreign.table, foreign.relation, &foreign.positions, &foreign.columns);
            for source in &sources {
                for target in &targets {
                    all.push(relationship(key, foreign, source, target));
                }
            }
        }
        all
    }

    /// The table itself, and every way in which a view shows all the columns.
    fn ends(&self, table: &QualifiedIdent, relation: u32, positions: &[i16], columns: &[String]) -> Vec<End> {
        let mut ends = vec![End { name: table.clone(), is_view: false, columns: columns.to_vec() }];
        for (view, shown) in &self.views {
            let choices: Option<Vec<&Vec<String>>> =
                positions.iter().map(|position| shown.get(&(relation, *position))).collect();
            for columns in choices.map(|choices| combinations(&choices)).unwrap_or_default() {
                ends.push(End { name: view.clone(), is_view: true, columns });
            }
        }
        ends
    }
}

/// One end of a relationship.
struct End {
    name: QualifiedIdent,
    is_view: bool,
    columns: Vec<String>,
}

fn relationship(key: &Key, foreign: &ForeignSide, source: &End, target: &End) -> KeyRelationship {
    let columns: ColumnPairs = source.columns.iter().cloned().zip(target.columns.iter().cloned()).collect();
    let constraint = key.name.clone();
    KeyRelationship {
        is_self: source.name == target.name,
        source: source.name.clone(),
        target: target.name.clone(),
        cardinality: if foreign.is_unique {
            Cardinality::OneToOne { constraint, columns, is_parent: false }
        } else {
            Cardinality::ManyToOne { constraint, columns }
        },
        source_is_view: source.is_view,
        target_is_view: target.is_view,
    }
}

/// One from each, in every way.
fn combinations(choices: &[&Vec<String>]) -> Vec<Vec<String>> {
    choices.iter().fold(vec![Vec::new()], |done, names| {
        done.iter()
            .flat_map(|so_far| {
                names.iter().map(move |name| {
                    let mut longer = so_far.clone();
                    longer.push(name.clone());
                    longer
                })
            })
            .collect()
    })
}

/// Notes that the view's column `name` shows this column, and what that one shows if it belongs to a view.
fn follow(
    relation: u32,
    column: i16,
    name: &str,
    origins: &HashMap<u32, Vec<Origin>>,
    visited: &mut HashSet<(u32, i16)>,
    shown: &mut Shown,
) {
    if !visited.insert((relation, column)) {
        return;
    }
    shown.entry((relation, column)).or_default().push(name.to_owned());
    for (position, next, next_column) in origins.get(&relation).into_iter().flatten() {
        if *position == column {
            follow(*next, *next_column, name, origins, visited, shown);
        }
    }
}

/// The entries of the outermost target list that are plain columns.
fn target_list(node_tree: &str) -> Vec<Origin> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut in_target_list = false;
    let mut lists = 0_usize;
    let mut entry: BTreeMap<&str, i64> = BTreeMap::new();
    let mut tokens = Tokens { text: node_tree }.peekable();
    while let Some(token) = tokens.next() {
        match token {
            "{" => depth += 1,
            "}" => {
                if depth == 2 && in_target_list {
                    let origin = (|| {
                        let number = |name| entry.get(name).copied();
                        let relation = u32::try_from(number(":resorigtbl")?).ok().filter(|oid| *oid > 0)?;
                        let position = i16::try_from(number(":resno")?).ok()?;
                        Some((position, relation, i16::try_from(number(":resorigcol")?).ok()?))
                    })();
                    found.extend(origin);
                    entry.clear();
                }
                depth = depth.saturating_sub(1);
            }
            "(" => lists += usize::from(in_target_list),
            ")" if in_target_list => {
                lists = lists.saturating_sub(1);
                if lists == 0 {
                    return found;
                }
            }
            ":targetList" if depth == 1 => in_target_list = true,
            ":resno" | ":resorigtbl" | ":resorigcol" if depth == 2 && in_target_list => {
                if let Some(number) = tokens.peek().and_then(|text| text.parse().ok()) {
                    entry.insert(token, number);
                }
            }
            // An empty list is written `<>`.
            "<>" if in_target_list && lists == 0 => return found,
            _ => {}
        }
    }
    found
}

/// Words and brackets of a node tree; a backslash takes the next character into the word.
struct Tokens<'a> {
    text: &'a str,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.text = self.text.trim_start_matches([' ', '\n', '\t']);
        let first = *self.text.as_bytes().first()?;
        let length = if matches!(first, b'(' | b')' | b'{' | b'}') {
            1
        } else {
            let mut escaped = false;
            let end = self.text.bytes().position(|byte| {
                let ends = !escaped && matches!(byte, b'(' | b')' | b'{' | b'}' | b' ' | b'\n' | b'\t');
                escaped = !escaped && byte == b'\\';
                ends
            });
            end.unwrap_or(self.text.len())
        };
        let (token, rest) = self.text.split_at(length);
        self.text = rest;
        Some(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A view over `a join b`, shortened to the parts that matter, with a nested query, a name full of brackets and an
    /// entry that is an expression.
    const TREE: &str = r"({QUERY :commandType 1 :cteList ({COMMONTABLEEXPR :ctequery {QUERY :targetList ({TARGETENTRY :expr
        {VAR :varno 1} :resno 1 :resname id :resorigtbl 999 :resorigcol 9 :resjunk false})}}) :rtable <> :targetList (
        {TARGETENTRY :expr {VAR :varno 1 :varattno 1} :resno 1 :resname we\ \{ird\} :ressortgroupref 0 :resorigtbl 16385 :resorigcol 1 :resjunk false}
        {TARGETENTRY :expr {FUNCEXPR :args ({VAR :varno 1})} :resno 2 :resname up :resorigtbl 0 :resorigcol 0}
        {TARGETENTRY :expr {VAR :varno 2} :resno 3 :resname b :resorigtbl 16390 :resorigcol 4}) :override 0
        :returningList ({TARGETENTRY :resno 7 :resorigtbl 5 :resorigcol 5})})";

    #[test]
    fn only_the_outer_target_list_counts() {
        assert_eq!(target_list(TREE), [(1, 16385, 1), (3, 16390, 4)]);
        assert_eq!(target_list("({QUERY :targetList <> :x ({TARGETENTRY :resno 1 :resorigtbl 2 :resorigcol 3})})"), []);
        assert_eq!(target_list(""), []);
    }

    fn view(oid: u32, name: &str, is_exposed: bool, columns: &[&str], origins: &[Origin]) -> View {
        let entries: Vec<String> = origins
            .iter()
            .map(|(no, table, column)| format!("{{TARGETENTRY :resno {no} :resorigtbl {table} :resorigcol {column}}}"))
            .collect();
        View {
            oid,
            name: QualifiedIdent::new("api", name),
            is_exposed,
            columns: columns.iter().map(|c| (*c).to_owned()).collect(),
            query: format!("({{QUERY :targetList ({})}})", entries.join(" ")),
        }
    }

    #[test]
    fn keys_are_found_through_several_views_and_only_when_complete() {
        let views = [
            view(10, "inner", false, &["x", "y"], &[(1, 1, 1), (2, 1, 2)]),
            view(11, "outer", true, &["a", "b", "again"], &[(1, 10, 1), (2, 10, 2), (3, 10, 2)]),
            view(12, "partial", true, &["a"], &[(1, 10, 1)]),
            // Two views that show each other cannot exist, but must not hang.
            view(13, "loop", true, &["a"], &[(1, 13, 1)]),
        ];
        let key = Key {
            name: "fk".into(),
            relation: 1,
            positions: vec![1, 2],
            columns: vec!["t1".into(), "t2".into()],
            table: QualifiedIdent::new("hidden", "t"),
            foreign: Some(ForeignSide {
                relation: 2,
                positions: vec![1, 2],
                columns: vec!["r1".into(), "r2".into()],
                table: QualifiedIdent::new("api", "r"),
                is_unique: false,
            }),
            is_top: true,
        };
        let rels = ViewColumns::trace(&views).relationships(std::slice::from_ref(&key));
        let shown: Vec<(&str, &Cardinality)> =
            rels.iter().map(|rel| (rel.source.name.as_str(), &rel.cardinality)).collect();
        let pairs = |columns: [&str; 2]| Cardinality::ManyToOne {
            constraint: "fk".into(),
            columns: vec![(columns[0].into(), "r1".into()), (columns[1].into(), "r2".into())],
        };
        assert_eq!(
            shown,
            [("t", &pairs(["t1", "t2"])), ("outer", &pairs(["a", "b"])), ("outer", &pairs(["a", "again"]))]
        );
    }
}

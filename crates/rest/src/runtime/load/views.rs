//! Which columns of which relations views show. A view has a key only if it shows all columns of the key.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::node_tree::Origin;

/// A view, and the columns that it shows of each relation it selects from.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) oid: u32,
    pub(crate) is_exposed: bool,
    pub(crate) origins: Vec<Origin>,
}

/// The columns that an exposed view shows of a relation: positions in the relation to positions in the view.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) view: u32,
    columns: BTreeMap<i16, Vec<i16>>,
}

/// The columns that exposed views show, directly or through other views.
pub(crate) struct ViewColumns {
    by_relation: HashMap<u32, Vec<Shown>>,
}

impl ViewColumns {
    /// Traces each column of each exposed view to its table.
    pub(crate) fn trace(views: &[View]) -> Self {
        let origins: HashMap<u32, &[Origin]> = views.iter().map(|view| (view.oid, view.origins.as_slice())).collect();
        let mut by_relation: HashMap<u32, Vec<Shown>> = HashMap::new();
        for view in views.iter().filter(|view| view.is_exposed) {
            let mut shown: BTreeMap<u32, BTreeMap<i16, Vec<i16>>> = BTreeMap::new();
            for (position, relation, column) in &view.origins {
                follow((*relation, *column), &origins, &mut HashSet::new(), &mut |(relation, column)| {
                    shown.entry(relation).or_default().entry(column).or_default().push(*position);
                });
            }
            for (relation, columns) in shown {
                by_relation.entry(relation).or_default().push(Shown { view: view.oid, columns });
            }
        }
        ViewColumns { by_relation }
    }

    /// The views that show any column of a relation.
    pub(crate) fn of(&self, relation: u32) -> &[Shown] {
        self.by_relation.get(&relation).map_or(&[], Vec::as_slice)
    }
}

impl Shown {
    /// The view's columns that show these columns, the first one if there are several; `None` unless all are shown.
    pub(crate) fn first(&self, positions: &[i16]) -> Option<Vec<i16>> {
        positions.iter().map(|position| self.columns.get(position)?.first().copied()).collect()
    }

    /// All combinations of the view's columns that show these columns.
    pub(crate) fn all(&self, positions: &[i16]) -> Vec<Vec<i16>> {
        let choices: Option<Vec<&Vec<i16>>> = positions.iter().map(|position| self.columns.get(position)).collect();
        choices.map(|choices| combinations(&choices)).unwrap_or_default()
    }
}

/// All combinations of one element from each list.
fn combinations(choices: &[&Vec<i16>]) -> Vec<Vec<i16>> {
    choices.iter().fold(vec![Vec::new()], |done, next| {
        done.iter()
            .flat_map(|so_far| next.iter().map(move |position| [so_far.as_slice(), &[*position]].concat()))
            .collect()
    })
}

/// Records a column and, if it belongs to a view, the columns behind it.
fn follow(
    column: (u32, i16),
    origins: &HashMap<u32, &[Origin]>,
    visited: &mut HashSet<(u32, i16)>,
    note: &mut impl FnMut((u32, i16)),
) {
    if !visited.insert(column) {
        return;
    }
    note(column);
    for (position, relation, next) in origins.get(&column.0).copied().unwrap_or_default() {
        if *position == column.1 {
            follow((*relation, *next), origins, visited, note);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(oid: u32, is_exposed: bool, origins: &[Origin]) -> View {
        View { oid, is_exposed, origins: origins.to_vec() }
    }

    #[test]
    fn columns_are_found_through_several_views() {
        let shown = ViewColumns::trace(&[
            view(10, false, &[(1, 1, 1), (2, 1, 2)]),
            view(11, true, &[(1, 10, 1), (2, 10, 2), (3, 10, 2)]),
            view(12, true, &[(1, 10, 1)]),
            // PostgreSQL allows to create views that select from each other, although reading them fails.
            view(13, true, &[(1, 14, 1)]),
            view(14, true, &[(1, 13, 1)]),
        ]);
        let of_table = shown.of(1);
        assert_eq!(of_table.iter().map(|shown| shown.view).collect::<Vec<_>>(), [11, 12]);
        assert_eq!(of_table[0].first(&[1, 2]), Some(vec![1, 2]));
        assert_eq!(of_table[0].all(&[1, 2]), [[1, 2], [1, 3]]);
        assert_eq!((of_table[1].first(&[1, 2]), of_table[1].all(&[1, 2])), (None, Vec::new()));
        assert_eq!(shown.of(10).len(), 2, "a view over a view shows the view, too");
        assert!(shown.of(2).is_empty());
    }
}

//! What was found out about the changes of a table in a batch.

use std::collections::{HashMap, HashSet};

use pg::replication::{Change, Kind};

use super::batch::Group;
use super::delivery::Json;
use super::{Subscriber, Who};
use crate::protocol::filter::{Binding, Filter};
use crate::store::catalog::Table;

/// The filters of a subscription, with its role: equal ones are asked once.
pub(super) type FilterSet = (String, Vec<Filter>);

/// What was found out about the changes of a group.
#[derive(Default)]
pub(super) struct Findings {
    /// The changes that pass filters.
    pub(super) passing: HashMap<FilterSet, HashSet<usize>>,
    /// The changes whose rows are visible, by who looks.
    pub(super) visible: HashMap<Who, HashSet<usize>>,
    /// Those for whom that could not be found out in time.
    pub(super) late: HashSet<Who>,
    /// Values that PostgreSQL has written as JSON, by role, column and text.
    pub(super) json: Json,
    /// Filters that took too long.
    pub(super) slow: Vec<FilterSet>,
    /// Filters that were not asked in time.
    pub(super) unasked: HashSet<FilterSet>,
}

impl Findings {
    /// Whether a change is of the kind that a subscription is about, and passes its filters.
    pub(super) fn is_wanted(&self, role: &str, binding: &Binding, place: usize, change: &Change) -> bool {
        is_of(binding, change)
            && (binding.filters.is_empty() || {
                let passing = self.passing.get(&(role.to_owned(), binding.filters.clone()));
                passing.is_some_and(|places| places.contains(&place))
            })
    }

    /// The same before the patterns were compared.
    pub(super) fn may_be_wanted(&self, role: &str, binding: &Binding, place: usize, change: &Change) -> bool {
        let is_known = !have_pattern(&binding.filters) && !self.is_unasked(role, binding);
        if is_known { self.is_wanted(role, binding, place, change) } else { is_of(binding, change) }
    }

    /// Whether the row of a change is visible to a subscriber.
    pub(super) fn is_visible(&self, who: &Who, place: usize) -> bool {
        self.visible.get(who).is_some_and(|places| places.contains(&place))
    }

    /// Whether it could not be found out in time if a subscriber is told of some change.
    pub(super) fn lacks_something(&self, group: &Group<'_>, table: &Table, subscriber: &Subscriber) -> bool {
        let mut unasked = subscriber.bindings.iter().filter(|own| self.is_unasked(&subscriber.who.role, own));
        self.late.contains(&*subscriber.who)
            || unasked.any(|binding| {
                group.changes.iter().any(|(place, pending)| {
                    let is_open = !table.has_row_security || pending.change.kind == Kind::Delete;
                    is_of(binding, &pending.change) && (is_open || self.is_visible(&subscriber.who, *place))
                })
            })
    }

    fn is_unasked(&self, role: &str, binding: &Binding) -> bool {
        !self.unasked.is_empty() && self.unasked.contains(&(role.to_owned(), binding.filters.clone()))
    }
}

/// Whether a subscription is about changes of this kind to this table.
fn is_of(binding: &Binding, change: &Change) -> bool {
    binding.is_about(&change.relation.schema, &change.relation.name)
        && binding.event.is_none_or(|event| event == change.kind)
}

/// Whether one of the filters compares with a pattern.
pub(super) fn have_pattern(filters: &[Filter]) -> bool {
    filters.iter().any(|filter| filter.operator.is_pattern())
}

/// Which changes filters are compared with: all, but a pattern under row security only with rows that one of its subscribers sees.
pub(super) fn compared<'a>(
    group: &'a Group<'_>,
    table: &Table,
    (role, filters): (&'a str, &'a [Filter]),
    findings: &'a Findings,
) -> impl Fn(usize, &Change) -> bool + use<'a> {
    let with_filters =
        |own: &&Subscriber| own.who.role == role && own.bindings.iter().any(|binding| binding.filters == filters);
    let is_limited = table.has_row_security && have_pattern(filters);
    let viewers: HashSet<&'a Who> = group.subscribers.iter().filter(with_filters).map(|own| &*own.who).collect();
    move |place, change| {
        !is_limited || change.kind == Kind::Delete || viewers.iter().any(|who| findings.is_visible(who, place))
    }
}

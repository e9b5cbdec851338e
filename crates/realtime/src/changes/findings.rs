//! What was found out about the changes of a table in a batch.

use std::collections::{HashMap, HashSet};

use pg::replication::Kind;

use super::batch::Group;
use super::delivery::Json;
use super::places::Places;
use super::{Subscriber, Who};
use crate::protocol::filter::{Binding, Filter};
use crate::store::catalog::Table;

/// The filters of a subscription, with its role: equal ones are asked once.
pub(super) type FilterSet = (String, Vec<Filter>);

/// What was found out about the changes of a group.
#[derive(Default)]
pub(super) struct Findings {
    /// The changes that pass filters.
    pub(super) passing: HashMap<FilterSet, Places>,
    /// The changes whose rows are visible, by who looks.
    pub(super) visible: HashMap<Who, Places>,
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
    /// The changes of the kind that a subscription is about which pass its filters.
    pub(super) fn wanted(&self, group: &Group<'_>, role: &str, binding: &Binding) -> Places {
        let about = group.about(binding);
        if binding.filters.is_empty() {
            return about;
        }
        let passing = self.passing.get(&(role.to_owned(), binding.filters.clone()));
        about & passing.copied().unwrap_or_default()
    }

    /// The same before the patterns were compared.
    pub(super) fn perhaps_wanted(&self, group: &Group<'_>, role: &str, binding: &Binding) -> Places {
        let is_known = !have_pattern(&binding.filters) && !self.is_unasked(role, binding);
        if is_known { self.wanted(group, role, binding) } else { group.about(binding) }
    }

    /// The changes whose rows somebody sees, of those that were looked at.
    pub(super) fn visible(&self, who: &Who) -> Places {
        self.visible.get(who).copied().unwrap_or_default()
    }

    /// Whether it could not be found out in time if a subscriber is told of some change.
    pub(super) fn lacks_something(&self, group: &Group<'_>, table: &Table, subscriber: &Subscriber) -> bool {
        let mut unasked = subscriber.bindings.iter().filter(|own| self.is_unasked(&subscriber.who.role, own));
        !self.late.is_empty() && self.late.contains(&*subscriber.who)
            || unasked.any(|binding| {
                let sees = group.open_to_all(table) | self.visible(&subscriber.who);
                !(group.about(binding) & sees).is_empty()
            })
    }

    fn is_unasked(&self, role: &str, binding: &Binding) -> bool {
        !self.unasked.is_empty() && self.unasked.contains(&(role.to_owned(), binding.filters.clone()))
    }
}

/// Whether one of the filters compares with a pattern.
pub(super) fn have_pattern(filters: &[Filter]) -> bool {
    filters.iter().any(|filter| filter.operator.is_pattern())
}

/// Which changes filters are compared with: all, but a pattern under row security only with rows that one of its subscribers sees.
pub(super) fn compared(
    group: &Group<'_>,
    table: &Table,
    (role, filters): (&str, &[Filter]),
    findings: &Findings,
) -> Places {
    if !table.has_row_security || !have_pattern(filters) {
        return group.places(|_| true);
    }
    let with_filters =
        |own: &&Subscriber| own.who.role == role && own.bindings.iter().any(|binding| binding.filters == filters);
    let seen = group.subscribers().filter(with_filters).map(|own| findings.visible(&own.who));
    seen.fold(group.places(|kind| kind == Kind::Delete), |all, seen| all | seen)
}

//! Functions as PostgREST can call them: overloads under one name, those it cannot tell apart marked with its error.

use std::collections::BTreeMap;

use super::catalog::{Argument, Catalog, Function, Mode, Type};
use super::collation::compare;

/// json, jsonb and text: what a single unnamed argument may be, filled from the body.
const BODY_TYPES: [i64; 3] = [114, 3802, 25];

/// Functions of one name.
#[derive(Debug)]
pub(super) struct Overloaded<'a> {
    pub(super) schema: &'a str,
    pub(super) name: &'a str,
    pub(super) overloads: Vec<Overload<'a>>,
}

#[derive(Debug)]
pub(super) struct Overload<'a> {
    pub(super) function: &'a Function,
    /// The inputs by name.
    pub(super) arguments: Vec<Argument>,
    /// The columns of RETURNS TABLE by name.
    pub(super) table: Vec<Argument>,
    pub(super) set: Option<SetOptions<'a>>,
    /// The relation of whose rows this is a computed column.
    pub(super) computed_field_of: Option<i64>,
    pub(super) error: Option<String>,
}

/// What supabase-js needs to know of a function that returns rows of a relation.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SetOptions<'a> {
    pub(super) from: &'a str,
    pub(super) to: &'a str,
    pub(super) is_one_to_one: bool,
    pub(super) is_set: bool,
}

/// A function and its inputs in order.
struct Candidate<'a> {
    function: &'a Function,
    all: Vec<Argument>,
    inputs: Vec<Argument>,
}

/// Every callable function of the catalog's schemas, by schema and name.
pub(super) fn functions(catalog: &Catalog) -> Vec<Overloaded<'_>> {
    let types = Types::new(catalog);
    let mut groups: BTreeMap<(&str, &str), Vec<Candidate<'_>>> = BTreeMap::new();
    for function in catalog.functions.iter().filter(|function| catalog.has_schema(&function.schema)) {
        let all = function.arguments();
        let inputs: Vec<_> = all.iter().filter(|argument| argument.mode == Mode::Input).cloned().collect();
        let candidate = Candidate { function, all, inputs };
        if types.is_callable(&candidate.inputs) {
            groups.entry((&function.schema, &function.name)).or_default().push(candidate);
        }
    }
    let mut found: Vec<_> =
        groups.into_iter().map(|((schema, name), group)| types.overloaded(schema, name, group)).collect();
    found.sort_by(|a, b| compare(a.schema, b.schema).then_with(|| compare(a.name, b.name)));
    found
}

struct Types<'a> {
    catalog: &'a Catalog,
    by_id: BTreeMap<i64, &'a Type>,
}

impl<'a> Types<'a> {
    fn new(catalog: &'a Catalog) -> Self {
        Types { catalog, by_id: catalog.types.iter().map(|found| (found.id, found)).collect() }
    }

    /// The type, if it is a relation's or a composite one.
    fn row_type(&self, id: i64) -> Option<&'a Type> {
        self.by_id.get(&id).copied().filter(|found| found.relation_id.is_some())
    }

    fn name(&self, id: i64) -> &'a str {
        self.by_id.get(&id).map_or("unknown", |found| &found.name)
    }

    /// PostgREST passes arguments by name. Without a name it can only pass a body, or a row to a computed column.
    fn is_callable(&self, inputs: &[Argument]) -> bool {
        let is_body = |argument: &Argument| BODY_TYPES.contains(&argument.type_id);
        let can_be_passed = |input: &Argument| !input.name.is_empty() || input.has_default && is_body(input);
        inputs.iter().all(can_be_passed)
            || matches!(inputs, [only] if is_body(only) || self.row_type(only.type_id).is_some())
    }

    fn overloaded(&self, schema: &'a str, name: &'a str, mut group: Vec<Candidate<'a>>) -> Overloaded<'a> {
        group.sort_by(|a, b| {
            compare(&a.function.argument_types, &b.function.argument_types)
                .then_with(|| compare(&a.function.return_type, &b.function.return_type))
                .then(a.function.id.cmp(&b.function.id))
        });
        let overloads = (0..group.len()).map(|index| self.overload(index, &group)).collect();
        Overloaded { schema, name, overloads }
    }

    fn overload(&self, index: usize, group: &[Candidate<'a>]) -> Overload<'a> {
        let candidate = &group[index];
        let function = candidate.function;
        let by_name = |mut arguments: Vec<Argument>| {
            arguments.sort_by(|a, b| compare(&a.name, &b.name));
            arguments
        };
        let table = candidate.all.iter().filter(|argument| argument.mode == Mode::Table).cloned().collect();
        Overload {
            function,
            arguments: by_name(candidate.inputs.clone()),
            table: by_name(table),
            set: self.set_options(candidate),
            computed_field_of: self.computed_field_of(candidate),
            error: self.error(index, group),
        }
    }

    fn set_options(&self, candidate: &Candidate<'a>) -> Option<SetOptions<'a>> {
        let function = candidate.function;
        let to = match self.catalog.relation(function.return_relation_id?) {
            Some(relation) => &relation.name,
            None => &self.row_type(function.return_type_id)?.name,
        };
        let row = match candidate.all.as_slice() {
            [only] => self.row_type(only.type_id),
            _ => None,
        };
        let returns_many = function.is_set && function.rows > 1.0;
        Some(SetOptions {
            from: row.map_or("*", |row| &row.format),
            to,
            is_one_to_one: (row.is_some() && !function.is_set) || !returns_many,
            is_set: function.is_set,
        })
    }

    fn computed_field_of(&self, candidate: &Candidate<'_>) -> Option<i64> {
        let [only] = candidate.inputs.as_slice() else { return None };
        let relation = self.catalog.relation(self.row_type(only.type_id)?.relation_id?)?;
        let function = candidate.function;
        let is_column = self.catalog.columns(relation.id).iter().any(|column| column.name == function.name);
        (relation.schema == function.schema && !is_column).then_some(relation.id)
    }

    /// Why a call by name cannot mean this one among its overloads.
    fn error(&self, index: usize, group: &[Candidate<'a>]) -> Option<String> {
        let Candidate { function, inputs, .. } = &group[index];
        let qualified = format!("{}.{}", function.schema, function.name);
        let ambiguous = |candidates: String| {
            format!(
                "Could not choose the best candidate function between: {candidates}. Try renaming the parameters or the \
                 function itself in the database so function overloading can be resolved"
            )
        };
        let others = || group.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, candidate)| candidate);
        if inputs.is_empty() {
            let has_unnamed = |other: &&Candidate<'_>| matches!(other.inputs.as_slice(), [only] if only.name.is_empty() && only.has_default);
            if let Some(other) = others().find(has_unnamed) {
                let returned = self.name(other.function.return_type_id);
                return Some(ambiguous(format!("{qualified}(), {qualified}( => {returned})")));
            }
        }
        let [only] = inputs.as_slice() else { return None };
        if !only.name.is_empty() {
            let is_alike = |other: &&Candidate<'_>| matches!(other.inputs.as_slice(), [its] if its.name == only.name && its.type_id != only.type_id);
            let mut alike: Vec<_> = others().filter(is_alike).collect();
            if alike.is_empty() {
                return None;
            }
            alike.insert(0, &group[index]);
            alike.sort_by_key(|candidate| candidate.inputs[0].type_id);
            let called = |candidate: &&Candidate<'_>| {
                let input = &candidate.inputs[0];
                format!("{qualified}({} => {})", input.name, self.name(input.type_id))
            };
            return Some(ambiguous(alike.iter().map(called).collect::<Vec<_>>().join(", ")));
        }
        self.row_type(only.type_id).map(|_| {
            format!(
                "the function {qualified} with parameter or with a single unnamed json/jsonb parameter, but no matches were \
                 found in the schema cache"
            )
        })
    }
}

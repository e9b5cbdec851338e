//! The text. Its white space is the original's, so that files made by either are the same.

use std::collections::HashMap;

use super::catalog::{Catalog, Column, Relation, Type};
use super::field_types::{field_type, json, relation_type};
use super::functions::{Overload, Overloaded, functions};
use super::relationships::{Relationship, relationships};

/// The generic types at the end: `Tables`, `TablesInsert`, `Enums` and so on.
const LOOKUPS: &str = include_str!("lookups.txt");

/// The whole file.
pub(super) fn write(catalog: &Catalog) -> String {
    let writer = Writer::new(catalog);
    let schemas: Vec<String> = catalog.schemas.iter().map(|schema| writer.schema(schema)).collect();
    let constants: Vec<String> = catalog.schemas.iter().map(|schema| writer.constants(schema)).collect();
    let default = match catalog.schemas.first() {
        Some(first) if !catalog.has_schema("public") => first,
        _ => "public",
    };
    format!(
        "\nexport type Json = string | number | boolean | null | {{ [key: string]: Json | undefined }} | Json[]\n\n\
         export type Database = {{\n  \n  {}\n}}\n\n{}export const Constants = {{\n  {}\n}} as const\n",
        schemas.join(","),
        LOOKUPS.replace("DEFAULT_SCHEMA", &json(default)),
        constants.join(",")
    )
}

struct Writer<'a> {
    catalog: &'a Catalog,
    functions: Vec<Overloaded<'a>>,
    /// By schema and relation.
    relationships: HashMap<(String, String), Vec<Relationship>>,
}

/// How a column is written: its optional mark and its type.
struct Field {
    is_optional: bool,
    is_nullable: bool,
}

impl<'a> Writer<'a> {
    fn new(catalog: &'a Catalog) -> Self {
        let mut by_relation: HashMap<_, Vec<_>> = HashMap::new();
        for found in relationships(catalog) {
            by_relation.entry((found.schema.clone(), found.relation.clone())).or_default().push(found);
        }
        Writer { catalog, functions: functions(catalog), relationships: by_relation }
    }

    fn schema(&self, schema: &str) -> String {
        let of = |is_view: bool| {
            let relations = self.catalog.relations.iter().filter(move |relation| relation.schema == schema);
            relations.filter(move |relation| relation.is_view() == is_view)
        };
        let tables: Vec<String> = of(false).map(|table| self.table(table)).collect();
        let views: Vec<String> = of(true).map(|view| self.view(view)).collect();
        let functions = self.functions.iter().filter(|function| function.schema == schema);
        let functions: Vec<String> = functions.map(|function| self.function(function)).collect();
        let enums: Vec<String> = self.types(schema, |found| !found.labels.is_empty()).map(enumeration).collect();
        let composites = self.types(schema, |found| !found.attributes.is_empty());
        let composites: Vec<String> = composites.map(|found| self.composite(found)).collect();
        format!(
            "{}: {{
          Tables: {{
            {}
          }}
          Views: {{
            {}
          }}
          Functions: {{
            {}
          }}
          Enums: {{
            {}
          }}
          CompositeTypes: {{
            {}
          }}
        }}",
            json(schema),
            or_never(&tables, ","),
            or_never(&views, ","),
            or_never(&functions, ",\n"),
            or_never(&enums, ","),
            or_never(&composites, ",")
        )
    }

    fn types(&self, schema: &str, is_such: fn(&Type) -> bool) -> impl Iterator<Item = &'a Type> {
        self.catalog.types.iter().filter(move |found| found.schema == schema && is_such(found))
    }

    fn table(&self, table: &Relation) -> String {
        let columns = |written: &dyn Fn(&Column) -> Option<Field>| {
            let column = |column: &Column| match written(column) {
                Some(field) => self.field(column, &field),
                None => format!("{}?: never", json(&column.name)),
            };
            self.catalog.columns(table.id).iter().map(column).collect::<Vec<_>>().join(",")
        };
        let insert = columns(&|column| {
            let is_optional = column.is_nullable || column.is_identity || column.has_default;
            (!column.is_computed).then_some(Field { is_optional, is_nullable: column.is_nullable })
        });
        let update = columns(&|column| {
            (!column.is_computed).then_some(Field { is_optional: true, is_nullable: column.is_nullable })
        });
        format!(
            "{}: {{
                  Row: {{
                    {}
                  }}
                  ComputedFields: {}
                  Insert: {{
                    {insert}
                  }}
                  Update: {{
                    {update}
                  }}
                  Relationships: [
                    {}
                  ]
                }}",
            json(&table.name),
            self.row(table),
            self.computed_names(table),
            self.relationships(table)
        )
    }

    fn view(&self, view: &Relation) -> String {
        let written = |column: &Column| match column.is_writable {
            true => self.field(column, &Field { is_optional: true, is_nullable: true }),
            false => format!("{}?: never", json(&column.name)),
        };
        let columns = self.catalog.columns(view.id).iter().map(written).collect::<Vec<_>>().join(",");
        let operation = |name: &str, is_taken: bool| match is_taken && view.kind == 'v' {
            true => format!(
                "{name}: {{
                           {columns}
                         }}
                        "
            ),
            false => String::new(),
        };
        format!(
            "{}: {{
                  Row: {{
                    {}
                  }}
                  ComputedFields: {}
                  {}{}Relationships: [
                    {}
                  ]
                }}",
            json(&view.name),
            self.row(view),
            self.computed_names(view),
            operation("Insert", view.takes_inserts),
            operation("Update", view.takes_updates),
            self.relationships(view)
        )
    }

    /// The columns of a relation as they are read, then its computed ones.
    fn row(&self, relation: &Relation) -> String {
        let computed = self.computed(relation).into_iter().map(|(name, overload)| {
            format!("{}: {}", json(name), nullable(self.returned(&relation.schema, overload), true))
        });
        self.read_columns(relation).into_iter().chain(computed).collect::<Vec<_>>().join(",")
    }

    fn read_columns(&self, relation: &Relation) -> Vec<String> {
        let read = |column: &Column| self.field(column, &Field { is_optional: false, is_nullable: column.is_nullable });
        self.catalog.columns(relation.id).iter().map(read).collect()
    }

    fn computed_names(&self, relation: &Relation) -> String {
        let names: Vec<String> = self.computed(relation).into_iter().map(|(name, _)| json(name)).collect();
        if names.is_empty() { "never".to_owned() } else { names.join(" | ") }
    }

    fn computed(&self, relation: &Relation) -> Vec<(&'a str, &Overload<'a>)> {
        let functions = self.functions.iter().filter(|function| function.schema == relation.schema);
        let is_its = |overload: &&Overload<'a>| overload.computed_field_of == Some(relation.id);
        functions.filter_map(|function| Some((function.name, function.overloads.iter().find(is_its)?))).collect()
    }

    fn field(&self, column: &Column, field: &Field) -> String {
        let mark = if field.is_optional { "?" } else { "" };
        let written = field_type(self.catalog, &column.format, &column.type_schema);
        format!("{}{mark}: {}", json(&column.name), nullable(written, field.is_nullable))
    }

    fn relationships(&self, relation: &Relation) -> String {
        let found = self.relationships.get(&(relation.schema.clone(), relation.name.clone()));
        let shown = found.into_iter().flatten().filter(|found| found.referenced_schema == relation.schema);
        shown.map(relationship).collect::<Vec<_>>().join(",")
    }

    fn function(&self, function: &Overloaded<'_>) -> String {
        let overloads: Vec<String> =
            function.overloads.iter().map(|overload| self.overload(function.schema, overload)).collect();
        format!("{}:\n{}", json(function.name), overloads.join(" |\n"))
    }

    fn overload(&self, schema: &str, overload: &Overload<'_>) -> String {
        let arguments: Vec<String> = overload
            .arguments
            .iter()
            .map(|argument| {
                let mark = if argument.has_default { "?" } else { "" };
                format!("{}{mark}: {}", json(&argument.name), self.argument(&argument.name, argument.type_id))
            })
            .collect();
        let arguments = if arguments.is_empty() {
            "Record<PropertyKey, never>".to_owned()
        } else {
            format!("{{ {} }}", arguments.join(","))
        };
        let returned = match &overload.error {
            Some(error) => format!("{{ error: true }} & {}", json(error)),
            None => self.returned(schema, overload),
        };
        let set = overload.set.as_ref();
        let options = set.map_or_else(String::new, |set| {
            format!(
                "SetofOptions: {{
        from: {}
        to: {}
        isOneToOne: {}
        isSetofReturn: {}
      }}",
                json(set.from),
                json(set.to),
                set.is_one_to_one,
                set.is_set
            )
        });
        let is_single = set.is_some_and(|set| set.is_one_to_one);
        let many = if overload.error.is_none() && overload.function.is_set && !is_single { "[]" } else { "" };
        format!(
            "{{ Args: {arguments}; Returns: {returned}{many}
                          {options} }}"
        )
    }

    /// A named argument that is a row is passed without its computed columns.
    fn argument(&self, name: &str, type_id: i64) -> String {
        let Some(found) = self.type_of(type_id) else { return "unknown".to_owned() };
        let written = field_type(self.catalog, &found.name, &found.schema);
        match relation_type(self.catalog, &found.name, &found.schema) {
            Some(relation) if !name.is_empty() && written == format!("{relation}['Row']") => {
                format!("Omit<{written}, {relation}['ComputedFields']>")
            }
            _ => written,
        }
    }

    fn returned(&self, schema: &str, overload: &Overload<'_>) -> String {
        if !overload.table.is_empty() {
            let columns: Vec<String> = overload
                .table
                .iter()
                .map(|column| format!("{}: {}", json(&column.name), self.written(column.type_id)))
                .collect();
            return format!(
                "{{
              {}
            }}",
                columns.join(",")
            );
        }
        let relation = overload.function.return_relation_id.and_then(|id| self.catalog.relation(id));
        match relation.filter(|relation| relation.schema == schema) {
            Some(relation) => format!(
                "{{
              {}
            }}",
                self.read_columns(relation).join(",\n")
            ),
            None => self.written(overload.function.return_type_id),
        }
    }

    fn written(&self, type_id: i64) -> String {
        let found = self.type_of(type_id);
        found.map_or_else(|| "unknown".to_owned(), |found| field_type(self.catalog, &found.name, &found.schema))
    }

    fn type_of(&self, id: i64) -> Option<&'a Type> {
        self.catalog.types.iter().find(|found| found.id == id)
    }

    fn composite(&self, composite: &Type) -> String {
        let attributes: Vec<String> = composite
            .attributes
            .iter()
            .map(|attribute| {
                let written = self.type_of(attribute.type_id).map_or_else(
                    || "unknown".to_owned(),
                    |found| nullable(field_type(self.catalog, &found.name, &found.schema), true),
                );
                format!("{}: {written}", json(&attribute.name))
            })
            .collect();
        format!(
            "{}: {{
                        {}
                      }}",
            json(&composite.name),
            attributes.join(",")
        )
    }

    fn constants(&self, schema: &str) -> String {
        let list = |found: &Type| {
            let labels: Vec<String> = found.labels.iter().map(|label| json(label)).collect();
            format!("{}: [{}]", json(&found.name), labels.join(", "))
        };
        let enums: Vec<String> = self.types(schema, |found| !found.labels.is_empty()).map(list).collect();
        format!(
            "{}: {{
          Enums: {{
            {}
          }}
        }}",
            json(schema),
            enums.join(",")
        )
    }
}

fn or_never(items: &[String], separator: &str) -> String {
    if items.is_empty() { "[_ in never]: never".to_owned() } else { items.join(separator) }
}

fn nullable(written: String, is_nullable: bool) -> String {
    match (written.as_str(), is_nullable) {
        ("Json", false) => format!("NonNullable<{written}>"),
        ("unknown" | "any", _) | (_, false) => written,
        _ => format!("{written} | null"),
    }
}

fn enumeration(found: &Type) -> String {
    let labels: Vec<String> = found.labels.iter().map(|label| json(label)).collect();
    format!("{}: {}", json(&found.name), labels.join("|"))
}

fn relationship(found: &Relationship) -> String {
    let list = |columns: &[String]| serde_json::Value::from(columns.to_vec()).to_string();
    format!(
        "{{
      foreignKeyName: {}
      columns: {}
isOneToOne: {}
      referencedRelation: {}
      referencedColumns: {}
    }}",
        json(&found.foreign_key),
        list(&found.columns),
        found.is_one_to_one,
        json(&found.referenced_relation),
        list(&found.referenced_columns)
    )
}

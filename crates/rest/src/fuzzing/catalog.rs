//! A made-up database with something of everything.

use std::collections::HashMap;
use std::sync::Arc;

use pg::{CatalogExpr, QualifiedIdent};

use crate::catalog::Catalog;
use crate::catalog::handler::{Handler, Handlers};
use crate::catalog::relationship::{
    Cardinality, ComputedRelationship, KeyRelationship, by_source, with_inverses, with_junctions,
};
use crate::catalog::routine::{Parameter, Returns, Routine, Volatility};
use crate::catalog::table::{Column, DataType, JSON, JSONB, TEXT, Table};
use crate::request::MediaType;

/// The schema. Its name is right only if it is quoted correctly.
pub(crate) const SCHEMA: &str = "a\"pi";

const INT: u32 = 23;
const TSVECTOR: u32 = 3614;
/// A domain with functions to and from JSON and text.
const COLOR: u32 = 99_001;

fn named(name: &str) -> QualifiedIdent {
    QualifiedIdent::new(SCHEMA, name)
}

/// Tables, functions and handlers of all kinds.
pub(crate) fn invented() -> Catalog {
    let tables: HashMap<QualifiedIdent, Table> = [
        table("teams", &["id"], &[("id", INT), ("Name", TEXT), ("data", JSONB), ("words", TSVECTOR)]),
        table("players", &["id"], &[("id", INT), ("name", TEXT), ("team_id", INT), ("captain_id", INT), ("raw", JSON)]),
        table("games", &["day", "no"], &[("day", TEXT), ("no", INT), ("color", COLOR), ("note", TEXT)]),
        table("appearances", &["player_id", "day", "no"], &[("player_id", INT), ("day", TEXT), ("no", INT)]),
        table("odd \"one\"", &[], &[("select", TEXT), ("a b", INT), ("c\"d", TEXT), ("é", COLOR)]),
    ]
    .into();
    let keys = vec![
        many_to_one("players", "teams", "players_team_id_fkey", &[("team_id", "id")]),
        many_to_one("players", "players", "players_captain_id_fkey", &[("captain_id", "id")]),
        many_to_one("appearances", "players", "appearances_player_id_fkey", &[("player_id", "id")]),
        many_to_one("appearances", "games", "appearances_game_fkey", &[("day", "day"), ("no", "no")]),
        many_to_one("odd \"one\"", "teams", "odd 'key'", &[("a b", "id")]),
    ];
    let computed = |function: &str, target: &str, to_one| ComputedRelationship {
        function: named(function),
        source: named("teams"),
        target: named(target),
        to_one,
    };
    let computed = vec![computed("best_player", "players", true), computed("all \"games\"", "games", false)];
    let schemas = [SCHEMA.to_owned()];
    let relationships = by_source(with_inverses(with_junctions(keys, &tables)), computed, &schemas);
    let representations = [((COLOR, JSON), "json"), ((JSON, COLOR), "color"), ((TEXT, COLOR), "color")]
        .map(|(types, function)| (types, named(function)))
        .into();
    let nonvolatile = [(named("initials"), named("teams")), (named("all \"games\""), named("teams"))];
    Catalog::new(tables, relationships, routines(), representations, handlers()).with_nonvolatile(nonvolatile)
}

fn table(name: &str, key: &[&str], columns: &[(&str, u32)]) -> (QualifiedIdent, Table) {
    let column = |(column, type_oid): &(&str, u32)| Column {
        name: (*column).to_owned(),
        description: None,
        nullable: true,
        data_type: Arc::new(DataType {
            oid: *type_oid,
            name: match *type_oid {
                INT => QualifiedIdent::new("pg_catalog", "int4"),
                JSON => QualifiedIdent::new("pg_catalog", "json"),
                JSONB => QualifiedIdent::new("pg_catalog", "jsonb"),
                TSVECTOR => QualifiedIdent::new("pg_catalog", "tsvector"),
                COLOR => named("colour \"type\""),
                _ => QualifiedIdent::new("pg_catalog", "text"),
            },
            base: if *type_oid == TSVECTOR { "tsvector" } else { "text" }.to_owned(),
            shown: "text".to_owned(),
            labels: Vec::new(),
        }),
        max_length: None,
        default: (*column == "note").then(|| CatalogExpr::from_catalog("'a note'::text".to_owned())),
    };
    let table = Table {
        name: named(name),
        description: None,
        // One of them is a view.
        is_stored: name != "games",
        insertable: true,
        updatable: true,
        deletable: true,
        primary_key: key.iter().map(|column| (*column).to_owned()).collect(),
        columns: columns.iter().map(column).collect(),
    };
    (named(name), table)
}

fn many_to_one(source: &str, target: &str, constraint: &str, columns: &[(&str, &str)]) -> KeyRelationship {
    KeyRelationship {
        source: named(source),
        target: named(target),
        is_self: source == target,
        cardinality: Cardinality::ManyToOne {
            constraint: constraint.to_owned(),
            columns: columns.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect(),
        },
        source_is_view: false,
        target_is_view: false,
    }
}

fn routines() -> HashMap<QualifiedIdent, Vec<Routine>> {
    let text = ("pg_catalog", "text");
    let volatile = Volatility::Volatile;
    let all = [
        routine("add", &[("a", text), ("b \"c\"", text)], Returns::Scalar, text, volatile),
        routine("numbers", &[], Returns::SetOfScalar, text, Volatility::Stable),
        routine("best", &[("of", text)], Returns::Composite, (SCHEMA, "players"), Volatility::Stable),
        routine("search", &[("words", text)], Returns::SetOfComposite, (SCHEMA, "teams"), Volatility::Immutable),
        routine("take", &[("", ("pg_catalog", "json"))], Returns::Scalar, ("pg_catalog", "void"), volatile),
        routine("bytes", &[("", ("pg_catalog", "bytea"))], Returns::Scalar, ("pg_catalog", "bytea"), volatile),
        routine("all of", &[("variadic", ("pg_catalog", "_text"))], Returns::SetOfComposite, text, volatile),
    ];
    all.into_iter().map(|routine| (routine.name.clone(), vec![routine])).collect()
}

fn routine(
    name: &str,
    parameters: &[(&str, (&str, &str))],
    returns: Returns,
    return_type: (&str, &str),
    volatility: Volatility,
) -> Routine {
    let parameters = parameters.iter().map(|(name, (schema, type_name))| Parameter {
        name: (*name).to_owned(),
        shown_type: (*type_name).to_owned(),
        type_schema: (*schema).to_owned(),
        type_name: (*type_name).to_owned(),
        is_required: *name != "of",
        is_variadic: *name == "variadic",
    });
    Routine {
        oid: 1,
        name: named(name),
        description: None,
        parameters: parameters.collect(),
        returns,
        return_type: QualifiedIdent::new(return_type.0, return_type.1),
        volatility,
        isolation: None,
        settings: vec![("statement_timeout".to_owned(), "1s".to_owned())],
    }
}

fn handlers() -> Handlers {
    let mut handlers = Handlers::default();
    let of = |target: Option<&str>, media: &str, handlers: &mut Handlers| {
        let target = target.map(named);
        let handler = Handler::Custom { function: named("to \"media\""), target: target.clone() };
        handlers.add(target, MediaType::parse(media), handler, MediaType::parse(media));
    };
    of(None, "application/x-own", &mut handlers);
    of(Some("teams"), "text/plain", &mut handlers);
    handlers
}

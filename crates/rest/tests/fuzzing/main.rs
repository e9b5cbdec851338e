//! Random requests, planned with the catalog of a real database. PostgreSQL parses the resulting statements.
#![expect(clippy::unwrap_used, reason = "this is a test binary")]

use std::collections::BTreeMap;

use pg::Target;
use rest::Config;
use rest::fuzzing::{World, bytes_of_seed};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, NoTls};

/// Number of requests, for a few seconds; `REST_SEEDS` is another. The fuzz target `database` tests more.
const SEEDS: u64 = 1500;

/// Random statements may have unknown names and mismatching types, but never a syntax error.
#[tokio::test]
async fn postgresql_parses_every_statement() {
    let url = std::env::var("DUGOUT_TEST_DATABASE_URL")
        .expect("DUGOUT_TEST_DATABASE_URL names a PostgreSQL superuser to test with; `make test` sets it");
    let server = Target::parse(&url).unwrap();
    let name = format!("fuzzing_{}", std::process::id());
    let maintenance = connect(&server).await;
    maintenance.batch_execute(&format!("drop database if exists {name} with (force)")).await.unwrap();
    maintenance.batch_execute(&format!("create database {name}")).await.unwrap();
    let target = server.with_database(&name);
    let client = connect(&target).await;
    client.batch_execute(include_str!("schema.sql")).await.unwrap();
    let config = Config {
        db_schemas: vec!["a\"pi".to_owned()],
        db_aggregates_enabled: true,
        db_plan_enabled: true,
        db_max_rows: Some(1000),
        db_pre_request: Some(pg::QualifiedIdent::new("a\"pi", "before")),
        ..Config::default()
    };
    let world = World::of_database(target, config).await.unwrap();
    let mut outcomes = BTreeMap::<String, usize>::new();
    let seeds = std::env::var("REST_SEEDS").ok().and_then(|number| number.parse().ok()).unwrap_or(SEEDS);
    for seed in 0..seeds {
        let request = world.request(&bytes_of_seed(seed, 2048));
        let statements = match world.statements(&request) {
            Ok(statements) => statements,
            Err(error) => {
                *outcomes.entry(error.code().into_owned()).or_default() += 1;
                continue;
            }
        };
        for text in statements {
            let outcome = match client.prepare(&text).await {
                Ok(_) => "prepared".to_owned(),
                Err(error) => {
                    let code = error.code().unwrap_or_else(|| panic!("seed {seed}: {error}: {text}"));
                    assert_ne!(code, &SqlState::SYNTAX_ERROR, "seed {seed}: {error:?}: {text}\n{request:#?}");
                    code.code().to_owned()
                }
            };
            *outcomes.entry(outcome).or_default() += 1;
        }
    }
    maintenance.batch_execute(&format!("drop database {name} with (force)")).await.unwrap();
    // Most must be whole statements, or the test looks at nothing.
    assert!(outcomes.get("prepared").is_some_and(|n| *n as u64 > seeds), "{outcomes:?}");
    println!("{outcomes:?}");
}

async fn connect(target: &Target) -> Client {
    let (client, connection) = target.driver_config().connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

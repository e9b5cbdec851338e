#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use rest::Config;
use rest::fuzzing::{Generated, World};
use tokio::runtime::Runtime;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, NoTls};

/// An empty database, into which tests/fuzzing/schema.sql is written.
struct Database {
    runtime: Runtime,
    client: Client,
    world: World,
}

static DATABASE: LazyLock<Database> = LazyLock::new(|| {
    let url = std::env::var("FUZZ_DATABASE_URL").expect("FUZZ_DATABASE_URL names a database; scripts/fuzz.sh makes one");
    let target = pg::Target::parse(&url).expect("a URL");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    let config = Config {
        db_schemas: vec!["a\"pi".to_owned()],
        db_aggregates_enabled: true,
        db_plan_enabled: true,
        db_max_rows: Some(1000),
        ..Config::default()
    };
    let (client, connection) = runtime.block_on(target.driver_config().connect(NoTls)).expect("a connection");
    runtime.spawn(connection);
    let made = runtime.block_on(client.batch_execute(include_str!("../../tests/fuzzing/schema.sql")));
    // A process of the fuzzer that follows another finds what that one made.
    assert!(made.as_ref().map_or_else(|error| error.code() == Some(&SqlState::DUPLICATE_SCHEMA), |()| true), "{made:?}");
    let world = runtime.block_on(World::of_database(target, config)).expect("a catalog");
    Database { runtime, client, world }
});

// Whole requests, planned against the catalog of a real database, whose PostgreSQL parses what comes out: other errors are
// the client's, but a syntax error is ours. The first byte is as in the target `request`.
fuzz_target!(|bytes: &[u8]| {
    let Some((choice, rest)) = bytes.split_first() else { return };
    let Database { runtime, client, world } = &*DATABASE;
    let request = match (choice % 2, std::str::from_utf8(rest)) {
        (1, Ok(text)) => Generated::of_text(text),
        _ => world.request(rest),
    };
    // The statement of the settings is always the same: only the first two are about the request.
    for text in world.statements(&request).into_iter().flatten().take(2) {
        if let Err(error) = runtime.block_on(client.prepare(&text)) {
            let code = error.code().unwrap_or_else(|| panic!("{error}: {text}"));
            assert_ne!(code, &SqlState::SYNTAX_ERROR, "{error:?}: {text}");
        }
    }
});

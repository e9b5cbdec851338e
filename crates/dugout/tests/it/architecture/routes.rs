//! Who may call what, as one table: a weakened guard is a one-line diff.

use gateway::Route;
use gateway::service::Manifest;
use server::registry::SERVICES;

#[test]
fn the_route_tables_are_what_was_reviewed() {
    let mut table =
        String::from("METHOD  PATH                                             GUARD          BODY LIMIT\n");
    for (mount, routes) in SERVICES.iter().flat_map(|service| tables(service)) {
        let mut rows: Vec<String> = routes.iter().map(Route::describe).collect();
        assert!(!rows.is_empty());
        rows.sort_by_key(|row| row.split_whitespace().nth(1).map(str::to_owned));
        table.push_str(&format!("\n{mount}\n{}\n", rows.join("\n")));
    }
    insta::with_settings!({ snapshot_path => "../snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("routes", table);
    });
}

/// A service's route tables, by the place where they are mounted.
fn tables(service: &Manifest) -> Vec<(String, Vec<Route>)> {
    let mut tables: Vec<_> =
        (service.tables)().into_iter().map(|table| (format!("{}{}", service.prefix, table.at), table.routes)).collect();
    tables.sort_by_key(|(mount, _)| mount.clone());
    tables
}

//! Who may call what, as one table: a weakened guard is a one-line diff.

use gateway::Route;

#[test]
fn the_route_tables_are_what_was_reviewed() {
    let mut table =
        String::from("METHOD  PATH                                             GUARD          BODY LIMIT\n");
    for (mount, routes) in [
        ("/auth/v1", auth::routes()),
        ("/auth/v1/scim/v2", auth::scim_routes()),
        ("/rest/v1", rest::routes::routes()),
        ("/storage/v1", storage::routes()),
    ] {
        let mut rows: Vec<String> = routes.iter().map(Route::describe).collect();
        assert!(!rows.is_empty());
        rows.sort_by_key(|row| row.split_whitespace().nth(1).map(str::to_owned));
        table.push_str(&format!("\n{mount}\n{}\n", rows.join("\n")));
    }
    insta::with_settings!({ snapshot_path => "../snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("routes", table);
    });
}

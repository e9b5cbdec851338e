//! All routes with their guards as one table, so that a weakened guard is a one-line diff.

use gateway::Route;
use server::registry::{self, SERVICES};

#[test]
fn the_route_tables_match_the_reviewed_snapshot() {
    let mut table =
        String::from("METHOD  PATH                                             GUARD          BODY LIMIT\n");
    for (mount, rows) in registry::tables(SERVICES) {
        let mut rows: Vec<String> = rows.routes.iter().map(Route::describe).collect();
        assert!(!rows.is_empty());
        rows.sort_by_key(|row| row.split_whitespace().nth(1).map(str::to_owned));
        table.push_str(&format!("\n{mount}\n{}\n", rows.join("\n")));
    }
    insta::with_settings!({ snapshot_path => "../snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("routes", table);
    });
}

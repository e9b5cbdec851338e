//! `dugout test db`

use super::{Project, text};
use crate::kit::skip;

const MIGRATION: &str = "create table public.notes (id int primary key, body text);";

const PASSING: &str = "begin;\n\\set QUIET 1\nselect plan(2);\nselect has_table('public', 'notes', 'notes exists');\n\
    insert into public.notes values (1, 'a; b');\nselect is((select count(*) from public.notes), 1::bigint);\n\
    select * from finish();\nrollback;\n";

#[tokio::test]
async fn files_pass_fail_and_stop_as_with_pg_prove() {
    let project = Project::new(MIGRATION);
    project.write("supabase/tests/a_pass.sql", PASSING);
    let _dugout = project.launch.start().await;
    let passed = project.run(&["test", "db"]);
    let (said, errors) = text(&passed);
    if errors.contains("pgTAP is not installed") {
        return skip("pgTAP is not installed: run scripts/install.sh");
    }
    assert!(passed.status.success(), "{said}{errors}");
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].ends_with("supabase/tests/a_pass.sql .. ok"), "{said}");
    assert_eq!(lines[1], "All tests successful.");
    assert!(lines[2].starts_with("Files=1, Tests=2, "), "{said}");
    assert_eq!(lines[3], "Result: PASS");

    // Each file has a session of its own, and a failing one does not keep the others from running.
    project
        .write("supabase/tests/nested/b_fail.sql", "begin; select plan(2); select ok(false, 'no'); select pass();\n");
    project.write("supabase/tests/c_stop.sql", "select plan(1);\n\nselect 1 / 0;\nselect pass();\n");
    let failed = project.run(&["test", "db"]);
    let (said, errors) = text(&failed);
    assert_eq!(failed.status.code(), Some(1), "{said}{errors}");
    for part in [
        "a_pass.sql ......... ok\n",
        "# Failed test 1: \"no\"\n",
        "Failed 1/2 subtests\n",
        "c_stop.sql:3: ERROR:  division by zero\n",
        "Wstat: 768 (exited 3) Tests: 0 Failed: 0)",
        "  Failed test:  1\n",
        "Files=3, Tests=4, ",
        "Result: FAIL\n",
    ] {
        assert!(said.contains(part), "{part:?} is not in:\n{said}");
    }
    assert_eq!(errors.trim(), "dugout: some tests failed");

    // One file by its path, and nothing of pgTAP stays in the database.
    let one = project.launch.folder.path().join("supabase/tests/a_pass.sql");
    assert!(project.run(&["test", "db", one.to_str().unwrap()]).status.success());
    let types = project.said(&["gen", "types", "typescript", "--schema", "extensions"]);
    assert!(!types.contains("has_table"), "pgTAP stayed");
}

#[tokio::test]
async fn without_tests_nothing_passes() {
    let project = Project::new(MIGRATION);
    project.write("supabase/tests/notes.md", "no test");
    let output = project.run(&["test", "db"]);
    let (_, errors) = text(&output);
    assert!(!output.status.success() && errors.contains("no pgTAP tests found in "), "{errors}");
    project.write("supabase/tests/a.sql", PASSING);
    let output = project.run(&["test", "db"]);
    let (_, errors) = text(&output);
    assert!(!output.status.success() && errors.contains("there is no database in "), "{errors}");
}

//! The CLI's behaviour is documented by its pkg/parser/state_test.go. The scripts here are our own.

use super::split::{Statement, split, words};

fn texts(sql: &str) -> Vec<String> {
    split(sql).into_iter().map(|statement| statement.text).collect()
}

#[test]
fn statements_end_where_the_cli_ends_them() {
    let rows: &[(&str, &[&str])] = &[
        ("", &[]),
        (" ;; \n;", &[]),
        ("select 1", &["select 1"]),
        ("select 1;;select 2 ;", &["select 1", "select 2"]),
        // Comments
        ("select 1; -- the end", &["select 1", "-- the end"]),
        ("select --; 1\n 2;", &["select --; 1\n 2"]),
        ("-- /* \n;*/ x", &["-- /*", "*/ x"]),
        ("a /* ; /* ; */ ; */ b; c", &["a /* ; /* ; */ ; */ b", "c"]),
        ("select 4 / 2; - ; b", &["select 4 / 2", "-", "b"]),
        ("/* never ends; ", &["/* never ends;"]),
        // Strings and names
        ("select ';'';', 2; b", &["select ';'';', 2", "b"]),
        (r"select '\'; b", &[r"select '\'", "b"]),
        (r"select E'\';'; b", &[r"select E'\';'", "b"]),
        (r"select e'a''\';b'; c", &[r"select e'a''\';b'", "c"]),
        (r"select note'\'; b", &[r"select note'\'", "b"]),
        ("create policy \"a;b\"\"c;\" on t; b", &["create policy \"a;b\"\"c;\" on t", "b"]),
        ("select 'never ends; b", &["select 'never ends; b"]),
        ("select \"$\"; $$ a", &["select \"$\"", "$$ a"]),
        // Dollar quotes
        ("do $$ begin; end; $$; b", &["do $$ begin; end; $$", "b"]),
        ("do $a$ x; $b$ y; $a$; b", &["do $a$ x; $b$ y; $a$", "b"]),
        ("do $größe$ x; $größe$; b", &["do $größe$ x; $größe$", "b"]),
        ("select a$b; select c$b", &["select a$b", "select c$b"]),
        ("select $1; select $2", &["select $1", "select $2"]),
        ("select $1$; b", &["select $1$", "b"]),
        // Parentheses
        (
            "create rule r as on update to t do (select (1); select ')'; -- )\n); b",
            &["create rule r as on update to t do (select (1); select ')'; -- )\n)", "b"],
        ),
        ("select 1); b", &["select 1)", "b"]),
        // A backslash outside strings keeps the statement together, and then all semicolons at its end are removed.
        (r"\;; b", &[r"\", "b"]),
        (r"a \; b; c", &[r"a \; b", "c"]),
        // BEGIN ATOMIC
        ("begin; select 1; end; b", &["begin", "select 1", "end", "b"]),
        (
            "create function f() begin atomic select 1; select 'end'; end; b",
            &["create function f() begin atomic select 1; select 'end'; end", "b"],
        ),
        (
            "create function f() BEGIN\n ATOMIC-- END;\n select 1; END\n; b",
            &["create function f() BEGIN\n ATOMIC-- END;\n select 1; END", "b"],
        ),
        (
            "begin atomic select case when a then 1 end; select weekend, x.end, 1 as end; end; b",
            &["begin atomic select case when a then 1 end; select weekend, x.end, 1 as end; end", "b"],
        ),
        ("create function begin_atomic() as $$ x; $$; b", &["create function begin_atomic() as $$ x; $$", "b"]),
        ("select begin, atomic; b", &["select begin, atomic", "b"]),
        ("create function public.atomic_x(); b", &["create function public.atomic_x()", "b"]),
    ];
    for (sql, expected) in rows {
        assert_eq!(texts(sql), *expected, "{sql}");
    }
}

#[test]
fn the_line_is_that_of_the_first_character() {
    let found = split("select 1;\n\n  -- why\nselect\n2; select 3;\n\n");
    let expected = [("select 1", 1), ("-- why\nselect\n2", 3), ("select 3", 5)];
    let expected = expected.map(|(text, line)| Statement { text: text.to_owned(), line });
    assert_eq!(found, expected);
}

#[test]
fn words_skip_comments_and_strings() {
    let found: Vec<String> = words("/* do */ -- x\nCreate 'a' \"b\" unique(index)").collect();
    assert_eq!(found, ["CREATE", "UNIQUE", "INDEX"]);
}

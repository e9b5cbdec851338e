//! A failing trigger of the project: the response has an error id, and the log describes the error under that id.

use serde_json::json;

use crate::kit::{Account, Calls, Database, Launch, PASSWORD};

#[tokio::test]
async fn the_log_has_sqlstate_and_function_under_the_id_of_the_response() {
    let database = Database::cloned().await;
    let launch = Launch::new(Account::Ours).arg("--db-url", database.target().url());
    let dugout = launch.start().await;
    let bob = json!({ "email": "bob@x.test", "password": PASSWORD });
    let user = dugout.post("/auth/v1/signup", bob).await.is(200).json()["user"]["id"].as_str().unwrap().to_owned();
    let log = dugout.log();
    for action in ["user_signedup", "login"] {
        assert!(log.lines().any(|line| line.contains(action) && line.contains(&user)), "{action} is no event: {log}");
    }
    database
        .connect()
        .await
        .batch_execute(
            "create function public.greet_newcomer() returns trigger language plpgsql as $$ begin
               insert into public.no_such_table values (new.id);
               return new;
             end $$;
             create trigger greet after insert on auth.users for each row execute function public.greet_newcomer()",
        )
        .await
        .unwrap();
    let body = json!({ "email": "ana@x.test", "password": PASSWORD });
    for version in ["", "2024-01-01"] {
        let answer = dugout.post("/auth/v1/signup", body.clone()).header("x-supabase-api-version", version).await;
        let answer = answer.is(500);
        let told = answer.json();
        assert!(!answer.body.contains("no_such_table") && !answer.body.contains("greet_newcomer"), "{}", answer.body);
        let id = told["error_id"].as_str().unwrap();
        let log = dugout.log();
        let line =
            log.lines().find(|line| line.contains(id) && line.contains("42P01")).unwrap_or_else(|| panic!("{log}"));
        for part in ["no_such_table", "greet_newcomer", "auth"] {
            assert!(line.contains(part), "{part} is not in {line}");
        }
        assert!(!log.contains(PASSWORD) && !log.contains("$2a$"), "{log}");
    }
}

//! `dugout seed`: with confirmation it creates the invented users, who can then sign in; without it, nothing happens.

use serde_json::json;

use crate::kit::{Account, Calls, Launch, Process};

/// Runs `dugout seed` beside the running server. Returns whether it succeeded, and its output.
fn seed(launch: &Launch, yes: bool) -> (bool, String) {
    let mut command = launch.command(["seed", "--project"]);
    command.arg(crate::architecture::root()).arg("--data-dir").arg(launch.data_dir()).env("DUGOUT_LOG", "off");
    if yes {
        command.arg("--yes");
    }
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).unwrap())
}

async fn sign_in(dugout: &Process, name: &str) -> u16 {
    let body = json!({ "email": format!("{name}@dugout.test"), "password": "dugout-demo" });
    dugout.post("/auth/v1/token?grant_type=password", body).await.status
}

#[tokio::test]
async fn after_seeding_users_of_every_role_can_sign_in() {
    let launch = Launch::new(Account::Ours);
    let dugout = launch.start().await;
    let (done, said) = seed(&launch, false);
    assert!(!done && said.contains("--yes"), "{said}");
    assert_eq!(sign_in(&dugout, "player").await, 400, "nothing happens without --yes");

    let (done, said) = seed(&launch, true);
    assert!(done && said.contains("supabase/seeds/demo.sql"), "{said}");
    for name in ["player", "coach", "scout", "fan", "guardian", "junior", "admin", "suspended"] {
        assert_eq!(sign_in(&dugout, name).await, 200, "{name}");
    }
    let (done, said) = seed(&launch, true);
    assert!(done && said.contains("ran before"), "{said}");
}

#[tokio::test]
async fn a_database_with_real_accounts_is_not_seeded() {
    let launch = Launch::new(Account::Ours);
    let dugout = launch.start().await;
    let body = json!({ "email": "ana@club.example", "password": "dugout-demo" });
    dugout.post("/auth/v1/signup", body).await.is(200);
    let (done, said) = seed(&launch, true);
    assert!(!done && said.contains("accounts that are not the seed's"), "{said}");
    assert_eq!(sign_in(&dugout, "admin").await, 400, "no demo account with a public password may exist");
}

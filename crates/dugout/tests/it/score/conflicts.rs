//! Lost answers, two scorers, strangers, contradictions, corrections.

use pg::Target;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Scoring, athlete, lineups, play, user};
use crate::kit::{Calls, User, connect};

/// A corrected copy of a play, or without an event its removal.
fn instead_of(old: &Value, inning: u8, batter: &str, event: Option<&str>) -> Value {
    let new = play(inning, batter, event.unwrap_or("NP"));
    let mut row = json!({ "id": new["id"], "replaces": old["id"] });
    if event.is_some() {
        row["record"] = new["record"].clone();
    }
    row
}

#[tokio::test]
async fn a_play_that_is_sent_twice_counts_once() {
    let s = Scoring::new().await;
    s.send(json!({ "lineups": lineups() })).await.is(200);
    let plays = json!([play(1, "v1", "HR/F7"), play(1, "v2", "K")]);
    let first = s.send(json!({ "plays": plays })).await.is(200).json();
    let again = s.send(json!({ "plays": plays })).await.is(200).json();
    assert_eq!(first["state"], again["state"]);
    assert_eq!(first["revision"], again["revision"], "nothing is saved the second time");
    assert_eq!(again["records"].as_array().unwrap().len(), 2);
    assert_eq!(
        s.rows("games?select=visitor_runs,outs,status").await,
        json!([{ "visitor_runs": 1, "outs": 1, "status": "live" }])
    );
    // The same id for another play.
    let mut other = play(1, "v3", "K");
    other["id"] = plays[0]["id"].clone();
    let refused = s.send(json!({ "plays": [other] })).await.is(409).json();
    assert_eq!((&refused["code"], &refused["play"]), (&json!("PLAY_ID_REUSED"), &plays[0]["id"]));
}

#[tokio::test]
async fn one_device_scores_and_another_takes_over() {
    let s = Scoring::new().await;
    s.send(json!({ "lineups": lineups() })).await.is(200);
    s.send(json!({ "plays": [play(1, "v1", "K")] })).await.is(200);
    let phone = Uuid::new_v4();
    let second = json!({ "plays": [play(1, "v2", "K")] });
    let refused = s.send_as(&s.coach, phone, second.clone()).await.is(409).json();
    assert_eq!((&refused["code"], &refused["held"]["mine"]), (&json!("OTHER_SCORER"), &json!(true)));
    assert_eq!(s.rows("plays?select=id").await.as_array().unwrap().len(), 1);
    let mut takeover = second;
    takeover["takeover"] = json!(true);
    let taken = s.send_as(&s.coach, phone, takeover).await.is(200).json();
    assert_eq!(taken["records"].as_array().unwrap().len(), 2, "it has the plays of the first device");
    // The first device keeps what it did not send, and merges it once it has the lock again.
    let late = json!({ "plays": [play(1, "v3", "S8")] });
    assert_eq!(s.send(late.clone()).await.is(409).json()["code"], "OTHER_SCORER");
    s.send_as(&s.coach, phone, json!({ "release": true })).await.is(200);
    assert_eq!(s.send(late).await.is(200).json()["state"]["on_first"], json!(athlete("v3")));

    // Neither strangers, nor other coaches, nor visitors.
    for (email, role) in [("fay@x.test", "fan"), ("cal@x.test", "coach")] {
        let other = user(&s.launch, &s.dugout, email, role).await;
        let refused =
            s.send_as(&other, s.device, json!({ "plays": [play(1, "v4", "K")], "takeover": true })).await.is(403);
        assert_eq!(refused.json()["message"], "Only the coaches of the team score this game.");
        // The database's part is not in the API.
        let direct = json!({ "game": s.game, "device": s.device, "entry": {} });
        other.post("/rest/v1/rpc/save_scoring", direct).await.is(404);
    }
    s.dugout.post("/functions/v1/score", json!({ "game": s.game, "device": s.device })).await.is(401);
}

#[tokio::test]
async fn a_contradiction_is_told_at_its_play_and_nothing_is_saved() {
    let s = Scoring::new().await;
    s.send(json!({ "lineups": lineups() })).await.is(200);
    let [single, moved] = [play(1, "v1", "S8"), play(1, "v2", "S8.1-3")];
    s.send(json!({ "plays": [single, moved] })).await.is(200);
    // The single becomes a strikeout: then nobody is on first in the next play.
    let strikeout = instead_of(&single, 1, "v1", Some("K"));
    let refused = s.send(json!({ "plays": [strikeout] })).await.is(409).json();
    assert_eq!((&refused["code"], &refused["play"]), (&json!("CONTRADICTION"), &moved["id"]));
    assert_eq!(refused["message"], "no runner is on first base to move");
    assert!(refused["resolution"].as_str().unwrap().contains("advance"), "{refused}");
    assert_eq!(s.rows("plays?select=id").await.as_array().unwrap().len(), 2);
    // With the next play corrected as well, it is saved: one request, one state.
    let next = instead_of(&moved, 1, "v2", Some("S8"));
    let saved = s.send(json!({ "plays": [strikeout, next] })).await.is(200).json();
    assert_eq!((&saved["state"]["outs"], &saved["state"]["on_first"]), (&json!(1), &json!(athlete("v2"))));
    // Everything can be undone: what was replaced stays in the log.
    let undone = s.send(json!({ "plays": [instead_of(&next, 1, "v2", None)] })).await.is(200).json();
    assert_eq!(undone["state"]["on_first"], Value::Null);
    assert_eq!(s.rows("plays?select=id").await.as_array().unwrap().len(), 5);
    assert_eq!(s.rows("plays?select=id&ord=not.is.null").await.as_array().unwrap().len(), 1);
    // A play between two others.
    let stolen = json!({ "id": Uuid::new_v4(), "after": strikeout["id"], "record": play(1, "v2", "D7")["record"] });
    s.send(json!({ "plays": [stolen] })).await.is(200);
    // In spite of a contradiction, if the scorer says so.
    let odd = json!({ "plays": [play(1, "v9", "K")], "accept": true });
    let accepted = s.send(odd).await.is(200).json();
    assert_eq!(accepted["contradictions"].as_array().unwrap().len(), 1);
    s.send(json!({ "plays": [play(1, "v1", "K")] })).await.is(200);
}

#[tokio::test]
async fn an_accepted_contradiction_does_not_hide_another_of_its_kind() {
    let s = Scoring::new().await;
    s.send(json!({ "lineups": lineups() })).await.is(200);
    let top =
        json!([play(1, "v1", "D7"), play(1, "v2", "D8"), play(1, "v3", "K"), play(1, "v4", "K"), play(1, "v5", "K")]);
    assert_eq!(s.send(json!({ "plays": top })).await.is(409).json()["message"], "two runners are on second base");
    s.send(json!({ "plays": top, "accept": true })).await.is(200);
    let [first, second] = [play(1, "h1", "D7"), play(1, "h2", "D8")];
    s.send(json!({ "plays": [first] })).await.is(200);
    let refused = s.send(json!({ "plays": [second] })).await.is(409).json();
    assert_eq!((&refused["code"], &refused["play"]), (&json!("CONTRADICTION"), &second["id"]));
    assert_eq!(s.rows("plays?select=id").await.as_array().unwrap().len(), 6);
    // The accepted one stays accepted, also if a correction gives its play another id.
    let advanced = play(1, "h2", "D8.2-H");
    s.send(json!({ "plays": [advanced, instead_of(&top[1], 1, "v2", Some("D9"))] })).await.is(200);
    // A new one of its kind before it is told at its own play.
    let third = instead_of(&top[2], 1, "v3", Some("D7"));
    let refused = s.send(json!({ "plays": [third] })).await.is(409).json();
    assert_eq!((&refused["code"], &refused["play"]), (&json!("CONTRADICTION"), &third["id"]));
}

#[tokio::test]
async fn what_cannot_be_read_is_refused() {
    let s = Scoring::new().await;
    s.send(json!({ "lineups": lineups() })).await.is(200);
    let bad = |record: &str| json!({ "plays": [{ "id": Uuid::new_v4(), "record": record }] });
    let wrong = |code: &'static str, members: Value| (code, members);
    let mut twice = lineups();
    twice[1]["order"] = json!(1);
    for (code, members) in [
        wrong("NOTATION", bad("play,1,0,x,??,,XYZ")),
        wrong("NOTATION", bad("com,\"Hello\"")),
        wrong("NOTATION", bad(&format!("play,1,0,x,??,,{}", "S".repeat(4000)))),
        wrong("UNKNOWN_PLAYER", bad(&format!("play,1,0,{},??,,K", Uuid::new_v4()))),
        wrong("UNKNOWN_PLAYER", bad("play,1,0,nobody,??,,K")),
        wrong("UNKNOWN_PLAY", json!({ "plays": [{ "id": Uuid::new_v4(), "replaces": Uuid::new_v4() }] })),
        wrong("BAD_REQUEST", json!({ "plays": [{ "id": Uuid::new_v4() }] })),
        wrong("BAD_REQUEST", json!({ "nonsense": 1 })),
        wrong("LINEUP", json!({ "lineups": twice })),
        wrong("PT400", json!({ "lineups": [{ "athlete": Uuid::new_v4(), "side": 0 }] })),
    ] {
        assert_eq!(s.send(members).await.is(400).json()["code"], code);
    }
    // The log of a public game is public, so a record holds no free text anywhere.
    let ann = athlete("h9");
    let spoken = [
        format!("badj,{ann},Ann Child 5 Elm St"),
        format!("padj,{ann},R,Ann Child"),
        format!("play,1,0,{},??,Ann-Child-5-Elm-St,K", athlete("v1")),
        format!("play,1,0,{},??,,S7/ANNCHILD", athlete("v1")),
        format!("play,1,0,{},??,,S7.B-2(ELMST5)", athlete("v1")),
        format!("play,1,0,{},??,,S7.B-2(E7/TH/ANN)", athlete("v1")),
    ];
    for record in &spoken {
        let refused = s.send(bad(record)).await.is(400).json();
        assert_eq!(refused["code"], "NOTATION", "{record}");
        assert!(!["Child", "CHILD", "Elm", "ELM"].iter().any(|word| refused.to_string().contains(word)), "{refused}");
    }
    assert_eq!(s.rows("plays?select=id").await, json!([]));
    let many = |count: usize| Value::Array((0..count).map(|_| play(1, "v1", "NP")).collect());
    s.send(json!({ "plays": many(501) })).await.is(400);
    s.send(json!({ "plays": many(500) })).await.is(200);
    // A name in a substitution is not stored.
    let sub = json!({ "id": Uuid::new_v4(), "record": format!("sub,{},\"Ann Child\",1,9,1", athlete("h10")) });
    s.send(json!({ "plays": [sub] })).await.is(200);
    let stored = s.rows("plays?select=record&record=like.sub*").await;
    assert_eq!(stored[0]["record"], format!("sub,{},\"\",1,9,1", athlete("h10")));
}

#[tokio::test]
async fn two_games_of_a_season_end_at_the_same_time() {
    let s = Scoring::new().await;
    let team = s.rows("games?select=owner_team_id").await[0]["owner_team_id"].clone();
    let second = json!({
        "team_id": team, "opponent": "Terns", "is_home": true, "played_on": "2027-04-02", "is_public": true,
    });
    let second = s.coach.post("/rest/v1/rpc/create_game", second).await.is(200).json();
    // A caller can make only one call at a time, so another coach scores the second game.
    let dee = user(&s.launch, &s.dugout, "dee@x.test", "coach").await;
    dee.post("/rest/v1/birth_dates", json!({ "user_id": dee.id, "birth_date": "1980-01-01" })).await.is(201);
    let gate = connect(&Target::unix(&s.launch.data_dir().join("run"), 5432, "postgres", "postgres")).await;
    let joins = format!(
        "insert into public.team_members (team_id, user_id, role, status) values ('{}', '{}', 'coach', 'active')",
        team.as_str().unwrap(),
        dee.id
    );
    gate.batch_execute(&joins).await.unwrap();
    let games = [(&s.coach, json!(s.game)), (&dee, second)];
    let score = async |(coach, game): &(&User, Value), mut body: Value| {
        body["game"] = game.clone();
        body["device"] = json!(s.device);
        coach.post("/functions/v1/score", body).await
    };
    for game in &games {
        score(game, json!({ "lineups": lineups() })).await.is(200);
        score(game, json!({ "plays": [play(1, "v1", "K")] })).await.is(200);
    }
    // Both have deleted the old lines of the season before one of them inserts the new ones, unless one waits for the other.
    gate.batch_execute(
        "create function private.wait_at_gate() returns trigger language plpgsql
           as $$ begin perform pg_advisory_xact_lock_shared(1); return null; end $$;
         create trigger wait_at_gate before insert on public.player_season_batting
           for each statement execute function private.wait_at_gate();
         select pg_advisory_lock(1)",
    )
    .await
    .unwrap();
    let open = async {
        let waiting = "select count(*) = 2 from pg_locks where locktype = 'advisory' and not granted";
        while !gate.query_one(waiting, &[]).await.unwrap().get::<_, bool>(0) {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        gate.batch_execute("select pg_advisory_unlock(1)").await.unwrap();
    };
    let end = json!({ "status": "final", "ended": "called" });
    let open = tokio::time::timeout(std::time::Duration::from_secs(60), open);
    let (one, other, opened) = tokio::join!(score(&games[0], end.clone()), score(&games[1], end.clone()), open);
    opened.expect("both requests wait");
    one.is(200);
    other.is(200);
    let line = s.rows(&format!("player_season_batting?select=g&athlete_id=eq.{}", athlete("h1"))).await;
    assert_eq!(line, json!([{ "g": 2 }]));
}

#[tokio::test]
async fn a_preview_tells_contradictions_and_saves_nothing() {
    let s = Scoring::new().await;
    s.send(json!({ "lineups": lineups() })).await.is(200);
    let [single, moved] = [play(1, "v1", "S8"), play(1, "v2", "S8.1-3")];
    let saved = s.send(json!({ "plays": [single, moved] })).await.is(200).json();
    let strikeout = instead_of(&single, 1, "v1", Some("K"));
    let preview = s.send(json!({ "plays": [strikeout], "preview": true })).await.is(200).json();
    assert_eq!(preview["contradictions"][0]["play"], moved["id"]);
    assert_eq!(preview["records"][0]["outcome"]["turn"]["result"], json!("strikeout"));
    assert_eq!(preview["state"]["outs"], json!(1));
    assert_eq!(preview["revision"], saved["revision"]);
    assert_eq!(s.rows("plays?select=id").await.as_array().unwrap().len(), 2);
    assert_eq!(s.rows("games?select=outs,revision").await, json!([{ "outs": 0, "revision": saved["revision"] }]));
}

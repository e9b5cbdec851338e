//! Pitches that watchers see between two plays, and half-innings and games that end before the third out.

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Scoring, athlete, lineups, play};
use crate::kit::{Calls, connect};

/// Pitches, balls, strikes and revision of the game, as a visitor without an account reads them.
async fn watched(s: &Scoring) -> Value {
    let path = format!("/rest/v1/games?id=eq.{}&select=pitches,balls,strikes,revision,status", s.game);
    let key = s.launch.status("ANON_KEY");
    s.dugout.request(Method::GET, &path).header("apikey", &key).await.is(200).json()[0].clone()
}

#[tokio::test]
async fn watchers_see_each_pitch_before_the_play() {
    let s = Scoring::new().await;
    // Visitors read teams of verified coaches only.
    let owner = pg::Target::unix(&s.launch.data_dir().join("run"), 5432, "postgres", "postgres");
    let verify = "insert into private.coach_verifications (coach_id) select user_id from public.coaches";
    connect(&owner).await.batch_execute(verify).await.unwrap();
    s.send(json!({ "lineups": lineups() })).await.is(200);
    let turn = |after: Option<&Value>, pitches: &str| json!({ "turn": { "after": after, "pitches": pitches } });
    // The first pitch begins the game.
    let begun = s.send(turn(None, "B")).await.is(200).json();
    assert_eq!(begun["state"]["status"], "live");
    s.send(turn(None, "BCF")).await.is(200);
    let revision = watched(&s).await["revision"].clone();
    let now = json!({ "pitches": "BCF", "balls": 1, "strikes": 2, "revision": revision, "status": "live" });
    assert_eq!(watched(&s).await, now);
    // The scorer undoes a pitch.
    s.send(turn(None, "BC")).await.is(200);
    assert_eq!(watched(&s).await["pitches"], "BC");
    // The play ends the plate appearance. Pitches after an earlier play are out of date.
    let first = play(1, "v1", "S7");
    s.send(json!({ "plays": [first], "turn": { "after": first["id"], "pitches": "" } })).await.is(200);
    assert_eq!(watched(&s).await["pitches"], "");
    s.send(turn(None, "BC")).await.is(200);
    assert_eq!(watched(&s).await["pitches"], "");
    s.send(turn(Some(&first["id"]), "C>S")).await.is(200);
    assert_eq!(watched(&s).await["strikes"], 2);
    // A preview is not shown to watchers.
    let preview = json!({ "preview": true, "turn": { "after": first["id"], "pitches": "CSB" } });
    s.send(preview).await.is(200);
    assert_eq!(watched(&s).await["pitches"], "C>S");
    // Text that is not in the notation is refused, and so is a device without the lock.
    for words in ["Ann", "B B", "B\u{1f600}", &"B".repeat(201)] {
        let refused = s.send(turn(Some(&first["id"]), words)).await.is(400).json();
        assert_eq!(refused["code"], "NOTATION", "{words}");
    }
    s.send_as(&s.coach, Uuid::new_v4(), turn(Some(&first["id"]), "CSB")).await.is(409);
    assert_eq!(watched(&s).await["pitches"], "C>S");
}

#[tokio::test]
async fn a_half_inning_ends_before_the_third_out_when_the_scorer_says_so() {
    let s = Scoring::new().await;
    s.send(json!({ "lineups": lineups() })).await.is(200);
    s.send(json!({ "plays": [play(1, "v1", "HR"), play(1, "v2", "W")] })).await.is(200);
    let early = play(1, "h1", "K");
    assert_eq!(s.send(json!({ "plays": [early] })).await.is(409).json()["code"], "CONTRADICTION");
    let end = |text: &str| json!({ "id": Uuid::new_v4(), "record": text });
    for text in ["com,\"Ann was hurt\"", "com,endhalf,Ann"] {
        assert_eq!(s.send(json!({ "plays": [end(text)] })).await.is(400).json()["code"], "NOTATION", "{text}");
    }
    let ended = s.send(json!({ "plays": [end("com,\"endhalf\"")] })).await.is(200).json();
    assert_eq!(ended["records"][2]["record"], "com,endhalf");
    assert_eq!((&ended["state"]["batting"], &ended["state"]["outs"]), (&json!(1), &json!(0)));
    assert_eq!(ended["state"]["batter_id"], json!(athlete("h1")));
    s.send(json!({ "plays": [early, play(1, "h2", "K"), play(1, "h3", "K"), play(2, "v3", "K")] })).await.is(200);
    let lines = s.rows("line_scores?select=innings,left_on_base&order=side").await;
    assert_eq!(lines[0], json!({ "innings": [1, 0], "left_on_base": 1 }));
    let twice = s.send(json!({ "plays": [end("com,endhalf"), end("com,endhalf")] })).await.is(409).json();
    assert_eq!(twice["code"], "CONTRADICTION");
}

#[tokio::test]
async fn a_suspended_game_goes_on_where_it_stopped() {
    let s = Scoring::new().await;
    s.send(json!({ "lineups": lineups() })).await.is(200);
    s.send(json!({ "plays": [play(1, "v1", "D7"), play(1, "v2", "K")] })).await.is(200);
    let stopped = s.send(json!({ "status": "suspended" })).await.is(200).json();
    assert_eq!(stopped["state"]["status"], "suspended");
    let resumed = s.send(json!({ "status": "live" })).await.is(200).json();
    assert_eq!((&resumed["state"]["outs"], &resumed["state"]["on_second"]), (&json!(1), &json!(athlete("v1"))));
    s.send(json!({ "plays": [play(1, "v3", "S8.2-H")] })).await.is(200);
    let pitched = s.rows("player_game_pitching?select=r,er,outs&side=eq.1").await;
    assert_eq!(pitched[0], json!({ "r": 1, "er": 1, "outs": 1 }));
}

//! A server that is killed between two requests.

use serde_json::json;

use super::{Scoring, lineups, play};

#[tokio::test]
async fn a_killed_server_has_every_answered_play() {
    let mut s = Scoring::new().await;
    s.send(json!({ "lineups": lineups() })).await.is(200);
    let plays: Vec<_> = (1..=9).map(|order| play(1, &format!("v{order}"), "W.3-H;2-3;1-2")).collect();
    let plays: Vec<_> = plays
        .into_iter()
        .enumerate()
        .map(|(index, mut play)| {
            // The bases fill one after the other.
            let advances = ["W", "W.1-2", "W.2-3;1-2"].get(index).copied().unwrap_or("W.3-H;2-3;1-2");
            play["record"] = json!(play["record"].as_str().unwrap().replace("W.3-H;2-3;1-2", advances));
            play
        })
        .collect();
    for (sent, one) in plays.iter().enumerate() {
        s.send(json!({ "plays": [one] })).await.is(200);
        if sent % 3 == 2 {
            s.dugout.kill().await;
            s.dugout = s.launch.start().await;
        }
    }
    let answer = s.send(json!({ "plays": plays })).await.is(200).json();
    assert_eq!(answer["records"].as_array().unwrap().len(), 9);
    assert_eq!(s.rows("games?select=visitor_runs,revision").await, json!([{ "visitor_runs": 6, "revision": 10 }]));
    assert_eq!(s.rows("player_game_batting?select=bb&bb=gt.0").await.as_array().unwrap().len(), 9);
}

//! The app's function `recap`: the draft of an article from the plays.

use serde_json::{Value, json};

use super::{Scoring, lineups, play, user};
use crate::kit::{Calls, connect};

/// Three innings of nothing, then a walk-off home run with a runner on.
fn plays() -> Vec<Value> {
    let mut due = [0_usize, 0];
    let mut plays = Vec::new();
    let mut bat = |inning: u8, side: usize, event: &str| {
        let batter = format!("{}{}", ["v", "h"][side], due[side] % 9 + 1);
        due[side] += 1;
        plays.push(play(inning, &batter, event));
    };
    for inning in 1..=9 {
        for _ in 0..3 {
            bat(inning, 0, "K");
        }
        if inning == 9 {
            bat(inning, 1, "S8");
            bat(inning, 1, "HR/F7.1-H");
        } else {
            for _ in 0..3 {
                bat(inning, 1, "K");
            }
        }
    }
    plays
}

async fn recap(s: &Scoring) -> crate::kit::Answer {
    s.coach.post("/functions/v1/recap", json!({ "game": s.game })).await
}

#[tokio::test]
async fn a_recap_names_the_play_that_decided_the_game() {
    let s = Scoring::new().await;
    s.send(json!({ "lineups": lineups(), "plays": plays() })).await.is(200);
    let refused = recap(&s).await.is(403).json();
    assert_eq!(refused["message"], "Recaps are written by the verified coaches of the team.");
    let owner = connect(&pg::Target::parse(&s.launch.status("DB_URL")).unwrap()).await;
    let verified = format!("insert into private.coach_verifications (coach_id) values ('{}')", s.coach.id);
    owner.batch_execute(&verified).await.unwrap();
    assert_eq!(recap(&s).await.is(409).json()["message"], "This game is not final yet.");
    s.send(json!({ "status": "final" })).await.is(200);

    let draft = recap(&s).await.is(200).json();
    assert_eq!(draft["title"], "Owls beat Gulls, 2–0");
    assert_eq!(draft["summary"], "Gulls at Owls, April 1, 2027.");
    let body = draft["body"].as_str().unwrap();
    // Guests' names are for the team's coaches alone.
    assert!(body.contains("**Bottom 9**: a hitter for Owls hit a two-run home run."), "{body}");
    assert!(body.contains("to 100 percent"), "{body}");
    assert!(!body.contains("h2"), "{body}");
    let plays = draft["plays"].as_array().unwrap();
    assert_eq!(plays.len(), 3);
    assert!(plays[2]["wins"].as_f64().unwrap() > 0.2, "{plays:?}");

    let fan = user(&s.launch, &s.dugout, "fay@x.test", "fan").await;
    fan.post("/functions/v1/recap", json!({ "game": s.game })).await.is(403);
    s.coach.post("/functions/v1/recap", json!({ "game": "x" })).await.is(400);
}

//! A whole made-up game: the database has the box score that the engine computes from the event file.

use sabermetrics::model::{Game, PlayerId};
use sabermetrics::notation::parse_file;
use sabermetrics::replay::replay;
use sabermetrics::stats::{
    Batting, Counter, Decisions, EarnedRuns, Fielding, GameLines, Line, Pitching, PlayerLines, game_lines,
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Scoring, athlete, lineups, play};

/// Half-innings, each with three outs.
const HALVES: [&[&str]; 4] = [
    &["W", "S8.1-3", "8/SF/F.3-H", "CS2(26)", "K"],
    &["HR/F7", "E6", "SB2", "43/G.2-3", "S9.3-H", "64(1)3/GDP/G"],
    &["K", "63/G", "9/F"],
    &["D7", "T9.2-H", "FC5.3XH(52)", "W.1-2", "9/F.2-3", "WP.3-H;1-2", "63/G"],
];
/// Which of them the visitors and the home team play, by inning.
const INNINGS: [[usize; 9]; 2] = [[0, 1, 2, 3, 0, 1, 2, 3, 0], [2, 2, 0, 1, 2, 0, 2, 2, 2]];

/// The lines of the event file after the starters.
fn records() -> Vec<String> {
    let mut due = [1, 1];
    let mut records = Vec::new();
    for inning in 0..9 {
        for (side, letter) in ["v", "h"].iter().enumerate() {
            if (inning, side) == (5, 0) {
                records.push(format!("sub,{},\"\",1,9,1", athlete("h10")));
            }
            for event in HALVES[INNINGS[side][inning]] {
                let order = due[side];
                let relieved = side == 1 && order == 9 && inning >= 5;
                let batter = athlete(&if relieved { "h10".to_owned() } else { format!("{letter}{order}") });
                records.push(format!("play,{},{side},{batter},??,,{event}", inning + 1));
                if !["CS2(26)", "SB2", "WP.3-H;1-2"].contains(event) {
                    due[side] = order % 9 + 1;
                }
            }
        }
    }
    records
}

fn event_file(records: &[String]) -> Game {
    let mut text = "id,GUL202704010\ninfo,visteam,GUL\ninfo,hometeam,OWL\ninfo,date,2027/04/01\n".to_owned();
    for entry in lineups().as_array().unwrap().iter().filter(|entry| entry["order"].is_u64()) {
        let athlete = entry["athlete"].as_str().unwrap();
        text.push_str(&format!("start,{athlete},\"\",{},{},{}\n", entry["side"], entry["order"], entry["position"]));
    }
    text.push_str(&records.join("\n"));
    parse_file(&text).remove(0).unwrap()
}

fn of<'l>(lines: &'l GameLines, row: &Value) -> &'l PlayerLines {
    let side = usize::try_from(row["side"].as_u64().unwrap()).unwrap();
    &lines.sides[side][&PlayerId::new(row["athlete_id"].as_str().unwrap())]
}

const BATTING: [(&str, Batting); 14] = [
    ("pa", Batting::PlateAppearances),
    ("ab", Batting::AtBats),
    ("r", Batting::Runs),
    ("h", Batting::Hits),
    ("doubles", Batting::Doubles),
    ("triples", Batting::Triples),
    ("hr", Batting::HomeRuns),
    ("rbi", Batting::RunsBattedIn),
    ("sb", Batting::StolenBases),
    ("cs", Batting::CaughtStealing),
    ("bb", Batting::Walks),
    ("so", Batting::Strikeouts),
    ("sf", Batting::SacrificeFlies),
    ("gidp", Batting::DoublePlays),
];
const PITCHING: [(&str, Pitching); 11] = [
    ("outs", Pitching::Outs),
    ("h", Pitching::Hits),
    ("r", Pitching::Runs),
    ("er", Pitching::EarnedRuns),
    ("bb", Pitching::Walks),
    ("so", Pitching::Strikeouts),
    ("w", Pitching::Wins),
    ("l", Pitching::Losses),
    ("gs", Pitching::Starts),
    ("wp", Pitching::WildPitches),
    ("bfp", Pitching::BattersFaced),
];
const FIELDING: [(&str, Fielding); 5] = [
    ("po", Fielding::Putouts),
    ("a", Fielding::Assists),
    ("e", Fielding::Errors),
    ("dp", Fielding::DoublePlays),
    ("outs", Fielding::Outs),
];

fn same<C: Counter>(row: &Value, line: &Line<C>, columns: &[(&str, C)]) {
    for (column, counter) in columns {
        assert_eq!(row[column], line.get(*counter), "{column} of {row}");
    }
}

/// The database has the lines that the engine counts.
async fn same_lines(s: &Scoring, lines: &GameLines) {
    let batting = s.rows("player_game_batting?select=*").await;
    assert_eq!(batting.as_array().unwrap().len(), 19);
    for row in batting.as_array().unwrap() {
        same(row, &of(lines, row).batting, &BATTING);
    }
    let pitching = s.rows("player_game_pitching?select=*").await;
    assert_eq!(pitching.as_array().unwrap().len(), 3);
    for row in pitching.as_array().unwrap() {
        same(row, of(lines, row).pitching.as_ref().unwrap(), &PITCHING);
        assert_eq!(row["pitches"], Value::Null, "pitches that were not recorded are unknown");
    }
    for row in s.rows("player_game_fielding?select=*").await.as_array().unwrap() {
        let position = u8::try_from(row["position"].as_u64().unwrap()).unwrap();
        same(row, &of(lines, row).fielding[&position], &FIELDING);
    }
    let score = s.rows("line_scores?select=innings,runs&order=side").await;
    let visitors = json!([1, 2, 0, 2, 1, 2, 0, 2, 1]);
    assert_eq!((&score[0]["innings"], &score[0]["runs"]), (&visitors, &json!(11)));
}

#[tokio::test]
async fn nine_innings_give_the_engines_box_score() {
    let s = Scoring::new().await;
    let records = records();
    let game = event_file(&records);
    let replayed = replay(&game);
    assert_eq!(replayed.contradictions, []);
    let lines = game_lines(&game, &replayed, EarnedRuns::Computed, Decisions::Computed);

    s.send(json!({ "lineups": lineups() })).await.is(200);
    for part in records.chunks(7) {
        let plays: Vec<Value> = part.iter().map(|record| json!({ "id": Uuid::new_v4(), "record": record })).collect();
        let live = s.send(json!({ "plays": plays })).await.is(200).json();
        assert_eq!(live["contradictions"], json!([]));
    }
    assert_eq!(s.rows("player_game_pitching?select=w&w=gt.0").await, json!([]), "a live game has no decisions");
    let done = s.send(json!({ "status": "final" })).await.is(200).json();
    let score = [&done["state"]["visitor_runs"], &done["state"]["home_runs"]];
    assert_eq!(score, replayed.state.score.map(|runs| json!(runs)).each_ref());
    same_lines(&s, &lines).await;

    // A final game changes only for a reason, and then stays final.
    let late = json!({ "plays": [{ "id": Uuid::new_v4(), "record": records[0] }] });
    assert_eq!(s.send(late).await.is(409).json()["code"], "FINAL");
    let first = s.rows("plays?select=id&ord=eq.1").await[0]["id"].clone();
    let walk = records[0].replace(",W", ",HP");
    let correction = json!([{ "id": Uuid::new_v4(), "replaces": first, "record": walk }]);
    let corrected = s.send(json!({ "plays": correction, "reason": "It was a hit by pitch" })).await.is(200).json();
    assert_eq!(corrected["state"]["status"], "final");
    assert_eq!(s.rows("player_game_batting?select=hbp&hbp=gt.0").await, json!([{ "hbp": 1 }]));
    assert_eq!(s.rows("player_season_batting?select=g").await.as_array().unwrap().len(), 10, "the home team's season");
}

#[tokio::test]
async fn a_game_that_is_not_over_becomes_final_only_with_an_ending() {
    let s = Scoring::new().await;
    s.send(json!({ "lineups": lineups() })).await.is(200);
    let plays: Vec<Value> =
        records()[..5].iter().map(|record| json!({ "id": Uuid::new_v4(), "record": record })).collect();
    let live = s.send(json!({ "plays": plays })).await.is(200).json();
    assert_eq!(
        (&live["state"]["inning"], &live["state"]["batting"], &live["state"]["outs"]),
        (&json!(1), &json!(1), &json!(0))
    );
    assert_eq!(live["state"]["batter_id"], json!(athlete("h1")));
    assert_eq!(s.send(json!({ "status": "final" })).await.is(409).json()["code"], "NOT_OVER");
    let called = s.send(json!({ "status": "final", "ended": "called" })).await.is(200).json();
    assert_eq!(called["state"]["ended"], "called");
    assert_eq!(s.rows("games?select=status,ended").await, json!([{ "status": "final", "ended": "called" }]));
}

#[tokio::test]
async fn another_ending_of_a_final_game_needs_a_reason_and_is_saved() {
    let s = Scoring::new().await;
    s.send(json!({ "lineups": lineups() })).await.is(200);
    s.send(json!({ "plays": [super::play(1, "v1", "K")], "status": "final", "ended": "called" })).await.is(200);
    let forfeit = json!({ "status": "final", "ended": "forfeit_home" });
    assert_eq!(s.send(forfeit).await.is(409).json()["code"], "FINAL");
    assert_eq!(s.rows("games?select=ended").await, json!([{ "ended": "called" }]));
    let explained = json!({ "status": "final", "ended": "forfeit_home", "reason": "Seven players were left" });
    let revision = s.rows("games?select=revision").await[0]["revision"].as_i64().unwrap();
    let done = s.send(explained.clone()).await.is(200).json();
    assert_eq!((&done["state"]["ended"], &done["revision"]), (&json!("forfeit_home"), &json!(revision + 1)));
    assert_eq!(s.rows("games?select=ended").await, json!([{ "ended": "forfeit_home" }]));
    // Sent again after a lost answer, it changes nothing.
    assert_eq!(s.send(explained).await.is(200).json()["revision"], revision + 1);
    // A game that is live again has not ended.
    s.send(json!({ "status": "live", "reason": "It goes on" })).await.is(200);
    assert_eq!(s.rows("games?select=status,ended").await, json!([{ "status": "live", "ended": null }]));
    assert_eq!(s.send(json!({ "status": "final" })).await.is(409).json()["code"], "NOT_OVER");
}

#[tokio::test]
async fn a_live_game_has_no_ending() {
    let s = Scoring::new().await;
    s.send(json!({ "lineups": lineups() })).await.is(200);
    let live = s.send(json!({ "plays": [super::play(1, "v1", "K")], "ended": "called" })).await.is(200).json();
    assert_eq!(live["state"]["ended"], Value::Null);
    assert_eq!(s.rows("games?select=status,ended").await, json!([{ "status": "live", "ended": null }]));
    assert_eq!(s.send(json!({ "status": "final" })).await.is(409).json()["code"], "NOT_OVER");
}

#[tokio::test]
async fn a_pitcher_who_leaves_during_his_only_turn_has_a_line() {
    let s = Scoring::new().await;
    s.send(json!({ "lineups": lineups() })).await.is(200);
    let play = |batter: &str, rest: &str| format!("play,1,0,{},{rest}", athlete(batter));
    let records = [
        play("v1", "20,BB,NP"),
        format!("sub,{},\"\",1,9,1", athlete("h10")),
        play("v1", "30,BB.BB,W"),
        play("v2", "??,,HR.1-H"),
    ];
    let plays: Vec<Value> = records.iter().map(|record| json!({ "id": Uuid::new_v4(), "record": record })).collect();
    s.send(json!({ "plays": plays })).await.is(200);
    let columns = "athlete_id,number,gs,bfp,bb,r,pitches";
    let pitching = s.rows(&format!("player_game_pitching?select={columns}&side=eq.1&order=number")).await;
    assert_eq!(
        pitching,
        json!([
            { "athlete_id": athlete("h9"), "number": 1, "gs": 1, "bfp": 1, "bb": 1, "r": 1, "pitches": 2 },
            { "athlete_id": athlete("h10"), "number": 2, "gs": 0, "bfp": 1, "bb": 0, "r": 1, "pitches": 2 },
        ])
    );
}

#[tokio::test]
async fn each_play_says_what_it_did_to_the_chance_to_win() {
    let s = Scoring::new().await;
    s.send(json!({ "lineups": lineups() })).await.is(200);
    let reply = s.send(json!({ "plays": [play(1, "v1", "HR"), play(1, "v2", "K")] })).await.is(200).json();
    let [homer, out] = [0, 1].map(|index| reply["records"][index]["outcome"]["win"].clone());
    assert_eq!(homer["player"], json!(athlete("v1")));
    let number = |value: &Value| value.as_f64().unwrap();
    // Level at the start; a run in the first inning is worth about a tenth of a win.
    assert!((0.08..0.13).contains(&number(&homer["added"])), "{homer}");
    assert!((number(&homer["home"]) - (0.5 - number(&homer["added"]))).abs() < 0.06, "{homer}");
    assert!(number(&out["added"]) < 0.0 && number(&out["home"]) > number(&homer["home"]), "{out}");
    assert!((0.8..1.0).contains(&number(&out["leverage"])), "{out}");
    assert_eq!(s.rows("plays?select=outcome&order=ord").await[0]["outcome"]["win"], homer);
}

//! `dugout stats`: tables from event files.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::architecture::root;
use crate::kit::skip;

/// The head of a game's event file; [`season`] adds the starters and the plays.
const GAME: &str = "id,HOM202604010\r\nversion,2\r\ninfo,visteam,VIS\r\ninfo,hometeam,HOM\r\ninfo,date,2026/04/01\r\n";

fn dugout(args: &[&std::ffi::OsStr]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dugout")).arg("stats").args(args).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

/// A folder with one event file.
fn season(plays: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut text = GAME.to_owned();
    for (side, letter) in ["v", "h"].iter().enumerate() {
        for order in 1..=9 {
            let position = if order == 9 { 1 } else { order + 1 };
            text.push_str(&format!("start,{letter}{order},\"{letter} {order}\",{side},{order},{position}\r\n"));
        }
    }
    for play in plays {
        text.push_str(&format!("{play}\r\n"));
    }
    std::fs::write(folder.path().join("2026HOM.EVN"), text).unwrap();
    folder
}

fn read(folder: &Path, table: &str) -> String {
    std::fs::read_to_string(folder.join(table)).unwrap()
}

#[test]
fn replay_writes_the_tables_with_lahmans_columns() {
    let season = season(&["play,1,0,v1,00,X,HR", "play,1,0,v2,??,,K", "play,1,0,v3,??,,63", "play,1,0,v4,??,,8"]);
    let out = season.path().join("out");
    let done = dugout(&["replay".as_ref(), season.path().as_ref(), "--out".as_ref(), out.as_ref()]);
    assert!(done.status.success(), "{}", said(&done));
    let games = "game_id,date,visitor,home,visitor_runs,home_runs,innings\nHOM202604010,2026-04-01,VIS,HOM,1,0,1\n";
    assert_eq!(read(&out, "games.csv"), games);
    let batting = read(&out, "batting.csv");
    let header = "player_id,season,G,PA,AB,R,H,2B,3B,HR,RBI,SB,CS,BB,SO,IBB,HBP,SH,SF,GIDP\n";
    assert!(
        batting.starts_with(header) && batting.contains("\nv1,2026,1,1,1,1,1,0,0,1,1,0,0,0,0,0,0,0,0,0\n"),
        "{batting}"
    );
    assert!(
        read(&out, "pitching.csv").contains("\nh9,2026,0,1,1,1,1,0,0,3,1,1,1,0,1,0,0,0,0,4,1\n"),
        "{}",
        read(&out, "pitching.csv")
    );
    assert!(read(&out, "fielding.csv").contains("\nh7,2026,OF,1,0,0,0\n"), "{}", read(&out, "fielding.csv"));
}

#[test]
fn a_bad_line_is_named_and_causes_a_failure() {
    let season = season(&["play,1,0,v1,00,X,S7.1+2"]);
    let out = season.path().join("out");
    let done = dugout(&["replay".as_ref(), season.path().as_ref(), "--out".as_ref(), out.as_ref()]);
    assert!(!done.status.success() && said(&done).contains("line 24, at character 22"), "{}", said(&done));
}

#[test]
fn export_returns_the_same_bytes_and_box_prints_the_line_score() {
    let season = season(&["play,1,0,v1,01,CX,D7/L7#", "play,1,0,v2,??,,HR.2-H"]);
    let text = std::fs::read(season.path().join("2026HOM.EVN")).unwrap();
    let export =
        |format: &str| dugout(&["export".as_ref(), season.path().as_ref(), "--format".as_ref(), format.as_ref()]);
    assert_eq!(export("retrosheet").stdout, text);
    assert!(said(&export("csv")).contains(",v2,h9,??,,HR.2-H,2,0"), "{}", said(&export("csv")));
    let json: serde_json::Value = serde_json::from_slice(&export("json").stdout).unwrap();
    assert_eq!(json["plays"][1]["second"], "v1");
    let printed = dugout(&["box".as_ref(), "HOM202604010".as_ref(), "--from".as_ref(), season.path().as_ref()]);
    assert!(said(&printed).contains("VIS   2  |  2   2  0"), "{}", said(&printed));
}

#[test]
fn the_season_of_2016_matches_the_record() {
    let archive: PathBuf = root().join("../shared/data/retrosheet/2016eve.zip");
    if !archive.exists() {
        return skip("../shared is absent");
    }
    let out = tempfile::tempdir().unwrap();
    let done =
        dugout(&["replay".as_ref(), archive.as_ref(), "--out".as_ref(), out.path().as_ref(), "--compare".as_ref()]);
    assert!(done.status.success(), "{}", said(&done));
    assert!(said(&done).contains("2428 games, 190715 plays"), "{}", said(&done));
    assert!(!said(&done).contains("Read as well as it can be"), "{}", said(&done));
    // Mike Trout's season as Lahman's tables have it.
    let batting = read(out.path(), "batting.csv");
    assert!(batting.contains("\ntroum001,2016,159,681,549,123,173,32,5,29,100,30,7,116,137,12,11,0,5,5\n"));
}
